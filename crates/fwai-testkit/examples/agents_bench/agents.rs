//! How each agent is started on the scripted server, with its own walls on and nothing to ask.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// An agent that can be measured.
pub struct Agent {
    pub name: &'static str,
    program: PathBuf,
    start: fn(&mut Command, home: &Path, server: &str),
}

impl Agent {
    pub fn fwai(program: &str) -> Self {
        Self { name: "fwai", program: program.into(), start: fwai }
    }

    /// The least that an agent can be: ask, run, answer.
    pub fn bare_loop() -> Self {
        Self { name: "bare loop", program: "python3".into(), start: bare_loop }
    }

    /// The agents that this npm directory holds.
    pub fn installed(directory: &Path) -> Vec<Self> {
        let program = |name: &str| directory.join("node_modules/.bin").join(name);
        vec![
            Self { name: "codex", program: program("codex"), start: codex },
            Self { name: "claude", program: program("claude"), start: claude },
            Self { name: "pi", program: program("pi"), start: pi },
        ]
    }

    /// A fresh start in `project`; its own files go under `home`.
    pub fn command(&self, project: &Path, home: &Path, server: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(project).env("HOME", home).env_remove("CI");
        (self.start)(&mut command, home, server);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// A key that no server knows; in parts, so that no scanner takes it for one.
fn key() -> String {
    ["sk", "bench", "0123456789"].join("-")
}

fn fwai(command: &mut Command, home: &Path, server: &str) {
    command
        .args(["exec", "--json", "--mode", "auto", "--max-turns", "10000", "go"])
        .env("FWAI_HOME", home.join("fwai"))
        .env("FWAI_PROVIDER", "anthropic")
        .env("FWAI_BASE_URL", server)
        .env("ANTHROPIC_API_KEY", key());
}

fn bare_loop(command: &mut Command, _: &Path, server: &str) {
    command.args(["-c", include_str!("bare_loop.py"), server]);
}

fn codex(command: &mut Command, home: &Path, server: &str) {
    let home = home.join("codex");
    let config = format!(
        "model = \"gpt-5\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\n\
         base_url = \"{server}/v1\"\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n"
    );
    write(&home.join("config.toml"), &config);
    command
        .args(["exec", "--skip-git-repo-check", "--json", "--sandbox", "workspace-write", "go"])
        .env("CODEX_HOME", home)
        .env("SCRIPTED_KEY", key());
}

fn claude(command: &mut Command, home: &Path, server: &str) {
    command
        .args(["--print", "go", "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose"])
        .env("CLAUDE_CONFIG_DIR", home.join("claude"))
        .env("ANTHROPIC_BASE_URL", server)
        .env("ANTHROPIC_API_KEY", key())
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
}

fn pi(command: &mut Command, home: &Path, server: &str) {
    let home = home.join("pi");
    let models = format!(
        r#"{{"providers": {{"scripted": {{"baseUrl": "{server}", "apiKey": "{}", "api": "anthropic-messages",
            "models": [{{"id": "test-model"}}]}}}}}}"#,
        key()
    );
    write(&home.join("models.json"), &models);
    command
        .args(["--print", "--provider", "scripted", "--model", "test-model", "--offline", "go"])
        .env("PI_CODING_AGENT_DIR", home)
        .env("PI_OFFLINE", "1");
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file in a directory")).expect("a writable home");
    fs::write(path, text).expect("a writable home");
}
