//! The program on a real pseudo-terminal, and the screen that a person would see.

use crate::bench::{Bench, program};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::{
    io::{Read, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Longer than any test should need, shorter than anyone's patience.
const LIMIT: Duration = Duration::from_secs(30);

/// A terminal with fwai in it.
pub struct Terminal {
    seen: Arc<Mutex<Seen>>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    /// Absent once the terminal is gone.
    master: Option<Box<dyn MasterPty + Send>>,
    gone: Arc<AtomicBool>,
}

struct Seen {
    screen: avt::Terminal,
    bytes: Vec<u8>,
    /// Bytes at the end that are not yet a whole character.
    rest: Vec<u8>,
}

/// How a terminal answers what the program asks it.
#[derive(Default)]
struct Manner {
    background: Option<String>,
    mute: bool,
}

impl Terminal {
    /// Starts the program without arguments.
    pub fn open(bench: &Bench, columns: u16, rows: u16) -> Self {
        Self::with_arguments(bench, columns, rows, &[])
    }

    /// The same in a window whose background has this colour, `rgb:ffff/ffff/ffff`, and which says so when it is
    /// asked.
    pub fn on_background(bench: &Bench, columns: u16, rows: u16, colour: &str) -> Self {
        let manner = Manner { background: Some(colour.to_owned()), ..Manner::default() };
        Self::start_with(bench, columns, rows, CommandBuilder::new(program()), manner)
    }

    /// The same in a window that answers nothing: a script behind a terminal, a recorder.
    pub fn mute(bench: &Bench, columns: u16, rows: u16) -> Self {
        let manner = Manner { mute: true, ..Manner::default() };
        Self::start_with(bench, columns, rows, CommandBuilder::new(program()), manner)
    }

    pub fn with_arguments(bench: &Bench, columns: u16, rows: u16, arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(program());
        command.args(arguments);
        Self::start(bench, columns, rows, command)
    }

    /// Starts a shell with a script in which `$FWAI` is the program.
    pub fn with_script(bench: &Bench, columns: u16, rows: u16, script: &str) -> Self {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        Self::start(bench, columns, rows, command)
    }

    fn start(bench: &Bench, columns: u16, rows: u16, command: CommandBuilder) -> Self {
        Self::start_with(bench, columns, rows, command, Manner::default())
    }

    fn start_with(
        bench: &Bench,
        columns: u16,
        rows: u16,
        mut command: CommandBuilder,
        manner: Manner,
    ) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a terminal can be opened");
        command.env_clear();
        for (name, value) in bench.variables() {
            command.env(name, value);
        }
        command.env("FWAI", program());
        command.cwd(bench.project());
        let child = pair.slave.spawn_command(command).expect("the program can be started");
        let mut reader = pair.master.try_clone_reader().expect("a terminal can be read");
        let writer = Arc::new(Mutex::new(pair.master.take_writer().expect("a terminal can be written")));
        let screen =
            avt::Terminal::with_scrollback(columns.into(), rows.into(), None).expect("it has a size");
        let seen = Arc::new(Mutex::new(Seen { screen, bytes: Vec::new(), rest: Vec::new() }));
        let gone = Arc::new(AtomicBool::new(false));
        let (shown, answer, over) = (seen.clone(), writer.clone(), gone.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 16_384];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let cursor = lock(&shown).take(&buffer[..count]);
                let asked = buffer[..count].windows(6).any(|bytes| bytes == b"\x1b]11;?");
                if let Some(colour) = manner.background.as_ref().filter(|_| asked) {
                    let _ = write!(lock(&answer), "\x1b]11;{colour}\x1b\\");
                }
                // The line editor asks where the cursor is; a terminal answers.
                if let Some((column, row)) = cursor.filter(|_| !manner.mute) {
                    let _ = write!(lock(&answer), "\x1b[{};{}R", row + 1, column + 1);
                }
            }
        });
        Self { seen, writer, child, master: Some(pair.master), gone }
    }

    /// Everything on the screen and above it, without blanks at the ends.
    pub fn lines(&self) -> Vec<String> {
        let seen = lock(&self.seen);
        let lines = seen.screen.screen().all_lines().map(|line| line.text().trim_end().to_owned());
        let mut lines: Vec<String> = lines.collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// The last lines, for a message.
    fn end(&self) -> String {
        let lines = self.lines();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    /// What the program wrote, byte by byte.
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&lock(&self.seen).bytes).into_owned()
    }

    pub fn cursor_is_visible(&self) -> bool {
        lock(&self.seen).screen.cursor().visible
    }

    /// Looks at the screen itself, colours and all.
    pub fn look<T>(&self, look: impl FnOnce(&avt::Terminal) -> T) -> T {
        look(&lock(&self.seen).screen)
    }

    /// Waits until the screen shows this; a line of the terminal may break it.
    pub fn wait_for(&self, text: &str) {
        let without_breaks = |text: &str| text.replace('\n', "");
        let wanted = without_breaks(text);
        self.wait_until(&format!("`{text}`"), |terminal| {
            let shown = terminal.text();
            shown.contains(text) || without_breaks(&shown).contains(&wanted)
        });
    }

    pub fn wait_until(&self, what: &str, condition: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !condition(self) {
            assert!(start.elapsed() < LIMIT, "waited in vain for {what}; the screen:\n{}", self.end());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for an empty prompt: the last line with words is the mark alone.
    pub fn wait_for_prompt(&self) {
        self.wait_until("a prompt", |terminal| {
            let lines = terminal.lines();
            lines.last().is_some_and(|line| matches!(line.as_str(), "›" | ">"))
                && terminal.cursor_is_visible()
        });
    }

    pub fn type_in(&self, text: &str) {
        let mut writer = lock(&self.writer);
        let written = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
        written.expect("the terminal takes keys");
    }

    /// Types a line at the prompt and waits for the next prompt.
    pub fn command(&self, line: &str) -> String {
        self.wait_for_prompt();
        let before = self.lines().len();
        self.type_in(&format!("{line}\r"));
        self.wait_until("the end of a command", |terminal| {
            let lines = terminal.lines();
            lines.len() > before
                && lines.last().is_some_and(|line| matches!(line.as_str(), "›" | ">"))
                && terminal.cursor_is_visible()
        });
        self.lines()[before.saturating_sub(2)..].join("\n")
    }

    /// Another size: the terminal folds its lines, the program is told. Waits for a pause in the output: what
    /// is on its way when a terminal folds its lines was drawn for the other size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.wait_for_silence();
        let mut seen = lock(&self.seen);
        seen.screen.resize(columns.into(), rows.into());
        let master = self.master.as_ref().expect("the terminal is still there");
        master.resize(size(columns, rows)).expect("a terminal can change its size");
    }

    /// Until nothing has come for a moment.
    pub fn wait_for_silence(&self) {
        let start = Instant::now();
        loop {
            let before = lock(&self.seen).bytes.len();
            std::thread::sleep(Duration::from_millis(40));
            if lock(&self.seen).bytes.len() == before {
                return;
            }
            assert!(start.elapsed() < LIMIT, "the program never pauses; the screen:\n{}", self.end());
        }
    }

    /// The window closes: nobody holds the terminal any more. The program must have something to say to a key, since
    /// whoever reads the terminal only leaves when something comes.
    pub fn vanish(&mut self) {
        self.gone.store(true, Ordering::SeqCst);
        self.type_in("x");
        *lock(&self.writer) = Box::new(std::io::sink());
        self.master = None;
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    pub fn wait_for_exit(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.exit_code();
            }
            assert!(start.elapsed() < LIMIT, "the program does not end; the screen:\n{}", self.end());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Seen {
    /// Shows bytes; gives the cursor's place where the program asks for it.
    fn take(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        self.bytes.extend_from_slice(bytes);
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.rest.len(),
        };
        let text = String::from_utf8_lossy(&self.rest[..whole]).into_owned();
        self.rest.drain(..whole);
        self.screen.feed(text.as_str());
        let cursor = self.screen.cursor();
        text.contains("\x1b[6n").then_some((cursor.col, cursor.row))
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Columns that a text takes on a screen.
pub fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
