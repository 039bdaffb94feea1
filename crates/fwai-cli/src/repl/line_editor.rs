//! Where lines come from: an editor with history and completion on a terminal, or a pipe.

use super::{complete::Words, hints::Hints, history, slash};
use crate::{
    context::Context,
    failure::Failure,
    interrupts,
    language::say,
    render::{Abilities, Status, abilities, background},
    terminal_mode,
};
use reedline::{
    Color, ColumnarMenu, EditCommand, Emacs, Highlighter, HistoryItem, KeyCode, KeyModifiers, MenuBuilder,
    Prompt, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, StyledText,
    ValidationResult, Validator, default_emacs_keybindings,
};
use std::{
    borrow::Cow,
    io::{BufRead, IsTerminal, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What was read.
pub enum Line {
    Text(String),
    /// A key that stands for a command; what was typed stays.
    Key(String),
    /// Ctrl-C; whether something had been typed since the prompt stood there.
    Interrupted {
        typed: bool,
    },
    End,
}

/// The queue of lines.
pub enum Input {
    Terminal(Box<Editor>),
    /// A pipe, or a terminal that cannot move its cursor or say where it is.
    Plain,
}

pub struct Editor {
    reedline: Reedline,
    typed: Arc<AtomicBool>,
}

/// Whether lines can be edited: a person types, on a terminal that moves its cursor.
pub fn is_possible() -> bool {
    std::io::stdin().is_terminal() && abilities::has_live_screen()
}

impl Input {
    /// An editor, on a terminal that answers.
    pub fn open(context: &Context, answers: bool) -> Self {
        if !answers {
            return Self::Plain;
        }
        let signs = Abilities::of_stdout();
        let typed = Arc::new(AtomicBool::new(false));
        let mut editor = Reedline::create()
            .with_completer(Box::new(Words::new(&context.paths)))
            .with_hinter(Box::new(Hints::new()))
            .with_validator(Box::new(Continued))
            .with_highlighter(Box::new(Commands { names: slash::names(), typed: typed.clone() }))
            .with_transient_prompt(Box::new(State { status: Status::default(), signs, typed: typed.clone() }))
            .with_partial_completions(true)
            .with_quick_completions(true)
            .with_ansi_colors(signs.colours)
            .use_bracketed_paste(true);
        if let Some(history) = history::open(context) {
            editor = editor.with_history(history);
        }
        let mut keys = default_emacs_keybindings();
        let menu = vec![ReedlineEvent::Menu("words".into()), ReedlineEvent::MenuNext];
        keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, ReedlineEvent::UntilFound(menu));
        keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, ReedlineEvent::MenuPrevious);
        let new_line = ReedlineEvent::Edit(vec![EditCommand::InsertNewline]);
        keys.add_binding(KeyModifiers::ALT, KeyCode::Enter, new_line.clone());
        keys.add_binding(KeyModifiers::SHIFT, KeyCode::Enter, new_line);
        let open = ReedlineEvent::ExecuteHostCommand("/open".into());
        keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('o'), open);
        let own = Color::Default;
        let columns = ColumnarMenu::default()
            .with_name("words")
            .with_marker(signs.sign("› ", "> "))
            .with_text_style(own.normal())
            .with_match_text_style(own.bold())
            .with_selected_text_style(own.reverse())
            .with_selected_match_text_style(own.bold().reverse())
            .with_description_text_style(own.dimmed());
        let menu = ReedlineMenu::EngineCompleter(Box::new(columns));
        editor = editor.with_menu(menu).with_edit_mode(Box::new(Emacs::new(keys)));
        Self::Terminal(Box::new(Editor { reedline: editor, typed }))
    }

    /// Keeps a line that was typed elsewhere with those that were typed here.
    pub fn remember(&mut self, line: &str) {
        if let Self::Terminal(editor) = self {
            // A history that cannot be written is no reason to stop.
            let _ = editor.reedline.history_mut().save(HistoryItem::from_command_line(line));
        }
    }

    /// The next line, with the session's state above it and what was typed before already there.
    pub fn read(&mut self, status: &Status, typed: &str) -> Result<Line, Failure> {
        let broken = |error: std::io::Error| Failure::failed(format_args!("cannot read the input: {error}"));
        match self {
            Self::Terminal(editor) => {
                let Editor { reedline, typed: something } = editor.as_mut();
                if !typed.is_empty() {
                    reedline.run_edit_commands(&[EditCommand::InsertString(typed.to_owned())]);
                }
                something.store(false, Ordering::Relaxed);
                let signs = Abilities::of_stdout();
                let state = State { status: status.clone(), signs, typed: something.clone() };
                match reedline.read_line(&state).map_err(broken)? {
                    Signal::Success(text) => Ok(Line::Text(text.replace("\\\n", "\n"))),
                    Signal::HostCommand(command) => Ok(Line::Key(command)),
                    Signal::CtrlC => Ok(Line::Interrupted { typed: something.load(Ordering::Relaxed) }),
                    Signal::CtrlD => Ok(Line::End),
                    _ => Ok(Line::Text(String::new())),
                }
            }
            Self::Plain if std::io::stdin().is_terminal() => {
                terminal_mode::while_cooked(|| plain_prompt(status, typed)).map_err(broken)
            }
            Self::Plain => plain_line("").map_err(broken),
        }
    }
}

