//! Ctrl-C while a line is waited for: whoever hears signals keeps them from ending the program, and a read that waits
//! for a line would not notice them.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    stdio::stdin,
};
use std::{
    io::IsTerminal,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};
use tokio::signal::unix::{SignalKind, signal};

static HEARD: AtomicUsize = AtomicUsize::new(0);
static WATCHES: AtomicBool = AtomicBool::new(false);

const BEAT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Counts from now on. Must be called inside the runtime's context.
pub fn watch() {
    if WATCHES.swap(true, Ordering::SeqCst) {
        return;
    }
    let Ok(mut interrupts) = signal(SignalKind::interrupt()) else { return };
    tokio::spawn(async move {
        while interrupts.recv().await.is_some() {
            HEARD.fetch_add(1, Ordering::SeqCst);
        }
    });
}

/// Waits until a line can be read from standard input; false where Ctrl-C comes first. Returns at once where nobody
/// hears signals, or no terminal is there to wait for.
pub fn line_comes_first() -> bool {
    if !WATCHES.load(Ordering::SeqCst) || !std::io::stdin().is_terminal() {
        return true;
    }
    let before = HEARD.load(Ordering::SeqCst);
    loop {
        let input = stdin();
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        match poll(&mut polled, Some(&BEAT)) {
            _ if HEARD.load(Ordering::SeqCst) != before => return false,
            Ok(0) | Err(Errno::INTR) => {}
            // Whoever reads learns what is wrong.
            Ok(_) | Err(_) => return true,
        }
    }
}
