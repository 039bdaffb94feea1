//! The console of a virtual board, read from QEMU's own log of it.
//!
//! QEMU writes every byte to the log before anybody connects, so a reader that comes late or slowly loses
//! nothing. The socket only carries what is sent to the firmware; what comes back on it is drained.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixStream, unix::OwnedWriteHalf},
    time::{Instant, sleep, timeout},
};

use super::{command_line::LARGEST_LOG, crash, directory::Directory, process::ProcessId};
use crate::{
    boards::{BoardError, Console, ConsoleEvent},
    launch::BoxFuture,
};

const CHUNK: usize = 256 * 1024;
const SEND_PATIENCE: Duration = Duration::from_secs(5);

/// Reads the log as it grows.
pub struct LogConsole {
    board: String,
    directory: Directory,
    process: ProcessId,
    log: File,
    at: u64,
    sender: Option<OwnedWriteHalf>,
    ended: bool,
}

impl LogConsole {
    pub fn open(board: &str, directory: Directory, process: ProcessId, at: u64) -> Result<Self, BoardError> {
        let path = directory.console_log();
        let mut log = File::open(&path).map_err(BoardError::file("cannot open", &path))?;
        log.seek(SeekFrom::Start(at)).map_err(BoardError::file("cannot read", &path))?;
        Ok(Self { board: board.to_string(), directory, process, log, at, sender: None, ended: false })
    }

    fn read(&mut self) -> Result<Vec<u8>, BoardError> {
        let mut buffer = vec![0; CHUNK];
        let count = self
            .log
            .read(&mut buffer)
            .map_err(BoardError::file("cannot read", self.directory.console_log()))?;
        self.at += count as u64;
        buffer.truncate(count);
        Ok(buffer)
    }

    async fn wait_for_bytes(&mut self, wait: Duration) -> Result<ConsoleEvent, BoardError> {
        let deadline = Instant::now() + wait;
        let mut pause = Duration::from_millis(1);
        loop {
            // Asked before the log is read: what QEMU wrote before its end is then surely seen.
            let alive = self.process.alive();
            let bytes = self.read()?;
            if !bytes.is_empty() {
                return Ok(ConsoleEvent::Bytes(bytes));
            }
            if self.ended || !alive {
                return Ok(self.end());
            }
            if self.at >= LARGEST_LOG {
                self.ended = true;
                let what = format!(
                    "{} is full; `fwai board reset` starts a new one",
                    self.directory.console_log().display()
                );
                return Ok(ConsoleEvent::Ended(what));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(ConsoleEvent::Quiet);
            }
            sleep(pause.min(left)).await;
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    fn end(&mut self) -> ConsoleEvent {
        let log = std::fs::read(self.directory.qemu_log()).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        match crash::parse(&log) {
            Some(crash) if !self.ended => {
                self.ended = true;
                ConsoleEvent::Crashed(Box::new(crash))
            }
            _ => {
                self.ended = true;
                let last =
                    log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
                ConsoleEvent::Ended(format!(
                    "QEMU of board {} ended ({}); `fwai board power on` starts it again",
                    self.board,
                    last.trim()
                ))
            }
        }
    }

    async fn connect(&mut self) -> Result<&mut OwnedWriteHalf, BoardError> {
        if self.sender.is_none() {
            let path = self.directory.socket("serial.sock");
            let stream =
                UnixStream::connect(&path).await.map_err(BoardError::file("cannot connect to", &path))?;
            let (mut receive, send) = stream.into_split();
            tokio::spawn(async move {
                let mut unused = [0; 4096];
                while matches!(receive.read(&mut unused).await, Ok(1..)) {}
            });
            self.sender = Some(send);
        }
        Ok(self.sender.as_mut().expect("just filled"))
    }
}

impl Console for LogConsole {
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
        Box::pin(self.wait_for_bytes(wait))
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
        Box::pin(async move {
            let board = self.board.clone();
            let failed = |what: String| BoardError::Console { board, what };
            let sender = self.connect().await?;
            match timeout(SEND_PATIENCE, sender.write_all(bytes)).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => Err(failed(error.to_string())),
                Err(_) => Err(failed(
                    "the firmware does not take what is sent (or another monitor is connected)".into(),
                )),
            }
        })
    }
}
