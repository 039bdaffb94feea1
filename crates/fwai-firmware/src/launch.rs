//! The one door through which this crate starts child processes.
//!
//! A [`LaunchSpec`] says what runs, where, with which pipes and what it needs from the world
//! ([`Grants`]); a [`Launcher`] turns it into a [`Child`]. [`PlainLauncher`] starts processes as they
//! are; `fwai-tools` implements the trait with a sandbox around every child. Operations take
//! `&dyn Launcher` and never a `Command` of their own.

mod plain;
mod run;
#[cfg(test)]
mod tests;

use std::{ffi::OsString, future::Future, io, path::PathBuf, pin::Pin, time::Duration};

use tokio::io::{AsyncRead, AsyncWrite};

pub use plain::PlainLauncher;
pub use run::{Finished, run};
pub use tokio_util::sync::CancellationToken;

/// A boxed future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Starts child processes.
pub trait Launcher: Send + Sync {
    /// Start the process. The child dies with its handle unless the spec says [`LaunchSpec::detached`].
    fn launch(&self, spec: LaunchSpec) -> BoxFuture<'_, Result<Child, LaunchError>>;
}

/// What is run: a shell line of the user's, or a program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// Given to `/bin/sh -c`.
    Shell(String),
    /// Program and arguments; no shell reads them.
    Argv(Vec<OsString>),
}

/// Where one of the child's three streams goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stream {
    /// `/dev/null`.
    #[default]
    Null,
    /// A pipe in the [`Child`].
    Piped,
    /// The stream of this process.
    Inherit,
    /// For standard error only: the same pipe as standard output, so that lines keep their order.
    WithStdout,
}

/// What the child needs beyond the project directory. A launcher with walls opens only these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// Any network but loopback.
    pub network: bool,
    /// Sockets on loopback. Behind walls it is a loopback of the child's own, unless `ports` are named.
    pub loopback: bool,
    /// TCP ports of the machine's loopback that the child may reach or serve (a GDB server).
    pub ports: Vec<u16>,
    /// Device nodes such as `/dev/ttyACM0`, readable and writable.
    pub devices: Vec<PathBuf>,
    /// Further paths to read.
    pub read: Vec<PathBuf>,
    /// Further paths to write.
    pub write: Vec<PathBuf>,
}

/// Everything that is said about a process before it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchSpec {
    pub program: Program,
    pub cwd: PathBuf,
    /// Added to the inherited environment; `None` removes a variable.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Time after which [`Child::wait`] kills the whole tree.
    pub timeout: Option<Duration>,
    pub grants: Grants,
    /// Known to change nothing, so that walls may keep everything read-only.
    pub only_reads: bool,
    pub stdin: Stream,
    pub stdout: Stream,
    pub stderr: Stream,
    /// The process lives on when its handle is dropped and when this program ends (a virtual board).
    pub detached: bool,
}

impl LaunchSpec {
    /// A shell line in `cwd`, with no streams.
    pub fn shell(line: impl Into<String>, cwd: impl Into<PathBuf>) -> Self {
        Self::new(Program::Shell(line.into()), cwd.into())
    }

    /// A program with arguments in `cwd`, with no streams.
    pub fn argv<S: Into<OsString>>(argv: impl IntoIterator<Item = S>, cwd: impl Into<PathBuf>) -> Self {
        Self::new(Program::Argv(argv.into_iter().map(Into::into).collect()), cwd.into())
    }

    fn new(program: Program, cwd: PathBuf) -> Self {
        Self {
            program,
            cwd,
            env: Vec::new(),
            timeout: None,
            grants: Grants::default(),
            only_reads: false,
            stdin: Stream::Null,
            stdout: Stream::Null,
            stderr: Stream::Null,
            detached: false,
        }
    }

    /// Set an environment variable.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Limit the run time.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Say what the child needs.
    pub fn grants(mut self, grants: Grants) -> Self {
        self.grants = grants;
        self
    }

    /// Say whether it is known to change nothing.
    pub fn only_reads(mut self, only_reads: bool) -> Self {
        self.only_reads = only_reads;
        self
    }

    /// Choose the streams: standard input, output, error.
    pub fn streams(mut self, stdin: Stream, stdout: Stream, stderr: Stream) -> Self {
        (self.stdin, self.stdout, self.stderr) = (stdin, stdout, stderr);
        self
    }

    /// Let the process outlive its handle.
    pub fn detached(mut self) -> Self {
        self.detached = true;
        self
    }

