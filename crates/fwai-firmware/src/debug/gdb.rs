//! The GDB process: commands with tokens and time limits, over pipes.
//!
//! GDB may hang, die, or answer late. Each command has a limit; when it passes, the process is killed and
//! the error says so; the session on top starts another one.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    sync::mpsc,
    time::{Instant, timeout_at},
};

use super::mi::{Record, Value};
use crate::launch::{Child, Grants, LaunchError, LaunchSpec, Launcher, Stream};

/// Programs that can debug Arm, in the order in which they are tried.
pub const PROGRAMS: [&str; 3] = ["arm-none-eabi-gdb", "gdb-multiarch", "gdb"];

/// Output kept for one command; beyond it only the fact that there was more.
const LONGEST_OUTPUT: usize = 256 * 1024;

/// Why GDB did not answer as wanted.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum GdbError {
    #[error("no GDB is installed (tried {}); install gdb-multiarch, or set `debug.gdb` in .fwai/project.yaml", PROGRAMS.join(", "))]
    NotInstalled,
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(
        "GDB did not answer `{command}` within {limit:?}; it was ended, and the next command starts another one"
    )]
    Hung { command: String, limit: Duration },
    #[error("GDB ended during `{command}`{}; the next command starts another one", said(.output))]
    Died { command: String, output: String },
    #[error("{message}")]
    Refused { command: String, message: String },
}

fn said(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(": {}", output.trim()) }
}

/// What a command gave.
#[derive(Debug, Clone)]
pub struct Answer {
    pub class: String,
    pub results: Value,
    /// What a person would have seen.
    pub console: String,
}

/// A running GDB.
pub struct Gdb {
    child: Child,
    input: Box<dyn AsyncWrite + Send + Sync + Unpin>,
    records: mpsc::UnboundedReceiver<Record>,
    next_token: u64,
    /// The last `*stopped` that nobody asked for yet.
    stopped: Option<Value>,
    running: bool,
    dead: bool,
}

