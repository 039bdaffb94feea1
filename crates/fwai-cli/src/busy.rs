//! A spinner for commands that take their time: it comes after half a second, stands on a line of its own,
//! and goes away before anything is printed.

use crate::render::{
    Abilities, abilities, palette,
    text::{Line, Span},
};
use std::{
    io::Write,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

const PATIENCE: Duration = Duration::from_millis(500);
const BEAT: Duration = Duration::from_millis(100);

static SHOWN: Mutex<Shown> =
    Mutex::new(Shown { on: false, drawn: false, since: None, what: String::new(), last: None });

struct Shown {
    on: bool,
    drawn: bool,
    since: Option<Instant>,
    what: String,
    /// When something else was printed.
    last: Option<Instant>,
}

fn shown() -> MutexGuard<'static, Shown> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns for as long as it lives.
pub struct Busy {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Says that `what` is being done, on a terminal that can show it.
pub fn busy(what: &str) -> Option<Busy> {
    if !abilities::has_live_screen() {
        return None;
    }
    *shown() =
        Shown { on: true, drawn: false, since: Some(Instant::now()), what: what.to_owned(), last: None };
    let (stop, stopped) = channel();
    let signs = Arc::new(Abilities::of_stdout());
    let thread = std::thread::spawn(move || {
        while stopped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
            draw(*signs);
        }
    });
    Some(Busy { stop: Some(stop), thread: Some(thread) })
}

impl Drop for Busy {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        clear();
        shown().on = false;
    }
}

/// Whether a spinner may turn now, so that a command need not draw a progress line of its own.
pub fn is_on() -> bool {
    shown().on
}

/// What is being done right now.
pub fn progress(text: &str) {
    shown().what = text.to_owned();
}

/// Takes the spinner away because something will be printed.
pub fn clear() {
    let mut shown = shown();
    if shown.on {
        shown.last = Some(Instant::now());
    }
    if std::mem::take(&mut shown.drawn) {
        let mut err = std::io::stderr().lock();
        let _ = err.write_all(b"\r\x1b[K").and_then(|()| err.flush());
    }
}

/// No spinner while somebody is asked.
pub fn paused<T>(work: impl FnOnce() -> T) -> T {
    clear();
    let was_on = std::mem::take(&mut shown().on);
    let done = work();
    shown().on = was_on;
    done
}

fn draw(signs: Abilities) {
    let mut shown = shown();
    let Some(since) = shown.since.filter(|since| shown.on && since.elapsed() >= PATIENCE) else { return };
    // Something that prints line after line shows by itself that it goes on.
    if shown.last.is_some_and(|last| last.elapsed() < PATIENCE) {
        return;
    }
    let beat = (since.elapsed().as_millis() / BEAT.as_millis()) as usize;
    let sign = match signs.unicode {
        true => ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"][beat % 10],
        false => ["|", "/", "-", "\\"][beat % 4],
    };
    let line = Line(vec![
        Span::new(format!("{sign} "), palette::PROMPT),
        Span::plain(shown.what.clone()),
        Span::new(format!("  {:.0} s", since.elapsed().as_secs_f64()), palette::DIM),
    ]);
    let line = line.cut(abilities::size().0.saturating_sub(1), signs.sign("…", "~")).paint(signs.colours);
    shown.drawn = true;
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r\x1b[K{line}").and_then(|()| err.flush());
}
