//! Configuration through the real binary: one clear error for each kind of mistake, and nothing half-written.

use assert_cmd::Command;
use std::fs;

struct Bench(tempfile::TempDir);

impl Bench {
    fn new(config: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("project/.fwai")).unwrap();
        fs::write(directory.path().join("project/.fwai/config.yaml"), config).unwrap();
        Self(directory)
    }

    fn file(&self) -> std::path::PathBuf {
        self.0.path().join("project/.fwai/config.yaml")
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::cargo_bin("fwai").unwrap();
        command
            .current_dir(self.0.path().join("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("FWAI_HOME", self.0.path().join("user"));
        let output = command.args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

#[test]
fn each_mistake_has_one_clear_error_and_exit_two() {
    for (config, parts) in [
        ("provider: [\n", &[".fwai/config.yaml:", "not valid YAML"][..]),
        ("agent:\n  max_iterations: lots\n", &[".fwai/config.yaml:2:19", "must be an integer", "lots"]),
        (
            "agent: {mode: plam}\n",
            &["1:15", "cannot be `plam`", "allowed: plan, ask, auto, yolo", "did you mean `plan`?"],
        ),
        (
            "policy: {protected_path: [a]}\n",
            &["unknown key `protected_path`", "did you mean `protected_paths`?"],
        ),
        ("provider: {model: $NO_SUCH_VARIABLE_HERE}\n", &["NO_SUCH_VARIABLE_HERE is not set"]),
        ("a: 1\na: 2\n", &["stands twice"]),
    ] {
        let (code, _, told) = Bench::new(config).run(&["config", "show"]);
        assert_eq!(code, Some(2), "{config}: {told}");
        for part in parts {
            assert!(told.contains(part), "`{part}` is not in: {told}");
        }
    }
}

#[test]
fn a_misspelt_key_warns_and_work_goes_on() {
    let (code, shown, told) = Bench::new("provdier: {name: openai}\n").run(&["config", "show", "--origin"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("warning:") && told.contains("did you mean `provider`?"), "{told}");
    assert!(shown.contains("agent.max_iterations: 50"), "{shown}");
}

#[test]
fn a_directory_in_the_place_of_the_file_is_named() {
    let bench = Bench::new("");
    fs::remove_file(bench.file()).unwrap();
    fs::create_dir(bench.file()).unwrap();
    let (code, _, told) = bench.run(&["config", "show"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is a directory"), "{told}");
}

#[test]
fn set_keeps_comments_and_a_wrong_value_changes_nothing() {
    let bench = Bench::new("# mine\nagent: # why\n  mode: plan\n");
    assert_eq!(bench.run(&["config", "set", "agent.mode", "ask"]).0, Some(0));
    assert_eq!(fs::read_to_string(bench.file()).unwrap(), "# mine\nagent: # why\n  mode: ask\n");
    assert_eq!(bench.run(&["config", "set", "agent.mode", "warp"]).0, Some(2));
    assert_eq!(bench.run(&["config", "set", "agent.moed", "ask"]).0, Some(2));
    assert_eq!(fs::read_to_string(bench.file()).unwrap(), "# mine\nagent: # why\n  mode: ask\n");
    assert_eq!(bench.run(&["config", "get", "agent.mode"]).1, "ask\n");
}

#[test]
fn a_full_disk_leaves_the_old_file_whole() {
    let bench = Bench::new("agent: {mode: plan}\n");
    let program = assert_cmd::cargo::cargo_bin("fwai");
    // No file may grow beyond nothing: every write fails as on a full disk.
    let line = format!("ulimit -f 0; trap '' XFSZ; exec {} config set agent.mode ask", program.display());
    let mut command = Command::new("bash");
    command.current_dir(bench.0.path().join("project")).env("FWAI_HOME", bench.0.path().join("user"));
    let output = command.args(["-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    assert_eq!(fs::read_to_string(bench.file()).unwrap(), "agent: {mode: plan}\n");
    assert_eq!(
        fs::read_dir(bench.0.path().join("project/.fwai")).unwrap().count(),
        1,
        "nothing half-written stays"
    );
}

#[test]
fn the_help_of_every_command_has_words_and_json_is_one_object() {
    let bench = Bench::new("");
    let help = bench.run(&["--help"]).1;
    for line in help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
    {
        let name = line.split_whitespace().next().unwrap();
        if line.starts_with("   ") || name == "help" {
            continue;
        }
        let (code, own, _) = bench.run(&[name, "--help"]);
        assert_eq!(code, Some(0), "{name}");
        assert!(own.lines().next().is_some_and(|first| first.len() > 10), "{name}: {own}");
    }
    let (_, object, _) = bench.run(&["config", "show", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&object).unwrap().is_object());
}
