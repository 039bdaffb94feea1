//! `fwai run` as people and CI systems use it: the real program, gcc, QEMU and sandbox; only the model is scripted.

mod ending;
mod files;
mod kinds;
mod shipped;
mod steps;
mod words;

use assert_cmd::Command;
use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

const BOARD: &str = "stm32vldiscovery";

/// Fails twice, then succeeds.
const FLAKY: &str = r#"
name: flaky
description: Succeeds the third time.
steps:
  - name: count
    tool: bash
    with: {command: "echo x >> tries; test $$(wc -l < tries) -ge 3"}
    retry: {times: 4, backoff: 0.01}
  - name: after
    tool: bash
    with: {command: "echo $steps.count.attempts tries, exit $steps.count.exit_code"}
"#;

/// A project of a user with a home of its own. Dropping it ends its QEMU, also when a test panics.
struct Desk {
    folder: tempfile::TempDir,
    server: Option<ModelServer>,
}

impl Desk {
    /// An empty project; the user's own skills are those given.
    fn plain(skills: &[&str]) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap(), server: None };
        fs::create_dir_all(desk.root()).unwrap();
        for text in skills {
            desk.skill(text);
        }
        desk
    }

    /// A real firmware project for the virtual board, under git.
    fn firmware() -> Self {
        let desk = Self::plain(&[]);
        let git = |arguments: &[&str]| {
            let done =
                std::process::Command::new("git").current_dir(desk.root()).args(arguments).output().unwrap();
            assert!(done.status.success());
        };
        git(&["init", "-q"]);
        desk.fwai(&["init", "--yes", "--template", "bare-metal"]).assert().success();
        git(&["add", "-A"]);
        git(&["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "start"]);
        desk
    }

    fn with_model(mut self, turns: Vec<Turn>) -> Self {
        self.server = Some(ModelServer::start(turns));
        self
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn skill(&self, text: &str) {
        let name = text.lines().find_map(|line| line.strip_prefix("name: ")).unwrap();
        let directory = self.folder.path().join("home/skills");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("{name}.yaml")), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fwai"));
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("FWAI_HOME", self.folder.path().join("home"))
            .stdin(Stdio::null())
            .args(arguments);
        if let Some(server) = &self.server {
            command
                .env("FWAI_PROVIDER", "anthropic")
                .env("FWAI_BASE_URL", server.url())
                .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"));
        }
        command
    }

    fn fwai(&self, arguments: &[&str]) -> Command {
        Command::from_std(self.command(arguments))
    }

    /// Runs with `--json`: exit code, the one object, and what was said to people.
    fn json(&self, arguments: &[&str]) -> (i32, Value, String) {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = String::from_utf8(output.stdout).unwrap();
        let object = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{said}"));
        (output.status.code().unwrap(), object, said)
    }

    fn evidence(&self, run: &Value) -> Value {
        let file = self.root().join(".fwai/runs").join(run["run_id"].as_str().unwrap()).join("evidence.json");
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    }

    fn verifies(&self) {
        self.fwai(&["audit", "verify", "--all"]).assert().success();
    }

    fn edit(&self, file: &str, old: &str, new: &str) {
        let path = self.root().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(path, text.replacen(old, new, 1)).unwrap();
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.root().join(".fwai/boards").exists() {
            let _ = self.command(&["board", "power", "off", BOARD]).output();
        }
    }
}

fn steps(object: &Value) -> Vec<(&str, &str)> {
    object["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["name"].as_str().unwrap(), step["status"].as_str().unwrap()))
        .collect()
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs with these words in its command line.
fn runs(words: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.into_iter().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    })
}

fn send(child: &Child, signal: &str) {
    let done = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

fn file_names(directory: &Path) -> Vec<String> {
    fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
