//! The console of a serial board: a thread that owns the port, reconnects, and lets go for flashing.

use std::{
    io::{ErrorKind, Read, Write},
    sync::mpsc as blocking,
    thread,
    time::Duration,
};

use serialport::TTYPort;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use super::{Lease, PortError, find_port};
use crate::{
    boards::{BoardError, Console, ConsoleEvent},
    launch::BoxFuture,
};

/// How long one read waits; also how soon the thread notices things to send.
const TICK: Duration = Duration::from_millis(10);
const RETRY: Duration = Duration::from_millis(100);
const QUEUE: usize = 4096;

type Send = (Vec<u8>, oneshot::Sender<Result<(), String>>);

/// Reads and writes a tty.
pub struct SerialConsole {
    board: String,
    events: mpsc::Receiver<ConsoleEvent>,
    to_send: blocking::Sender<Send>,
    ended: bool,
}

impl SerialConsole {
    /// Open the port now; failing later only makes the console look for it again.
    pub fn open(board: &str, wanted: Option<String>, baud: u32, lease: Lease) -> Result<Self, BoardError> {
        let first = Held::open(wanted.as_deref(), baud, &lease)?;
        let (events, receiver) = mpsc::channel(QUEUE);
        let (to_send, sends) = blocking::channel();
        let worker = Worker { wanted, baud, lease, events, sends };
        thread::Builder::new()
            .name("serial-console".into())
            .spawn(move || worker.run(first))
            .map_err(|error| BoardError::Console { board: board.to_string(), what: error.to_string() })?;
        Ok(Self { board: board.to_string(), events: receiver, to_send, ended: false })
    }
}

impl Console for SerialConsole {
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
        Box::pin(async move {
            if self.ended {
                return Ok(ConsoleEvent::Ended("the console was closed".into()));
            }
            match timeout(wait, self.events.recv()).await {
                Err(_) => Ok(ConsoleEvent::Quiet),
                Ok(Some(event)) => Ok(event),
                Ok(None) => {
                    self.ended = true;
                    Ok(ConsoleEvent::Ended("the console was closed".into()))
                }
            }
        })
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
        Box::pin(async move {
            let failed = |what: String| BoardError::Console { board: self.board.clone(), what };
            let (done, answer) = oneshot::channel();
            self.to_send
                .send((bytes.to_vec(), done))
                .map_err(|_| failed("the port's thread has ended".into()))?;
            match timeout(Duration::from_secs(5), answer).await {
                Ok(Ok(result)) => result.map_err(failed),
                _ => Err(failed("the port does not take what is sent".into())),
            }
        })
    }
}

/// An open port together with its share of the lease.
struct Held {
    port: TTYPort,
    _share: std::fs::File,
}

impl Held {
    fn open(wanted: Option<&str>, baud: u32, lease: &Lease) -> Result<Self, PortError> {
        let path = find_port(wanted)?;
        let failed = |what: String| PortError::Open { port: path.clone(), what };
        let share = lease
            .share()
            .map_err(|error| failed(error.to_string()))?
            .ok_or_else(|| failed("it is busy: the board is being flashed".into()))?;
        let port = serialport::new(&path, baud)
            .timeout(TICK)
            .open_native()
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self { port, _share: share })
    }
}

struct Worker {
    wanted: Option<String>,
    baud: u32,
    lease: Lease,
    events: mpsc::Sender<ConsoleEvent>,
    sends: blocking::Receiver<Send>,
}

impl Worker {
    fn run(self, first: Held) {
        let mut held = Some(first);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            if self.events.is_closed() {
                return;
            }
            let Some(port) = &mut held else {
                thread::sleep(RETRY);
                self.refuse_sends();
                if !self.lease.wanted_by_flash() || self.lease.share().is_ok_and(|share| share.is_some()) {
                    held = Held::open(self.wanted.as_deref(), self.baud, &self.lease).ok();
                    if held.is_some() && self.events.blocking_send(ConsoleEvent::Back).is_err() {
                        return;
                    }
                }
                continue;
            };
            let lost = match port.port.read(&mut buffer) {
                Ok(0) => Some("the port was closed".to_string()),
                Ok(count) => {
                    if self.events.blocking_send(ConsoleEvent::Bytes(buffer[..count].to_vec())).is_err() {
                        return;
                    }
                    None
                }
                Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => None,
                Err(error) => Some(format!("the port vanished ({error})")),
            };
            let lost = lost.or_else(|| {
                self.lease.wanted_by_flash().then(|| "released while the board is being flashed".to_string())
            });
            if let Some(why) = lost {
                held = None;
                if self.events.blocking_send(ConsoleEvent::Lost(why)).is_err() {
                    return;
                }
                continue;
            }
            while let Ok((bytes, done)) = self.sends.try_recv() {
                let result = port.port.write_all(&bytes).and_then(|()| port.port.flush());
                // Whoever asked may have given up waiting.
                let _ = done.send(result.map_err(|error| error.to_string()));
            }
        }
    }

    fn refuse_sends(&self) {
        while let Ok((_, done)) = self.sends.try_recv() {
            let _ = done.send(Err("the port is not connected".into()));
        }
    }
}
