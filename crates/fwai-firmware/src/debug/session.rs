//! [`DebugSession`]: a board, its ELF and a GDB that is replaced when it hangs or dies.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    gdb::{Answer, Gdb, GdbError, find_program},
    identity::{self, Match},
    mi::quoted,
};
use crate::{
    boards::{Board, BoardError, Crash, DebugServer, Image, ImageError},
    elf::{ElfImage, Symbolizer},
    launch::{Grants, Launcher},
};

/// Who types the commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trust {
    /// Everything that GDB can do.
    #[default]
    Person,
    /// Only what concerns the target; nothing that reaches this computer.
    Model,
}

/// How to debug.
#[derive(Debug, Clone)]
pub struct DebugOptions {
    pub elf: PathBuf,
    /// GDB program; found by itself where absent.
    pub gdb: Option<String>,
    /// CMSIS-SVD file for `peripheral`.
    pub svd: Option<PathBuf>,
    pub trust: Trust,
    /// For each command that does not run the target.
    pub limit: Duration,
    /// For each command that does.
    pub run_limit: Duration,
    /// Leave the core where it is: never reset by itself.
    pub attach: bool,
    /// Debug even though the ELF is not what runs.
    pub allow_other_elf: bool,
}

impl DebugOptions {
    pub fn new(elf: impl Into<PathBuf>) -> Self {
        Self {
            elf: elf.into(),
            gdb: None,
            svd: None,
            trust: Trust::Person,
            limit: Duration::from_secs(10),
            run_limit: Duration::from_secs(15),
            attach: false,
            allow_other_elf: false,
        }
    }
}

/// Why a session did not start.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum DebugError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error(transparent)]
    Gdb(#[from] GdbError),
    #[error("GDB cannot read {}: {what}", elf.display())]
    Symbols { elf: PathBuf, what: String },
    #[error("GDB cannot connect to board {board} at {address}: {what}")]
    Connect { board: String, address: String, what: String },
    #[error(
        "{} is not what board {board} runs: {what}; `fwai flash` puts it there, or debug the ELF that was flashed",
        elf.display()
    )]
    OtherElf { elf: PathBuf, board: String, what: String },
}

/// A debugging session that outlives its GDB.
pub struct DebugSession {
    pub(super) options: DebugOptions,
    pub(super) server: DebugServer,
    pub(super) symbols: Symbolizer,
    /// How the target went down before the session, where the board saw it.
    pub(super) crash: Option<Crash>,
    /// MI commands that set what must be there again in the next GDB.
    pub(super) to_restore: Vec<String>,
    /// The target was started by a command of this session.
    pub(super) ran: bool,
    /// What the ELF was compared by.
    pub identity: String,
    board: String,
    image: Image,
    root: PathBuf,
    launcher: Arc<dyn Launcher>,
    gdb: Option<Gdb>,
}

impl DebugSession {
    /// Connect to the board; the core stands still afterwards.
    pub async fn start(
        board: &mut dyn Board,
        options: DebugOptions,
        root: &Path,
        launcher: Arc<dyn Launcher>,
    ) -> Result<Self, DebugError> {
        let image = Image::read(&options.elf, None)?;
        let elf = ElfImage::open(&options.elf)
            .map_err(|error| DebugError::Symbols { elf: options.elf.clone(), what: error.to_string() })?;
        let crash = board.crash().await;
        let server = board.debug_server().await?;
        let mut session = Self {
            server,
            symbols: Symbolizer::new(Arc::new(elf)),
            crash,
            to_restore: Vec::new(),
            ran: false,
            identity: String::new(),
            board: board.def().name.clone(),
            image,
            root: root.to_path_buf(),
            launcher,
            gdb: None,
            options,
        };
        session.connect().await?;
        Ok(session)
    }

    pub fn symbols(&self) -> &Symbolizer {
        &self.symbols
    }

    pub fn build_id(&self) -> Option<&str> {
        self.image.build_id.as_deref()
    }

