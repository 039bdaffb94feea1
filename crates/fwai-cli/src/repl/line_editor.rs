//! Where lines come from: an editor with history and completion on a terminal, or a pipe.

use super::{complete::Words, history, slash};
use crate::{
    context::Context,
    failure::Failure,
    render::{Abilities, abilities, status_line},
};
use reedline::{
    Color, ColumnarMenu, DefaultHinter, EditCommand, Emacs, Highlighter, KeyCode, KeyModifiers, MenuBuilder,
    Prompt, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, StyledText,
    ValidationResult, Validator, default_emacs_keybindings,
};
use std::{borrow::Cow, io::IsTerminal};

/// What was read.
pub enum Line {
    Text(String),
    /// A key that stands for a command; what was typed stays.
    Key(String),
    Interrupted,
    End,
}

/// The queue of lines.
pub enum Input {
    Terminal(Box<Reedline>),
    /// A pipe, or a terminal that cannot move its cursor.
    Plain,
}

impl Input {
    pub fn open(context: &Context) -> Self {
        if !std::io::stdin().is_terminal() || !abilities::has_live_screen() {
            return Self::Plain;
        }
        let signs = Abilities::of_stdout();
        let mut editor = Reedline::create()
            .with_completer(Box::new(Words::new(&context.paths)))
            .with_hinter(Box::new(DefaultHinter::default().with_style(Color::Default.dimmed())))
            .with_validator(Box::new(Continued))
            .with_highlighter(Box::new(Commands(slash::names())))
            .with_transient_prompt(Box::new(State { parts: Vec::new(), signs }))
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
        let columns = ColumnarMenu::default().with_name("words").with_marker(signs.sign("› ", "> "));
        let menu = ReedlineMenu::EngineCompleter(Box::new(columns));
        editor = editor.with_menu(menu).with_edit_mode(Box::new(Emacs::new(keys)));
        Self::Terminal(Box::new(editor))
    }

    /// The next line, with the session's state above it and what was typed before already there.
    pub fn read(&mut self, status: &[String], typed: &str) -> Result<Line, Failure> {
        let broken = |error: std::io::Error| Failure::failed(format_args!("cannot read the input: {error}"));
        match self {
            Self::Terminal(editor) => {
                if !typed.is_empty() {
                    editor.run_edit_commands(&[EditCommand::InsertString(typed.to_owned())]);
                }
                let state = State { parts: status.to_vec(), signs: Abilities::of_stdout() };
                match editor.read_line(&state).map_err(broken)? {
                    Signal::Success(text) => Ok(Line::Text(text.replace("\\\n", "\n"))),
                    Signal::HostCommand(command) => Ok(Line::Key(command)),
                    Signal::CtrlC => Ok(Line::Interrupted),
                    Signal::CtrlD => Ok(Line::End),
                    _ => Ok(Line::Text(String::new())),
                }
            }
            Self::Plain => {
                let mut line = Vec::new();
                use std::io::BufRead;
                match std::io::stdin().lock().read_until(b'\n', &mut line).map_err(broken)? {
                    0 => Ok(Line::End),
                    _ => Ok(Line::Text(String::from_utf8_lossy(&line).into_owned())),
                }
            }
        }
    }
}

/// One calm line of state, and a mark below it. Without parts, the mark alone.
struct State {
    parts: Vec<String>,
    signs: Abilities,
}

impl Prompt for State {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        if self.parts.is_empty() {
            return Cow::Borrowed("");
        }
        let columns = abilities::size().0.saturating_sub(1);
        let line = status_line(&self.parts, columns, self.signs).paint(self.signs.colours);
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
        Cow::Owned(format!("(search: {}) ", search.term))
    }

    fn get_prompt_color(&self) -> Color {
        Color::Default
    }

    fn get_indicator_color(&self) -> Color {
        Color::LightBlue
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
struct Commands(Vec<String>);

impl Highlighter for Commands {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        let mut text = StyledText::new();
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let known =
            line[..end].strip_prefix('/').is_some_and(|name| self.0.iter().any(|known| known == name));
        let (command, rest) = line.split_at(if known { end } else { 0 });
        if !command.is_empty() {
            text.push((Color::LightBlue.normal(), command.to_owned()));
        }
        text.push((Color::Default.normal(), rest.to_owned()));
        text
    }
}
