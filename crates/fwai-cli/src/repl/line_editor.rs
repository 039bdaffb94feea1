//! Where lines come from: an editor with history and completion on a terminal, or a pipe.

use super::slash;
use crate::{context::Context, failure::Failure};
use reedline::{
    ColumnarMenu, Completer, CompletionResult, Emacs, FileBackedHistory, KeyCode, KeyModifiers, MenuBuilder,
    Prompt, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, Span,
    Suggestion, default_emacs_keybindings,
};
use std::{
    borrow::Cow,
    io::IsTerminal,
    path::{Path, PathBuf},
};

/// What was read.
pub enum Line {
    Text(String),
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
    pub fn open(context: &Context) -> Result<Self, Failure> {
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term.is_empty());
        if dumb || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Ok(Self::Plain);
        }
        let history = context.paths.user.join("history");
        let mut editor =
            Reedline::create().with_completer(Box::new(Words { root: context.paths.project.clone() }));
        if let Ok(history) = FileBackedHistory::with_file(2_000, history) {
            editor = editor.with_history(Box::new(history));
        }
        let mut keys = default_emacs_keybindings();
        keys.add_binding(
            KeyModifiers::NONE,
            KeyCode::Tab,
            ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu("words".into()), ReedlineEvent::MenuNext]),
        );
        keys.add_binding(
            KeyModifiers::ALT,
            KeyCode::Enter,
            ReedlineEvent::Edit(vec![reedline::EditCommand::InsertNewline]),
        );
        let menu = ReedlineMenu::EngineCompleter(Box::new(ColumnarMenu::default().with_name("words")));
        editor = editor.with_menu(menu).with_edit_mode(Box::new(Emacs::new(keys)));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line, with the session's state beside the prompt.
    pub fn read(&mut self, status: &[String]) -> Result<Line, Failure> {
        let broken = |error: std::io::Error| Failure::failed(format_args!("cannot read the input: {error}"));
        match self {
            Self::Terminal(editor) => match editor.read_line(&Status(status.join(" · "))).map_err(broken)? {
                Signal::Success(text) => Ok(Line::Text(text)),
                Signal::CtrlC => Ok(Line::Interrupted),
                Signal::CtrlD => Ok(Line::End),
                _ => Ok(Line::Text(String::new())),
            },
            Self::Plain => {
                let mut text = String::new();
                match std::io::stdin().read_line(&mut text).map_err(broken)? {
                    0 => Ok(Line::End),
                    _ => Ok(Line::Text(text)),
                }
            }
        }
    }
}

/// A calm prompt with the state on its right.
struct Status(String);

impl Prompt for Status {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed("fwai")
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("> ")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  … ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("(search: {}) ", search.term))
    }
}

/// Completes commands after `/` and files after `@`.
struct Words {
    root: PathBuf,
}

impl Completer for Words {
    fn complete(&mut self, line: &str, position: usize) -> CompletionResult {
        let before = &line[..position];
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let word = &before[start..];
        let found: Vec<String> = if let Some(command) = word.strip_prefix('/').filter(|_| start == 0) {
            slash::names()
                .into_iter()
                .filter(|name| name.starts_with(command))
                .map(|name| format!("/{name}"))
                .collect()
        } else if let Some(path) = word.strip_prefix('@') {
            files(&self.root, path).into_iter().map(|path| format!("@{path}")).collect()
        } else {
            Vec::new()
        };
        let suggestions: Vec<Suggestion> = found
            .into_iter()
            .map(|value| Suggestion {
                append_whitespace: !value.ends_with('/'),
                value,
                span: Span::new(start, position),
                ..Suggestion::default()
            })
            .collect();
        CompletionResult::fresh(suggestions)
    }
}

fn files(root: &Path, begun: &str) -> Vec<String> {
    let (folder, name) = begun.rsplit_once('/').map_or(("", begun), |(folder, name)| (folder, name));
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let hidden = file.starts_with('.') && !name.starts_with('.');
            if hidden || !file.starts_with(name) {
                return None;
            }
            let slash = if entry.path().is_dir() { "/" } else { "" };
            Some(if folder.is_empty() { format!("{file}{slash}") } else { format!("{folder}/{file}{slash}") })
        })
        .take(100)
        .collect();
    found.sort();
    found
}