impl Gdb {
    /// Start the program in `cwd`, without reading anybody's init files.
    pub async fn start(
        launcher: &dyn Launcher,
        program: &str,
        cwd: &Path,
        grants: Grants,
    ) -> Result<Self, GdbError> {
        // Scripts inside an ELF or beside it would run as the user; symbols must come without code.
        let argv = [
            program,
            "--interpreter=mi3",
            "-nx",
            "-nh",
            "-q",
            "-iex",
            "set auto-load off",
            "-iex",
            "set auto-load safe-path /nonexistent",
            "-iex",
            "set debuginfod enabled off",
            "-iex",
            "set index-cache enabled off",
        ];
        let spec = LaunchSpec::argv(argv, cwd)
            .grants(grants)
            .streams(Stream::Piped, Stream::Piped, Stream::WithStdout)
            .env("TERM", "dumb");
        let mut child = launcher.launch(spec).await?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GdbError::Died { command: program.to_string(), output: "it has no pipes".into() });
        };
        let (sender, records) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut lines = BufReader::new(output);
            let mut line = Vec::new();
            while let Ok(1..) = lines.read_until(b'\n', &mut line).await {
                if sender.send(Record::parse(&String::from_utf8_lossy(&line))).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let mut gdb =
            Self { child, input, records, next_token: 1, stopped: None, running: false, dead: false };
        for setting in [
            "mi-async on",
            "pagination off",
            "confirm off",
            "width 0",
            "height 0",
            "print elements 400",
            "backtrace past-main on",
        ] {
            gdb.command(&format!("-gdb-set {setting}"), Duration::from_secs(20)).await?;
        }
        Ok(gdb)
    }

    /// Whether the process can still be spoken to.
    pub fn alive(&self) -> bool {
        !self.dead
    }

    /// Whether the target runs, as far as GDB has said.
    pub fn target_runs(&self) -> bool {
        self.running
    }

    /// Run an MI command and wait for its answer.
    pub async fn command(&mut self, command: &str, limit: Duration) -> Result<Answer, GdbError> {
        if self.dead {
            return Err(GdbError::Died {
                command: command.to_string(),
                output: "it had ended before".into(),
            });
        }
        // A line break would smuggle a second command in.
        let command = command.replace(['\n', '\r'], " ");
        let token = self.next_token;
        self.next_token += 1;
        let deadline = Instant::now() + limit;
        let line = format!("{token}{command}\n");
        let sent = timeout_at(deadline, async {
            self.input.write_all(line.as_bytes()).await?;
            self.input.flush().await
        });
        match sent.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(self.died(&command, error.to_string())),
            Err(_) => return Err(self.hung(&command, limit)),
        }
        let mut console = String::new();
        loop {
            let record = match timeout_at(deadline, self.records.recv()).await {
                Err(_) => return Err(self.hung(&command, limit)),
                Ok(None) => return Err(self.died(&command, console)),
                Ok(Some(record)) => record,
            };
            match record {
                Record::Result { token: Some(answered), class, results } if answered == token => {
                    return match class.as_str() {
                        "error" => {
                            let message = results.text("msg").unwrap_or("GDB gave no reason").to_string();
                            Err(GdbError::Refused { command, message })
                        }
                        _ => {
                            if class == "running" {
                                self.running = true;
                                self.stopped = None;
                            }
                            Ok(Answer { class, results, console })
                        }
                    };
                }
                Record::Console(text) | Record::Target(text) | Record::Log(text) => keep(&mut console, &text),
                Record::Other(text) if !text.trim().is_empty() => keep(&mut console, &format!("{text}\n")),
                other => self.note(other),
            }
        }
    }

    /// Wait until the target stops; `None` when it still runs at the limit.
    pub async fn wait_for_stop(&mut self, limit: Duration) -> Result<Option<Value>, GdbError> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(stopped) = self.stopped.take() {
                return Ok(Some(stopped));
            }
            match timeout_at(deadline, self.records.recv()).await {
                Err(_) => return Ok(None),
                Ok(None) => return Err(self.died("waiting for a stop", String::new())),
                Ok(Some(record)) => self.note(record),
            }
        }
    }

    fn note(&mut self, record: Record) {
        if let Record::Exec { class, results } = record {
            self.running = class == "running";
            self.stopped = (class == "stopped").then_some(results);
        }
    }

    fn hung(&mut self, command: &str, limit: Duration) -> GdbError {
        self.end();
        GdbError::Hung { command: command.to_string(), limit }
    }

    fn died(&mut self, command: &str, output: String) -> GdbError {
        self.end();
        GdbError::Died { command: command.to_string(), output }
    }

    fn end(&mut self) {
        self.dead = true;
        // Nothing more to do if it cannot be killed; dropping the handle tries again.
        let _ = self.child.kill_tree();
    }

    /// Let go of the target and end; a GDB that does not is killed with its handle.
    pub async fn quit(mut self) {
        if self.dead {
            return;
        }
        let patience = Duration::from_secs(2);
        let _ = self.command("-target-detach", patience).await;
        let _ = self.command("-gdb-exit", patience).await;
        let _ = tokio::time::timeout(patience, self.child.wait()).await;
    }
}

fn keep(console: &mut String, text: &str) {
    if console.len() + text.len() <= LONGEST_OUTPUT {
        console.push_str(text);
    } else if !console.ends_with("[cut]\n") {
        console.push_str("\n[cut]\n");
    }
}

/// The GDB to use: the project's own, else the first that is installed.
pub fn find_program(chosen: Option<&str>) -> Result<String, GdbError> {
    if let Some(chosen) = chosen {
        return Ok(chosen.to_string());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    PROGRAMS
        .iter()
        .find(|program| folders.iter().any(|folder| folder.join(program).is_file()))
        .map(|program| program.to_string())
        .ok_or(GdbError::NotInstalled)
}
