//! Layers, origins, and what a person sees when a file is wrong.

use super::*;
use fwai_schema::{
    config::{Config, ProviderName},
    permission::Mode,
};
use std::fs;

struct World {
    _directory: tempfile::TempDir,
    paths: Paths,
}

fn world(user: Option<&str>, project: Option<&str>) -> World {
    let directory = tempfile::tempdir().unwrap();
    let paths = Paths { user: directory.path().join("user"), project: directory.path().join("project") };
    for (file, text) in [(paths.user_config(), user), (paths.project_config(), project)] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        if let Some(text) = text {
            fs::write(file, text).unwrap();
        }
    }
    World { _directory: directory, paths }
}

fn strings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

fn load_with(
    world: &World,
    environment: &[(&str, &str)],
    flags: &[(&str, &str)],
) -> Result<Layered, ConfigError> {
    let flags: Vec<_> = strings(flags).into_iter().map(|(k, v)| (k, v, "--set".to_owned())).collect();
    load(&world.paths, &Sources { environment: &strings(environment), flags: &flags })
}

#[test]
fn each_layer_wins_over_the_ones_below_and_says_where_it_stood() {
    let world = world(
        Some("provider:\n  name: openai\n  model: from-user\nagent:\n  max_iterations: 9\n"),
        Some("provider:\n  model: from-project\nagent:\n  mode: plan\n"),
    );
    let layered = load_with(
        &world,
        &[("FWAI_MODEL", "from-env"), ("FWAI_AGENT_MAX_COST", "2.5")],
        &[("agent.mode", "yolo")],
    )
    .unwrap();
    assert_eq!(layered.config.provider.name, Some(ProviderName::OpenAi));
    assert_eq!(layered.config.provider.model.as_deref(), Some("from-env"));
    assert_eq!(layered.config.agent.max_iterations, 9);
    assert_eq!(layered.config.agent.max_cost, Some(2.5));
    assert_eq!(layered.config.agent.mode, Mode::Yolo);
    assert_eq!(layered.origin("provider.name").layer, Layer::User);
    assert_eq!(layered.origin("provider.model").place.as_deref(), Some("FWAI_MODEL"));
    assert_eq!(layered.origin("agent.mode").layer, Layer::Flag);
    assert_eq!(layered.origin("sandbox.walls").layer, Layer::BuiltIn);
    assert!(layered.origin("agent.max_iterations").place.unwrap().ends_with("config.yaml:5"));
}

#[test]
fn an_empty_value_sets_nothing() {
    let world = world(None, Some("agent:\n  mode:\nprovider:\n"));
    assert_eq!(load_with(&world, &[], &[]).unwrap().config, Config::default());
    let empty = [("FWAI_PROVIDER", ""), ("FWAI_MODEL", " "), ("FWAI_AGENT_MAX_ITERATIONS", "")];
    assert_eq!(load_with(&world, &empty, &[]).unwrap().config, Config::default());
}

#[test]
fn a_wrong_environment_variable_names_itself() {
    let world = world(None, None);
    let error = load_with(&world, &[("FWAI_PROVIDER", "opnai")], &[]).unwrap_err().to_string();
    assert!(error.starts_with("FWAI_PROVIDER:1:1: `provider.name` cannot be `opnai`"), "{error}");
    assert!(error.contains("did you mean `openai`?"));
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let world = world(None, None);
    fs::create_dir(world.paths.project_config()).unwrap();
    assert!(load_with(&world, &[], &[]).unwrap_err().to_string().contains("is a directory"));
    fs::remove_dir(world.paths.project_config()).unwrap();
    fs::write(world.paths.project_config(), b"agent:\n  mode: \xff\n").unwrap();
    assert!(
        load_with(&world, &[], &[]).unwrap_err().to_string().contains("config.yaml:2: byte 15 is not UTF-8")
    );
    fs::write(world.paths.project_config(), vec![b'#'; MAX_FILE as usize + 1]).unwrap();
    assert!(load_with(&world, &[], &[]).unwrap_err().to_string().contains("larger than"));
}

#[test]
fn set_writes_checked_values_only() {
    let world = world(None, Some("# hello\nagent:\n  mode: plan # careful\n"));
    let file = world.paths.project_config();
    set(&world.paths, &file, "agent.mode", "auto").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "# hello\nagent:\n  mode: auto # careful\n");
    assert!(set(&world.paths, &file, "agent.mode", "warp").is_err());
    assert!(
        set(&world.paths, &file, "agnet.mode", "plan")
            .unwrap_err()
            .to_string()
            .contains("did you mean `agent`")
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "# hello\nagent:\n  mode: auto # careful\n");
}
