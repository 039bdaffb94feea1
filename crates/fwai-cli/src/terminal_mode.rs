//! How the terminal treats keys: as it was when fwai began, or quietly, one by one, for fwai to read.
//!
//! Whatever happens, [`restore`] gives the terminal back: at the end, after a panic, on a signal.

use rustix::{
    stdio::stdin,
    termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};
use std::{
    io::Write,
    sync::{Mutex, MutexGuard, PoisonError},
};

static FIRST: Mutex<Option<Termios>> = Mutex::new(None);

fn first() -> MutexGuard<'static, Option<Termios>> {
    FIRST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes how the terminal is now, to come back to it.
pub fn remember() {
    if let Ok(now) = tcgetattr(stdin()) {
        first().get_or_insert(now);
    }
}

/// Gives the terminal back as it was.
pub fn restore() {
    let Some(before) = first().clone() else { return };
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(b"\x1b[?2004l\x1b[?2026l\x1b[?25h").and_then(|()| out.flush());
    let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
}

/// No echo, no waiting for the end of a line, for as long as this lives. Output is treated as ever.
pub struct Quiet {
    before: Termios,
    pastes: bool,
}

impl Quiet {
    /// Keys go to nobody; Ctrl-C still interrupts. What is typed is kept for the next reader.
    pub fn enter() -> std::io::Result<Self> {
        Self::with(LocalModes::empty(), false)
    }

    /// Every key is for fwai to read, Ctrl-C too, and a paste comes whole.
    pub fn with_all_keys() -> std::io::Result<Self> {
        Self::with(LocalModes::ISIG, true)
    }

    fn with(less: LocalModes, pastes: bool) -> std::io::Result<Self> {
        remember();
        let before = tcgetattr(stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN | less);
        // Enter stays Enter for whoever reads it later.
        quiet.input_modes.remove(InputModes::ICRNL);
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(stdin(), OptionalActions::Now, &quiet)?;
        if pastes {
            say("\x1b[?2004h");
        }
        Ok(Self { before, pastes })
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if self.pastes {
            say("\x1b[?2004l");
        }
        // Nothing better can be done for a terminal that is gone.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// As it was at first, for a question that is answered with a line.
pub fn while_cooked<T>(work: impl FnOnce() -> T) -> T {
    let now = tcgetattr(stdin()).ok();
    if let (Some(_), Some(before)) = (&now, &*first()) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, before);
    }
    let done = work();
    if let Some(now) = now {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &now);
    }
    done
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
