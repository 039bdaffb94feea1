//! The git program with a directory of our own and nobody's settings.

use super::SnapshotError;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Runs git commands on one shadow directory.
#[derive(Debug, Clone)]
pub struct Git {
    directory: PathBuf,
    root: PathBuf,
}

impl Git {
    pub fn new(directory: &Path, root: &Path) -> Self {
        Self { directory: directory.to_owned(), root: root.to_owned() }
    }

    /// What a command prints.
    pub fn run(&self, arguments: &[&str]) -> Result<String, SnapshotError> {
        self.run_with_input(arguments, "")
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Result<String, SnapshotError> {
        let failed = |message: String| SnapshotError::Git { command: arguments[0].to_owned(), message };
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&self.root);
        // Nothing of the environment may point git elsewhere or make it run a program.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command
            .env("GIT_DIR", &self.directory)
            .env("GIT_WORK_TREE", &self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C");
        let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
        let mut child =
            command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
                if error.kind() == std::io::ErrorKind::NotFound {
                    SnapshotError::NoGit
                } else {
                    failed(error.to_string())
                }
            })?;
        if let Some(mut stdin) = child.stdin.take() {
            let text = input.to_owned();
            // Written beside the reading, so that neither side waits for the other.
            std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        }
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }
    }
}
