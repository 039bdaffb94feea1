//! A new project on a virtual board with a scripted model beside it, for tests of whole jobs.
#![allow(dead_code)]

use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::Value;
use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// A bare-metal project made by the program itself. Dropping it ends its QEMU, also when a test panics.
pub struct BoardProject {
    folder: tempfile::TempDir,
    pub server: ModelServer,
}

impl BoardProject {
    pub fn new(turns: Vec<Turn>) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap(), server: ModelServer::start(turns) };
        std::fs::create_dir(project.root()).unwrap();
        let output = project.run(&["init", "--template", "bare-metal", "--yes"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        project
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Changes a file of the project.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.root().join(file);
        let before = std::fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{file} has no {from:?}:\n{before}");
        std::fs::write(path, before.replacen(from, to, 1)).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("FWAI_HOME", self.folder.path().join("user"))
            .env("FWAI_PROVIDER", "anthropic")
            .env("FWAI_BASE_URL", self.server.url())
            .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// The program with lines on its standard input.
    pub fn piped(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Exit code and the one object of `--json`.
    pub fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.run(&[arguments, &["--json"]].concat());
        let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {}{}", text(&output.stdout), text(&output.stderr))
        });
        (output.status.code().unwrap(), value)
    }

    /// Every run on record, oldest first.
    pub fn evidence(&self) -> Vec<Value> {
        let Ok(runs) = std::fs::read_dir(self.root().join(".fwai/runs")) else { return Vec::new() };
        let mut runs: Vec<PathBuf> = runs.map(|run| run.unwrap().path().join("evidence.json")).collect();
        runs.sort();
        let read = |path: &PathBuf| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok();
        runs.iter().filter_map(read).collect()
    }

    /// The evidence of the run that a command or tool named.
    pub fn run_named(&self, id: &str) -> Value {
        let path = self.root().join(format!(".fwai/runs/{id}/evidence.json"));
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{id}: {error}")))
            .unwrap()
    }

    /// Every record of the project holds.
    pub fn assert_verified(&self, at_least: u64) {
        let (code, verified) = self.json(&["audit", "verify", "--all"]);
        assert_eq!((code, &verified["ok"]), (0, &Value::Bool(true)), "{verified}");
        assert!(verified["runs"].as_u64().unwrap() >= at_least, "{verified}");
    }
}

impl Drop for BoardProject {
    fn drop(&mut self) {
        let _ = self.run(&["board", "power", "off"]);
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Events of `exec --json`.
pub fn events(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