    async fn connect(&mut self) -> Result<(), DebugError> {
        let program = find_program(self.options.gdb.as_deref())?;
        let elf = std::path::absolute(&self.options.elf).unwrap_or_else(|_| self.options.elf.clone());
        let grants = Grants {
            loopback: true,
            ports: self
                .server
                .address
                .rsplit_once(':')
                .and_then(|(_, port)| port.parse().ok())
                .into_iter()
                .collect(),
            read: vec![elf.clone()],
            // A server behind a socket file is reached by writing to it.
            write: Path::new(&self.server.address)
                .parent()
                .filter(|p| p.is_absolute())
                .map(PathBuf::from)
                .into_iter()
                .collect(),
            ..Grants::default()
        };
        let mut gdb = Gdb::start(&*self.launcher, &program, &self.root, grants).await?;
        let load = format!("-file-exec-and-symbols {}", quoted(&elf.display().to_string()));
        gdb.command(&load, Duration::from_secs(60)).await.map_err(|error| match error {
            GdbError::Refused { message, .. } => DebugError::Symbols { elf: elf.clone(), what: message },
            other => other.into(),
        })?;
        let select = format!("-target-select remote {}", self.server.address);
        gdb.command(&select, Duration::from_secs(15)).await.map_err(|error| match error {
            GdbError::Refused { message, .. } => DebugError::Connect {
                board: self.board.clone(),
                address: self.server.address.clone(),
                what: message,
            },
            other => other.into(),
        })?;
        // The stop that connecting makes is not news.
        let _ = gdb.wait_for_stop(Duration::from_secs(5)).await?;
        match identity::compare(&mut gdb, &self.image).await? {
            Match::Same(what) => self.identity = what,
            Match::Unknown => self.identity = "nothing of the ELF could be compared".into(),
            Match::Different(what) if self.options.allow_other_elf => {
                self.identity = format!("another ELF: {what}")
            }
            Match::Different(what) => {
                gdb.quit().await;
                return Err(DebugError::OtherElf { elf, board: self.board.clone(), what });
            }
        }
        for command in &self.to_restore {
            gdb.command(command, self.options.limit).await?;
        }
        self.gdb = Some(gdb);
        Ok(())
    }

    /// The GDB of this session, a new one when the last has hung or died.
    pub(super) async fn gdb(&mut self) -> Result<&mut Gdb, DebugError> {
        if !self.gdb.as_ref().is_some_and(Gdb::alive) {
            self.gdb = None;
            self.connect().await?;
        }
        Ok(self.gdb.as_mut().expect("just connected"))
    }

    /// Run one MI command within the session's limit.
    pub(super) async fn mi(&mut self, command: &str) -> Result<Answer, DebugError> {
        let limit = self.options.limit;
        Ok(self.gdb().await?.command(command, limit).await?)
    }

    /// Run a command as a person would type it, and return what was printed.
    pub(super) async fn console(&mut self, command: &str) -> Result<String, DebugError> {
        let answer = self.mi(&format!("-interpreter-exec console {}", quoted(command))).await?;
        Ok(answer.console)
    }

    /// Bytes of the target's memory.
    pub async fn read_memory(&mut self, address: u64, count: usize) -> Result<Vec<u8>, DebugError> {
        Ok(identity::read_memory(self.gdb().await?, address, count).await?)
    }

    /// A word of the target's memory; `None` where it cannot be read.
    pub(super) async fn read_word(&mut self, address: u64) -> Result<Option<u32>, DebugError> {
        match self.read_memory(address, 4).await {
            Ok(bytes) => Ok(bytes.try_into().ok().map(u32::from_le_bytes)),
            Err(DebugError::Gdb(GdbError::Refused { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Let go of the board; it runs on.
    pub async fn close(mut self) {
        if let Some(gdb) = self.gdb.take() {
            gdb.quit().await;
        }
    }
}