    /// The command as a person would type it, for logs and errors.
    pub fn command_line(&self) -> String {
        match &self.program {
            Program::Shell(line) => line.clone(),
            Program::Argv(argv) => {
                let words: Vec<String> = argv.iter().map(|word| quoted(&word.to_string_lossy())).collect();
                words.join(" ")
            }
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Why a process did not start.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum LaunchError {
    #[error("cannot start `{command}` in {}: {source}", cwd.display())]
    Spawn { command: String, cwd: PathBuf, source: io::Error },
    #[error("`{program}` is not installed or not on PATH; run `fwai doctor` to see how to get it")]
    NotFound { program: String },
    #[error("the working directory {} does not exist", cwd.display())]
    NoDirectory { cwd: PathBuf },
    #[error("the command line is empty; set one in .fwai/project.yaml")]
    Empty,
    /// A wall could not be put up, or policy forbids the command.
    #[error("{0}")]
    Refused(String),
}

/// How a process ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exit {
    /// Exit code; absent when a signal ended it.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// The spec's time limit ended it.
    pub timed_out: bool,
    /// The caller's cancellation ended it.
    pub cancelled: bool,
}

impl Exit {
    /// Exit code 0, and nobody stopped it.
    pub fn success(&self) -> bool {
        self.code == Some(0) && !self.timed_out && !self.cancelled
    }
}

impl From<std::process::ExitStatus> for Exit {
    fn from(status: std::process::ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        Self { code: status.code(), signal: status.signal(), ..Self::default() }
    }
}

/// What a process and everything that it starts may have together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Memory,
    Processor,
}

/// The part of a running process that each launcher implements.
pub trait ChildControl: Send + Sync {
    /// Process id, as long as the process was not waited for.
    fn pid(&self) -> Option<u32>;
    /// Wait for the end. Safe to cancel and to call again.
    fn wait(&mut self) -> BoxFuture<'_, io::Result<Exit>>;
    /// SIGINT to the tree, so that it may end in good order.
    fn interrupt(&mut self) -> io::Result<()>;
    /// SIGKILL to the process and everything that it started.
    fn kill_tree(&mut self) -> io::Result<()>;
    /// Protected paths that it made and that were removed when it ended.
    fn removed(&self) -> &[PathBuf] {
        &[]
    }
    /// What its processes together had too much of, and were ended for.
    fn overran(&self) -> Option<Bound> {
        None
    }
}

/// A running process. Dropping it kills the tree unless it was started detached.
pub struct Child {
    pub stdin: Option<Box<dyn AsyncWrite + Send + Sync + Unpin>>,
    pub stdout: Option<Box<dyn AsyncRead + Send + Sync + Unpin>>,
    pub stderr: Option<Box<dyn AsyncRead + Send + Sync + Unpin>>,
    control: Box<dyn ChildControl>,
    deadline: Option<tokio::time::Instant>,
    ended: Option<Exit>,
    timed_out: bool,
}

impl Child {
    /// Wrap a started process; `timeout` counts from now.
    pub fn new(control: Box<dyn ChildControl>, timeout: Option<Duration>) -> Self {
        Self {
            stdin: None,
            stdout: None,
            stderr: None,
            control,
            deadline: timeout.map(|limit| tokio::time::Instant::now() + limit),
            ended: None,
            timed_out: false,
        }
    }

    /// Process id, as long as the process was not waited for.
    pub fn pid(&self) -> Option<u32> {
        self.control.pid()
    }

    /// Wait for the end; past the time limit the whole tree is killed. Safe to cancel and to call again.
    pub async fn wait(&mut self) -> io::Result<Exit> {
        if let Some(exit) = self.ended {
            return Ok(exit);
        }
        let exit = match self.deadline.filter(|_| !self.timed_out) {
            None => self.control.wait().await?,
            Some(deadline) => match tokio::time::timeout_at(deadline, self.control.wait()).await {
                Ok(exit) => exit?,
                Err(_) => {
                    self.timed_out = true;
                    self.control.kill_tree()?;
                    self.control.wait().await?
                }
            },
        };
        let exit = Exit { timed_out: self.timed_out, ..exit };
        self.ended = Some(exit);
        Ok(exit)
    }

    /// Whether the process has ended, without waiting.
    pub async fn try_wait(&mut self) -> io::Result<Option<Exit>> {
        match tokio::time::timeout(Duration::ZERO, self.wait()).await {
            Ok(exit) => exit.map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Protected paths that it made and that were removed when it ended.
    pub fn removed(&self) -> &[PathBuf] {
        self.control.removed()
    }

    /// What its processes together had too much of, and were ended for.
    pub fn overran(&self) -> Option<Bound> {
        self.control.overran()
    }

    /// SIGINT to the tree.
    pub fn interrupt(&mut self) -> io::Result<()> {
        self.control.interrupt()
    }

    /// SIGKILL to the tree. Call [`Child::wait`] afterwards to learn how it ended.
    pub fn kill_tree(&mut self) -> io::Result<()> {
        self.control.kill_tree()
    }
}
