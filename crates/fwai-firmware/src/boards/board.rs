//! What every board can do, whatever stands behind it.
//!
//! A back end that cannot do something says so with [`BoardError::Unsupported`] and the next step, so
//! that flash, monitor and debug need no knowledge of kinds.

use std::{collections::BTreeMap, io, path::PathBuf, time::Duration};

use fwai_schema::{
    board::{BoardDef, BoardKind},
    evidence::{FlashProof, HardwareState},
};

use super::{Image, ImageError, TclError, serial::PortError};
use crate::launch::{BoxFuture, LaunchError};

/// A board: virtual, on the bench, or reached through commands of the user's own.
pub trait Board: Send {
    /// The facts that this board was opened with.
    fn def(&self) -> &BoardDef;

    /// What it is doing, without changing it.
    fn state(&mut self) -> BoxFuture<'_, BoardState>;

    /// Who it is: chip, serial number, whatever the back end can learn without changing it.
    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>>;

    /// Restart the firmware that is on it.
    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>>;

    /// Write the image, prove what can be proved, and let it run.
    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>>;

    /// The console, from the wanted place.
    fn console(&mut self, from: ConsoleFrom) -> BoxFuture<'_, Result<Box<dyn Console>, BoardError>>;

    /// A GDB server for the board, started if need be.
    fn debug_server(&mut self) -> BoxFuture<'_, Result<DebugServer, BoardError>>;

    /// Switch it on or off.
    fn power(&mut self, on: bool) -> BoxFuture<'_, Result<(), BoardError>>;

    /// The core's registers (`R0`…`R15`, `XPSR`) without stopping it, where the back end can tell.
    fn glance(&mut self) -> BoxFuture<'_, Option<BTreeMap<String, u32>>> {
        Box::pin(async { None })
    }

    /// How the target went down, where the back end keeps such a record.
    fn crash(&mut self) -> BoxFuture<'_, Option<Crash>> {
        Box::pin(async { None })
    }
}

/// Bytes from and to the firmware.
pub trait Console: Send {
    /// The next bytes, or what happened instead within `wait`. Safe to cancel.
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>>;

    /// Send bytes to the firmware.
    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>>;
}

/// What came from a console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsoleEvent {
    Bytes(Vec<u8>),
    /// Nothing within the wait.
    Quiet,
    /// The port vanished; the console looks for it and goes on.
    Lost(String),
    /// The port is back.
    Back,
    /// Nothing more will come.
    Ended(String),
    /// The target crashed in a way that only its back end can see.
    Crashed(Box<Crash>),
}

/// Where to start reading a console that keeps what was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ConsoleFrom {
    /// The first byte since the last reset.
    #[default]
    Boot,
    /// What comes from now on.
    Now,
}

/// What a board is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardState {
    Running,
    /// Powered, and the core stands still.
    Halted,
    Off,
    /// The target crashed; the text says how.
    Crashed(String),
    /// Not connected, or its program is not installed.
    Absent(String),
    Unknown,
}

impl BoardState {
    /// One word for tables and JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Halted => "halted",
            Self::Off => "off",
            Self::Crashed(_) => "crashed",
            Self::Absent(_) => "absent",
            Self::Unknown => "unknown",
        }
    }

    /// More than the word, where there is more.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Crashed(text) | Self::Absent(text) => Some(text),
            _ => None,
        }
    }
}

/// Who a board is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    pub chip: Option<String>,
    pub serial_number: Option<String>,
    pub details: BTreeMap<String, String>,
}

impl Identity {
    /// As evidence records it.
    pub fn hardware_state(self, def: &BoardDef) -> HardwareState {
        HardwareState {
            board: def.name.clone(),
            kind: kind_name(def.kind).to_string(),
            chip: self.chip.or_else(|| Some(def.chip.clone()).filter(|chip| !chip.is_empty())),
            serial_number: self.serial_number,
            details: self.details,
        }
    }
}

/// The word that configuration uses for a kind.
pub fn kind_name(kind: BoardKind) -> &'static str {
    match kind {
        BoardKind::Virtual => "virtual",
        BoardKind::Openocd => "openocd",
        BoardKind::ProbeRs => "probe-rs",
        BoardKind::Serial => "serial",
        BoardKind::Command => "command",
    }
}

/// What flashing did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlashReport {
    /// Bytes written.
    pub bytes: u64,
    pub proof: FlashProof,
    /// What the back end's program said, for the log.
    pub log: String,
}

/// Where GDB connects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugServer {
    /// For `target remote`: a socket path or `host:port`.
    pub address: String,
    /// GDB command that resets and halts the core.
    pub reset_command: Option<String>,
    /// The core was started for this session and stands at its first instruction.
    pub fresh: bool,
}

/// How a target went down, from a back end that saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crash {
    /// One sentence.
    pub summary: String,
    /// `R0`…`R15`, `XPSR` at the end.
    pub registers: BTreeMap<String, u32>,
    /// As the back end printed it.
    pub text: String,
}

/// Why a board did not do what was asked.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum BoardError {
    #[error("board {board} cannot {what}: {hint}")]
    Unsupported { board: String, what: &'static str, hint: String },
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error(transparent)]
    Tcl(#[from] TclError),
    #[error("{what} {}: {source}", path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error("board {board} has no image yet; build and run `fwai flash` first")]
    NoImage { board: String },
    #[error("board {board} is off; `fwai board power on` starts it, `fwai flash` gives it a new image")]
    Off { board: String },
    #[error("{program} did not start board {board}: {output}")]
    NotStarted { program: String, board: String, output: String },
    #[error("board {board} does not answer: {what}; `fwai board power off` and `on` start it afresh")]
    Silent { board: String, what: String },
    #[error("board {board} is in use by another fwai ({what}); wait for it or end that command")]
    Busy { board: String, what: String },
    #[error("flashing board {board} failed: {what}")]
    Flash { board: String, what: String },
    #[error("the console of board {board} failed: {what}")]
    Console { board: String, what: String },
    #[error("the name of board `{name}` may only hold letters, digits, `.`, `_` and `-`")]
    BadName { name: String },
    #[error("board {board} says kind {kind} but has no `{section}` section; add one to its YAML file")]
    Incomplete { board: String, kind: &'static str, section: &'static str },
}

impl BoardError {
    /// For `map_err` on file operations.
    pub(crate) fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { what, path, source }
    }
}
