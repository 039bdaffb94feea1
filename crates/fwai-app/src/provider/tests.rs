//! Keys from their three sources, what a project may not set, and cassettes in files.

use super::*;
use crate::config::{Sources, load};
use fwai_llm::Request;
use fwai_schema::message::{ContentBlock, Message};
use fwai_testkit::model_server::{ModelServer, Turn};
use std::path::Path;

struct World {
    dir: tempfile::TempDir,
    paths: Paths,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let paths = Paths { user: dir.path().join("user"), project: dir.path().join("project") };
        std::fs::create_dir_all(paths.fwai()).unwrap();
        std::fs::create_dir_all(&paths.user).unwrap();
        Self { dir, paths }
    }

    fn layered(&self, user: &str, project: &str) -> Layered {
        std::fs::write(self.paths.user_config(), user).unwrap();
        std::fs::write(self.paths.project_config(), project).unwrap();
        load(&self.paths, &Sources { environment: &[], flags: &[] }).unwrap()
    }

    fn make(&self, user: &str, project: &str) -> Result<Arc<dyn Provider>, ProviderError> {
        let layered = self.layered(user, project);
        let choice = choose(&layered.config.provider)?;
        make(&layered, &self.paths, &choice)
    }
}

fn write_private(path: &Path, text: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A variable that no machine has, so that the surroundings of the test do not matter.
const ENV: &str = "api_key_env: FWAI_TEST_NO_SUCH_KEY";

fn key_of(world: &World, settings: &str) -> Result<Option<String>, String> {
    let layered = world.layered(&format!("provider:\n  name: anthropic\n  {ENV}\n{settings}"), "");
    find_key(&layered.config.provider, offer(ProviderName::Anthropic))
        .map(|found| found.map(|(key, _)| key.expose().to_owned()))
        .map_err(|error| error.to_string())
}

#[test]
fn a_key_file_must_be_private() {
    let world = World::new();
    let file = world.dir.path().join("key");
    let settings = format!("  api_key_file: {}\n", file.display());
    assert!(key_of(&world, &settings).unwrap_err().contains("cannot read"));
    write_private(&file, "sk-from-file\n", 0o644);
    assert!(key_of(&world, &settings).unwrap_err().contains("chmod 600"));
    write_private(&file, "\nsk-from-file\nsecond line\n", 0o600);
    assert_eq!(key_of(&world, &settings), Ok(Some("sk-from-file".into())));
    write_private(&file, "two words\n", 0o600);
    let error = key_of(&world, &settings).unwrap_err();
    assert!(error.contains("holds no key") && !error.contains("two words"), "{error}");
}

#[test]
fn any_password_manager_serves() {
    let world = World::new();
    assert_eq!(key_of(&world, "  api_key_cmd: printf 'sk-cmd\\n'\n"), Ok(Some("sk-cmd".into())));
    let error = key_of(&world, "  api_key_cmd: echo sk-leak; exit 3\n").unwrap_err();
    assert!(error.contains("exit status: 3") && !error.contains("sk-leak"), "{error}");
    assert!(key_of(&world, "  api_key_cmd: \"true\"\n").unwrap_err().contains("printed no key"));
    assert_eq!(key_of(&world, ""), Ok(None));
}

#[test]
fn a_project_cannot_reach_the_users_key() {
    let world = World::new();
    let user = format!("provider:\n  name: anthropic\n  {ENV}\n");
    for setting in [
        "api_key_cmd: touch stolen; echo k",
        "api_key_file: /etc/passwd",
        "base_url: https://evil.example/v1",
        "base_url: http://localhost@evil.example/",
    ] {
        let error = world.make(&user, &format!("provider:\n  {setting}\n")).err().unwrap();
        // An untrusted project's word does not count, so that there is no key and no other address.
        assert!(error.to_string().contains("no API key"), "{setting}: {error}");
    }
    assert!(!world.paths.project.join("stolen").exists());
    let local = world.make(&user, "provider:\n  base_url: http://127.0.0.1:9\n");
    assert!(local.is_ok(), "{:?}", local.err());
}

#[test]
fn without_a_key_the_error_names_the_variable() {
    let error = World::new().make(&format!("provider:\n  name: openai\n  {ENV}\n"), "").err().unwrap();
    assert_eq!(
        error.to_string(),
        "openai: no API key; set FWAI_TEST_NO_SUCH_KEY, or `provider.api_key_file` or `provider.api_key_cmd` in config.yaml"
    );
}

fn question() -> Request {
    Request { messages: vec![Message::user_text("who?").into()], ..Request::default() }
}

#[tokio::test]
async fn a_session_is_recorded_and_played_back_without_its_server() {
    let world = World::new();
    let server = ModelServer::start(vec![Turn::text("It is me.")]);
    let user = format!(
        "provider:\n  name: openai\n  base_url: {}\n  api_key_cmd: echo sk-very-secret-0123456789\n  {ENV}\n  record: tapes/one.jsonl\n",
        server.url()
    );
    let recorder = world.make(&user, "").unwrap();
    let first = recorder.complete(question()).await.unwrap();
    assert_eq!(first.content, [ContentBlock::text("It is me.")]);
    drop(server);
    let tape = world.paths.project.join("tapes/one.jsonl");
    let text = std::fs::read_to_string(&tape).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert!(!text.contains("very-secret"), "{text}");

    let user = "provider:\n  name: replay\n  replay: tapes/one.jsonl\n";
    let replay = world.make(user, "").unwrap();
    assert_eq!(replay.complete(question()).await.unwrap(), first);
    let other = Request { messages: vec![Message::user_text("what?").into()], ..Request::default() };
    let error = world.make(user, "").unwrap().complete(other).await.unwrap_err().to_string();
    assert!(error.contains("tapes/one.jsonl: exchange 1 of 1") && error.contains("messages[0]"), "{error}");
}

#[test]
fn a_missing_cassette_is_named() {
    let world = World::new();
    let error = world.make("provider:\n  name: replay\n", "").err().unwrap().to_string();
    assert!(error.contains("provider.replay"), "{error}");
    let error = world.make("provider:\n  name: replay\n  replay: no.jsonl\n", "").err().unwrap().to_string();
    assert!(error.contains("cannot read the cassette no.jsonl"), "{error}");
}

#[test]
fn ollama_is_asked_for_what_it_has() {
    let server = ModelServer::start(fwai_testkit::model_server::Scenario {
        models: vec!["llama3:8b".into(), "qwen3:4b".into()],
        ..Default::default()
    });
    let world = World::new();
    let layered = world.layered(&format!("provider:\n  name: local\n  base_url: {}\n", server.url()), "");
    let choice = choose(&layered.config.provider).unwrap();
    assert_eq!(choice, Choice { name: ProviderName::Ollama, model: "qwen3:4b".into() });
}
