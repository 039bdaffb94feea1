//! The interactive session: `fwai` without a command.
//!
//! One queue of input, whether a person types or a pipe feeds it: a line is read, carried out to its end,
//! and only then the next one is read; an answer to a question is simply the next line. That is what makes
//! `printf '/build\n/flash\ny\n' | fwai` work. What a person types while a turn runs waits in [`queue`].

mod asking;
mod attach;
mod complete;
mod conversation;
mod files;
mod hints;
mod history;
pub mod line_editor;
pub mod one_key;
mod pager;
pub mod queue;
mod recall;
pub mod signals;
pub mod slash;
mod turn;
mod words;

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::say,
    render::{
        Abilities, background, letters,
        text::{Indent, Line as Shown, Span, wrap},
    },
    terminal_mode,
};
use conversation::Conversation;
use fwai_app::{config::Layered, provider};
use line_editor::{Input, Line};
use queue::Queue;
use std::io::IsTerminal;

/// What happens after a line.
pub enum Next {
    Continue,
    Quit,
}

/// Everything that a line can work with.
pub struct Repl {
    pub context: Context,
    pub conversation: Conversation,
    pub queue: Queue,
}

impl Repl {
    /// Says words to the agent and shows the turn to its end.
    pub fn say(&mut self, words: &str) -> Result<(), Failure> {
        self.conversation.say(&self.context, &mut self.queue, words)
    }

    /// Takes settings up that a command has changed; a running session goes on with them.
    pub fn reload(&mut self, more: Vec<String>) {
        self.context = self.context.with_settings(more);
        self.conversation.renew(&self.context);
    }
}

/// Reads lines until the end of input or `/quit`; goes on with a session where one is named.
pub fn run(context: &Context, session: Option<String>) -> Result<(), Failure> {
    let context = context.with_settings(Vec::new());
    let conversation = Conversation::new(&context);
    // What is typed before the prompt stands there, or between two prompts, is kept for it and not echoed.
    let _quiet = line_editor::is_possible().then(terminal_mode::Quiet::enter);
    signals::watch(&context, conversation.shared_handle());
    let mut repl = Repl { context, conversation, queue: Queue::default() };
    let typed_by_a_person = std::io::stdin().is_terminal();
    if typed_by_a_person {
        greet(&repl);
    }
    let heard = line_editor::is_possible().then(|| background::ask_terminal(Abilities::of_stdout().colours));
    let mut input = match heard {
        Some(heard) => {
            repl.queue.type_ahead(&heard.typed);
            Input::open(&repl.context, heard.answers)
        }
        None => Input::Plain,
    };
    if let Some(id) = session {
        let events = repl.conversation.resume(&repl.context, id.clone())?;
        repl.context.note(say!("repl-going-on", id = id));
        recall::show_last(&repl.context, &events);
    }
    let mut failed = None;
    let mut interrupted = false;
    loop {
        let read = next_line(&mut repl, &mut input);
        if matches!(read, Err(_) | Ok(Line::End)) {
            signals::leave_the_end_to_the_watcher(typed_by_a_person);
        }
        let line = match read? {
            Line::Text(text) => text,
            Line::Key(command) => {
                if let Err(failure) = slash::run(command.trim_start_matches('/'), &mut repl) {
                    failure.tell();
                }
                continue;
            }
            // Twice in a row leaves; once only clears the line, and whoever typed since begins anew.
            Line::Interrupted { typed } if typed || !interrupted => {
                interrupted = true;
                repl.context.note(say!("repl-press-again"));
                continue;
            }
            Line::Interrupted { .. } | Line::End => break,
        };
        interrupted = false;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // A script answers a question that was not asked here: flashing a virtual board needs no yes.
        if !typed_by_a_person && matches!(line, "y" | "yes" | "n" | "no") {
            repl.context.note(say!("repl-nothing-asked", line = line));
            continue;
        }
        let outcome = match line.strip_prefix('/').filter(|rest| is_command(rest)) {
            Some(command) => slash::run(command, &mut repl),
            None => words::run(line, &mut repl),
        };
        match outcome {
            Ok(Next::Continue) => failed = None,
            Ok(Next::Quit) => break,
            // Ctrl-C twice during a turn.
            Err(failure) if failure.kind == Kind::Interrupted && !repl.conversation.goes_on() => {
                signals::leave_the_end_to_the_watcher(typed_by_a_person);
                failed = Some(failure.kind);
                break;
            }
            Err(failure) => {
                failed = Some(failure.kind);
                failure.tell();
            }
        }
    }
    repl.conversation.close(&repl.context);
    terminal_mode::restore();
    // A script that feeds lines must learn that its last one failed.
    let told = |kind: &Kind| !typed_by_a_person || *kind == Kind::Interrupted;
    match failed.filter(told) {
        Some(kind) => Err(Failure::told(kind)),
        None => Ok(()),
    }
}

/// `/build` is a command, `/dev/ttyACM0 is silent` are words.
fn is_command(rest: &str) -> bool {
    let name = rest.split_whitespace().next().unwrap_or_default();
    !name.contains('/') || name.is_empty()
}

/// What waits comes first; it is shown as if it were typed now.
fn next_line(repl: &mut Repl, input: &mut Input) -> Result<Line, Failure> {
    if let Some(line) = repl.queue.waiting.pop_front() {
        let signs = Abilities::of_stdout();
        let mark = signs.sign("› ", "> ");
        input.remember(&line);
        crate::output::line("");
        for (number, line) in line.lines().enumerate() {
            let mark = if number == 0 { mark } else { "  " };
            crate::output::line(&Shown::plain(format!("{mark}{line}")).paint(signs.colours));
        }
        return Ok(Line::Text(line));
    }
    let typed = repl.queue.typed.take();
    if matches!(input, Input::Terminal(_)) || line_editor::is_possible() {
        crate::output::line("");
    }
    input.read(&repl.conversation.status(), &typed)
}

fn greet(repl: &Repl) {
    let context = &repl.context;
    let bold = anstyle::Style::new().bold();
    context.note(format_args!("{bold}fwai {}{bold:#}", env!("CARGO_PKG_VERSION")));
    note(context, &say!("repl-greeting"));
    if letters::is_limited() && !context.flags.quiet {
        note(context, &say!("repl-ascii-only"));
    }
    let has_model = |layered: &Layered| provider::choose(&layered.config.provider).is_ok();
    if context.config().is_ok_and(|layered| !has_model(layered)) {
        note(context, &say!("repl-no-model-yet"));
    }
    if !context.paths.project_file().exists() {
        note(context, &say!("repl-not-set-up"));
    }
}

/// A note, broken at the borders of words.
fn note(context: &Context, text: &str) {
    let columns = crate::render::abilities::size().0.saturating_sub(1);
    for line in wrap(&[Span::plain(text)], columns, &Indent::default()) {
        context.note(line.paint(false));
    }
}
