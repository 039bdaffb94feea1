//! A terminal in raw mode: every key goes to the device, except the one that leaves.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    stdio::stdin,
    termios::{OptionalActions, Termios, tcgetattr, tcsetattr},
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::sync::mpsc;

/// Ctrl-]
pub const EXIT_KEY: u8 = 0x1d;

/// Raw mode for as long as this lives; keys come through the receiver, `None` for the exit key.
pub struct RawTerminal {
    before: Termios,
    stop: Arc<AtomicBool>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl RawTerminal {
    pub fn enter() -> std::io::Result<(Self, mpsc::Receiver<Option<Vec<u8>>>)> {
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Flush, &raw)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (keys, receiver) = mpsc::channel(256);
        let stopping = stop.clone();
        let reader = std::thread::spawn(move || read_keys(&stopping, &keys));
        Ok((Self { before, stop, reader: Some(reader) }, receiver))
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Nothing better can be done for a terminal that is gone.
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &self.before);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

fn read_keys(stop: &AtomicBool, keys: &mpsc::Sender<Option<Vec<u8>>>) {
    let tick = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    while !stop.load(Ordering::Relaxed) {
        let input = stdin();
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut polled, Some(&tick)), Ok(1..)) {
            continue;
        }
        let mut buffer = [0; 256];
        let count = match rustix::io::read(stdin(), &mut buffer) {
            Ok(count @ 1..) => count,
            _ => {
                let _ = keys.blocking_send(None);
                return;
            }
        };
        let typed = &buffer[..count];
        let leave = typed.iter().position(|key| *key == EXIT_KEY);
        let before = &typed[..leave.unwrap_or(count)];
        if !before.is_empty() && keys.blocking_send(Some(before.to_vec())).is_err() {
            return;
        }
        if leave.is_some() {
            let _ = keys.blocking_send(None);
            return;
        }
    }
}
