//! A signal that ends the program gives the terminal back and lets the session close its log; so does a
//! terminal that vanishes.

use super::conversation::SharedHandle;
use crate::{context::Context, interrupts, terminal_mode};
use fwai_schema::op::Op;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    stdio::stdin,
};
use std::{
    io::IsTerminal,
    sync::{
        PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::signal::unix::{SignalKind, signal};

const PATIENCE: Duration = Duration::from_secs(2);
/// 128 and the number of the signal, as shells count.
const HUNG_UP: i32 = 129;

static WATCHES: AtomicBool = AtomicBool::new(false);

/// Watches for the rest of the program.
pub fn watch(context: &Context, session: SharedHandle) {
    let _inside = context.runtime().enter();
    WATCHES.store(true, Ordering::SeqCst);
    let hear = |kind| signal(kind).ok();
    let (mut terminate, mut hang_up) = (hear(SignalKind::terminate()), hear(SignalKind::hangup()));
    // From now on Ctrl-C is a wish, not an end: whoever runs hears it, and the prompt reads it as a key.
    interrupts::watch();
    tokio::spawn(async move {
        let code = tokio::select! {
            () = heard(&mut terminate) => 143,
            () = heard(&mut hang_up) => HUNG_UP,
            () = hung_up() => HUNG_UP,
        };
        let handle = session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(handle) = handle {
            handle.send(Op::Shutdown);
            // It no longer listens once it has ended.
            let closed = async {
                while handle.send(Op::Interrupt) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let _ = tokio::time::timeout(PATIENCE, closed).await;
        }
        terminal_mode::restore();
        std::process::exit(code);
    });
}

/// A terminal can vanish without a signal, from under a program of another session; whoever reads keys then
/// reads nothing for ever.
async fn hung_up() {
    if !std::io::stdin().is_terminal() {
        std::future::pending::<()>().await;
    }
    let mut beat = tokio::time::interval(Duration::from_secs(1));
    loop {
        beat.tick().await;
        if terminal_is_gone() {
            return;
        }
    }
}

fn terminal_is_gone() -> bool {
    let input = stdin();
    let mut polled = [PollFd::new(&input, PollFlags::empty())];
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    matches!(poll(&mut polled, Some(&Timespec::default())), Ok(1..)) && polled[0].revents().intersects(gone)
}

/// Whoever writes to a terminal that is gone ends with it; the watcher of a session first closes that.
pub fn end_with_the_terminal() -> ! {
    if WATCHES.load(Ordering::SeqCst) {
        std::thread::sleep(PATIENCE * 5);
    }
    std::process::exit(HUNG_UP);
}

/// Whoever reads keys may notice first that the terminal is gone; the watcher then closes the session and ends the
/// program. Returns at once where the terminal is still there.
pub fn leave_the_end_to_the_watcher(typed_by_a_person: bool) {
    if typed_by_a_person && terminal_is_gone() {
        std::thread::sleep(PATIENCE * 5);
    }
}

async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
