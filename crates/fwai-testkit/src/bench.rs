//! The real program with a scripted model, an empty project and a home of its own.

use crate::model_server::{ModelServer, Scenario};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A place where fwai runs without touching anything else.
pub struct Bench {
    pub directory: tempfile::TempDir,
    pub server: ModelServer,
    more: Vec<(String, String)>,
    has_board: bool,
}

/// What a run of the program said.
#[derive(Debug)]
pub struct Said {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

impl Said {
    /// What `exec --json` printed: one event a line, and nothing else.
    pub fn events(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        self.out.lines().map(parse).collect()
    }

    /// The first event of a kind.
    pub fn event(&self, kind: &str) -> Value {
        let found = self.events().into_iter().find(|event| event["type"] == kind);
        found.unwrap_or_else(|| panic!("no {kind} in {}{}", self.out, self.err))
    }

    /// Everything went well.
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }
}

impl Bench {
    /// A model that plays `scenario`, asked through the wire of Anthropic.
    pub fn new(scenario: impl Into<Scenario>) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        fs::create_dir_all(directory.path().join("project/src")).expect("a new directory is writable");
        Self { directory, server: ModelServer::start(scenario), more: Vec::new(), has_board: false }
    }

    /// A file in the project.
    pub fn file(self, path: &str, text: &str) -> Self {
        self.put(path, text);
        self
    }

    /// Writes a file of the project now.
    pub fn put(&self, path: &str, text: &str) {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a directory")).expect("it can be made");
        fs::write(path, text).expect("the project is writable");
    }

    /// The user's own configuration.
    pub fn user_config(&self, text: &str) {
        self.put("../user/config.yaml", text);
    }

    /// A project that builds for a virtual board.
    pub fn with_firmware(mut self) -> Self {
        let said = self.run(&["init", "--yes", "--template", "bare-metal"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        self.has_board = true;
        self
    }

    /// A further variable of the environment, or another value of one.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.more.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn project(&self) -> PathBuf {
        self.directory.path().join("project")
    }

    /// The whole environment of the program.
    pub fn variables(&self) -> Vec<(String, String)> {
        let home = self.directory.path().display().to_string();
        let mut all: Vec<(String, String)> = [
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("HOME", home.clone()),
            ("FWAI_HOME", format!("{home}/user")),
            ("FWAI_PROVIDER", "anthropic".into()),
            ("FWAI_BASE_URL", self.server.url().to_string()),
            ("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij").into()),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, value) in &self.more {
            all.retain(|(known, _)| known != name);
            all.push((name.clone(), value.clone()));
        }
        all
    }

    /// The program with these arguments, in the project.
    pub fn fwai(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.project()).env_clear().envs(self.variables()).args(arguments);
        command
    }

    /// Runs it to its end without input.
    pub fn run(&self, arguments: &[&str]) -> Said {
        self.run_with(arguments, "")
    }

    /// Runs it to its end, fed by a pipe.
    pub fn run_with(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
        let mut command = self.fwai(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("fwai is built");
        let mut pipe = child.stdin.take().expect("it is piped");
        let bytes = input.as_ref().to_vec();
        // A program that ends early closes its end; that is no failure of the test's.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
        let output = child.wait_with_output().expect("it can be waited for");
        let _ = writer.join();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
    }

    /// The object that a command prints with `--json`; it must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let said = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // A virtual board must not outlive its test, also when that fails.
        if self.has_board {
            let _ = self.fwai(&["board", "power", "off"]).stdin(Stdio::null()).output();
        }
    }
}

/// The program beside the test that runs.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it lies");
    let built = test.parent().and_then(Path::parent).expect("target/<profile>/deps/<test>");
    let program = built.join(format!("fwai{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built; cargo build -p fwai-cli", program.display());
    program
}
