//! The command that runs behind the walls.

use std::{ffi::OsString, os::fd::OwnedFd, path::PathBuf};

/// A program with its arguments, environment and streams.
#[derive(Debug)]
pub struct SandboxCommand {
    pub program: OsString,
    pub args: Vec<OsString>,
    /// Where it starts; the project's root where absent.
    pub cwd: Option<PathBuf>,
    /// Set, or with `None` removed, on top of what fwai's environment passes on.
    pub env: Vec<(OsString, Option<OsString>)>,
    pub stdin: Stdio,
    pub stdout: Stdio,
    pub stderr: Stdio,
    /// Lives on when its handle is dropped and when fwai ends.
    pub detached: bool,
}

/// Where a stream goes.
#[derive(Debug, Default)]
pub enum Stdio {
    #[default]
    Null,
    Piped,
    Inherit,
    /// For standard error: the same pipe or file as standard output.
    WithStdout,
    Fd(OwnedFd),
}

impl SandboxCommand {
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            cwd: None,
            env: Vec::new(),
            stdin: Stdio::Null,
            stdout: Stdio::Piped,
            stderr: Stdio::Piped,
            detached: false,
        }
    }

    /// A line for bash, or for `sh` where there is no bash.
    pub fn shell(line: impl Into<OsString>) -> Self {
        let shell = if std::path::Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" };
        Self::new(shell).arg("-c").arg(line)
    }

    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.args.push(argument.into());
        self
    }

    pub fn args<S: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cwd = Some(directory.into());
        self
    }

    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    pub fn stdin(mut self, stream: Stdio) -> Self {
        self.stdin = stream;
        self
    }

    pub fn stdout(mut self, stream: Stdio) -> Self {
        self.stdout = stream;
        self
    }

    pub fn stderr(mut self, stream: Stdio) -> Self {
        self.stderr = stream;
        self
    }
}
