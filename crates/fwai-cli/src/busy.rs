//! A spinner for commands that take their time: it comes after half a second, stands below everything that is
//! printed, and goes away before anything is. What is typed meanwhile stands below it and waits.

use crate::{
    render::{
        Abilities, abilities,
        footer::{Footer, spinner},
        palette,
        screen::Screen,
        text::{Line, Span},
    },
    repl::queue::Queue,
};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, poll, read};
use std::{
    io::{IsTerminal, Write},
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

const PATIENCE: Duration = Duration::from_millis(500);
const BEAT: Duration = Duration::from_millis(50);

static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

/// What is on the screen, for as long as something is busy.
struct Shown {
    /// Somebody is asked: keys and screen belong to the question.
    paused: bool,
    screen: Screen,
    signs: Abilities,
    since: Instant,
    what: String,
    /// When something else was printed.
    last: Option<Instant>,
    /// And whether its line goes on.
    open_line: bool,
    /// Keys are read for it.
    queue: Option<Queue>,
}

fn shown() -> MutexGuard<'static, Option<Shown>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns for as long as it lives.
pub struct Busy {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Says that `what` is being done, on a terminal that can show it, and takes what is typed meanwhile into the
/// queue; [`Busy::end`] gives it back.
pub fn with_keys(what: &str, queue: &mut Queue) -> Option<Busy> {
    match std::io::stdin().is_terminal() {
        true => begin(what, Some(queue)),
        false => begin(what, None),
    }
}

fn begin(what: &str, queue: Option<&mut Queue>) -> Option<Busy> {
    if !abilities::has_live_screen() {
        return None;
    }
    let queue = queue.map(std::mem::take);
    if queue.is_some() {
        pastes_come_whole(true);
    }
    *shown() = Some(Shown {
        paused: false,
        screen: Screen::default(),
        signs: Abilities::of_stdout(),
        since: Instant::now(),
        what: what.to_owned(),
        last: None,
        open_line: false,
        queue,
    });
    let (stop, stopped) = channel();
    let thread = std::thread::spawn(move || {
        while stopped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
            if let Some(shown) = shown().as_mut().filter(|shown| !shown.paused) {
                shown.hear();
                shown.draw();
            }
        }
    });
    Some(Busy { stop: Some(stop), thread: Some(thread) })
}

impl Busy {
    /// What was typed, where keys were heard.
    pub fn end(mut self) -> Option<Queue> {
        self.stop()
    }

    fn stop(&mut self) -> Option<Queue> {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let mut shown = shown().take()?;
        shown.screen.erase();
        shown.queue.inspect(|_| pastes_come_whole(false))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether a spinner may turn now, so that a command need not draw a progress line of its own.
pub fn is_on() -> bool {
    shown().as_ref().is_some_and(|shown| !shown.paused)
}

/// What is being done right now.
pub fn progress(text: &str) {
    if let Some(shown) = shown().as_mut() {
        shown.what = text.to_owned();
    }
}

/// Prints something where the spinner was. `open` says that its last line goes on, so that nothing may be drawn
/// below it.
pub fn while_clear<T>(open: bool, print: impl FnOnce() -> T) -> T {
    let mut shown = shown();
    if let Some(shown) = shown.as_mut().filter(|shown| !shown.paused) {
        shown.last = Some(Instant::now());
        shown.open_line = open;
        shown.screen.erase();
    }
    print()
}

/// No spinner while somebody is asked.
pub fn paused<T>(work: impl FnOnce() -> T) -> T {
    while_clear(false, || ());
    let heard = set_paused(true);
    if heard {
        pastes_come_whole(false);
    }
    let done = work();
    if heard {
        pastes_come_whole(true);
    }
    set_paused(false);
    done
}

/// Says whether keys are heard otherwise.
fn set_paused(paused: bool) -> bool {
    let mut shown = shown();
    let Some(shown) = shown.as_mut() else { return false };
    shown.paused = paused;
    shown.queue.is_some()
}

fn pastes_come_whole(whole: bool) {
    let mut out = std::io::stdout().lock();
    let sequence: &[u8] = if whole { b"\x1b[?2004h" } else { b"\x1b[?2004l" };
    let _ = out.write_all(sequence).and_then(|()| out.flush());
}

impl Shown {
    /// Reads the keys that are there.
    fn hear(&mut self) {
        let Some(queue) = &mut self.queue else { return };
        while poll(Duration::ZERO).unwrap_or(false) {
            match read() {
                Ok(Event::Key(key)) if key.is_press() => take(queue, key),
                Ok(Event::Paste(text)) => queue.typed.insert(&text),
                Ok(_) => {}
                // The terminal is gone, which others notice.
                Err(_) => return,
            }
        }
    }

    fn draw(&mut self) {
        let footer = self.footer();
        // Something that prints line after line shows by itself that it goes on; what is typed is always shown.
        let calm = self.last.is_none_or(|last| last.elapsed() >= PATIENCE);
        let typed = footer.typed.is_some() || !footer.queue.is_empty();
        if self.open_line || self.since.elapsed() < PATIENCE || !(calm || typed) {
            return;
        }
        let seconds = format!("  {:.0} s", self.since.elapsed().as_secs_f64());
        let activity = Line(vec![
            Span::new(format!("{} ", spinner(self.since.elapsed(), self.signs)), palette::PROMPT),
            Span::plain(self.what.clone()),
            Span::new(seconds, palette::DIM),
        ]);
        let (lines, cursor) = footer.lines(activity, self.signs);
        self.screen.update(&[], lines, cursor, self.signs);
    }

    fn footer(&self) -> Footer {
        let Some(queue) = &self.queue else { return Footer::default() };
        let typed = (!queue.typed.is_empty()).then(|| (queue.typed.text(), queue.typed.place()));
        Footer { queue: queue.waiting.iter().cloned().collect(), typed, ..Footer::default() }
    }
}

/// The same keys as during a turn; Ctrl-C is a signal here, which the command hears.
fn take(queue: &mut Queue, key: KeyEvent) {
    match key.code {
        KeyCode::Esc => drop(queue.typed.take()),
        KeyCode::Up if queue.typed.is_empty() => drop(queue.take_back()),
        KeyCode::Char('d' | 'o') if key.modifiers.contains(KeyModifiers::CONTROL) => {}
        _ => {
            if let Some(line) = queue.typed.key(key).filter(|line| !line.trim().is_empty()) {
                queue.waiting.push_back(line);
            }
        }
    }
}