/// A person at a terminal that edits lines by itself must see whose turn it is.
fn plain_prompt(status: &Status, typed: &str) -> std::io::Result<Line> {
    let mut err = std::io::stderr();
    let signs = Abilities::of_stderr();
    if abilities::has_live_screen() {
        let columns = abilities::size().0.saturating_sub(1);
        writeln!(err, "{}", status.line(columns, signs).paint(signs.colours))?;
    }
    // What was typed before cannot be put into that line, but it can stand before it.
    write!(err, "{}{typed}", signs.sign("› ", "> "))?;
    err.flush()?;
    if !interrupts::line_comes_first() {
        writeln!(err)?;
        return Ok(Line::Interrupted { typed: false });
    }
    plain_line(typed)
}

/// The next line as it comes, behind what was typed before.
fn plain_line(typed: &str) -> std::io::Result<Line> {
    let mut line = typed.as_bytes().to_vec();
    match std::io::stdin().lock().read_until(b'\n', &mut line)? {
        0 if typed.is_empty() => Ok(Line::End),
        _ => Ok(Line::Text(String::from_utf8_lossy(&line).into_owned())),
    }
}

/// One calm line of state, and a mark below it. Without parts, the mark alone.
struct State {
    status: Status,
    signs: Abilities,
    typed: Arc<AtomicBool>,
}

impl Prompt for State {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        if self.status.is_empty() {
            return Cow::Borrowed("");
        }
        let columns = abilities::size().0.saturating_sub(1);
        let line = self.status.line(columns, self.signs).paint(self.signs.colours);
        let reset = if self.signs.colours { "\x1b[0m" } else { "" };
        Cow::Owned(format!("{reset}{line}\n"))
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed(self.signs.sign("› ", "> "))
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        if !search.term.is_empty() {
            self.typed.store(true, Ordering::Relaxed);
        }
        Cow::Owned(format!("({} {}) ", say!("repl-search"), search.term))
    }

    fn get_prompt_color(&self) -> Color {
        Color::Default
    }

    fn get_indicator_color(&self) -> Color {
        background::accent()
    }
}

/// A backslash at the end goes on in the next line.
struct Continued;

impl Validator for Continued {
    fn validate(&self, line: &str) -> ValidationResult {
        let slashes = line.len() - line.trim_end_matches('\\').len();
        if slashes % 2 == 1 { ValidationResult::Incomplete } else { ValidationResult::Complete }
    }
}

/// Commands that exist are seen as such while they are typed.
struct Commands {
    names: Vec<String>,
    /// Set once there is something on the line.
    typed: Arc<AtomicBool>,
}

impl Highlighter for Commands {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        if !line.is_empty() {
            self.typed.store(true, Ordering::Relaxed);
        }
        let mut text = StyledText::new();
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let known =
            line[..end].strip_prefix('/').is_some_and(|name| self.names.iter().any(|known| known == name));
        let (command, rest) = line.split_at(if known { end } else { 0 });
        if !command.is_empty() {
            text.push((background::accent().normal(), command.to_owned()));
        }
        text.push((Color::Default.normal(), rest.to_owned()));
        text
    }
}
