//! Events as plain lines: the answer on standard output, everything around it on standard error, unless both
//! belong together.

use super::{
    Abilities,
    call::{self, Call, Waits, refusal},
    change_word,
    clean::{Cleaner, clean},
    letters, status_word,
};
use crate::{
    context::Context,
    failure::Failure,
    language::{permission, say, understood},
};
use fwai_agent::{decision::trace_line, outcome::text_of};
use fwai_schema::event::{Event, EventBody};
use std::{collections::HashMap, io::Write, time::Duration};

/// Where lines go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// The answer on standard output, the rest on standard error.
    Apart,
    /// All on standard output: a story to be read as a whole.
    Out,
    /// All on standard error: standard output is for programs.
    Error,
}

/// Shows a session line by line, without moving the cursor.
pub struct Plain {
    quiet: bool,
    streams: Streams,
    trace: bool,
    /// Whoever shows this asks for permissions in words of its own.
    asks: bool,
    /// The answer's last piece did not end its line.
    open_line: bool,
    cleaner: Cleaner,
    abilities: Abilities,
    calls: HashMap<String, String>,
    finished: Vec<Call>,
    waits: Waits,
}

impl Plain {
    pub fn new(context: &Context) -> Self {
        let configured = context.config().is_ok_and(|layered| layered.config.agent.decision_trace);
        let silenced = std::env::var("AGENTS_DECISION_TRACE").is_ok_and(|value| value == "0");
        Self {
            quiet: context.flags.quiet,
            streams: Streams::Apart,
            trace: configured && !silenced,
            asks: false,
            open_line: false,
            cleaner: Cleaner::default(),
            abilities: Abilities::of_stdout(),
            calls: HashMap::new(),
            finished: Vec::new(),
            waits: Waits::default(),
        }
    }

    /// The same for a door where permissions are asked for.
    pub fn with_questions(context: &Context) -> Self {
        Self { asks: true, ..Self::new(context) }
    }

    pub fn on(mut self, streams: Streams) -> Self {
        self.streams = streams;
        self
    }

    /// Calls that have ended since the last question.
    pub fn take_finished(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.finished)
    }

    pub fn show(&mut self, event: &Event) {
        self.waits.note(&event.body);
        match &event.body {
            EventBody::TextDelta { text } => {
                let text = self.cleaner.clean(text);
                self.say(&text);
            }
            EventBody::Message { .. } => {
                self.end_line();
                self.cleaner = Cleaner::default();
            }
            EventBody::Decision { step, thought, plan_steps } if self.trace => {
                self.aside(&trace_line(*step, thought, *plan_steps));
            }
            EventBody::ToolCallStart { id, arguments, .. } => {
                self.calls.insert(id.clone(), call::about(arguments, self.abilities));
            }
            EventBody::ToolCallEnd { id, success, duration_ms, name, content, full_output, .. } => {
                let call = Call {
                    name: clean(name),
                    about: self.calls.remove(id).unwrap_or_default(),
                    success: *success,
                    duration_ms: self.waits.without(id, *duration_ms),
                    text: clean(&text_of(content)),
                    full_output: full_output.clone(),
                };
                let mark = match success {
                    true => self.abilities.sign("✓", "ok"),
                    false => self.abilities.sign("✗", "failed"),
                };
                let called = format!("{mark} {} {}", call.name, call.about);
                let time = call::took(Duration::from_millis(call.duration_ms));
                self.aside(&format!("{} ({time})", called.trim_end()));
                let lines = if *success { 2 } else { 5 };
                let shown = if *success { call.text.as_str().into() } else { refusal(&call.text) };
                for line in gist(&shown, lines, self.abilities.sign("…", "...")) {
                    self.aside(&format!("  {} {line}", self.abilities.sign("│", "|")));
                }
                self.finished.push(call);
            }
            EventBody::Warning { message } => {
                self.aside(&format!("{}{}", say!("warning"), understood(message)));
            }
            EventBody::Hint { text } => self.aside(&say!("repl-hint", text = text)),
            EventBody::FileChanged { path, how, lines_added, lines_removed } => {
                let how = change_word(how);
                self.aside(&format!("  {how} {path} (+{lines_added} -{lines_removed})"));
            }
            EventBody::EvidenceWritten { run_id, status, .. } => {
                self.aside(&say!("repl-evidence", run = run_id, status = status_word(status)))
            }
            EventBody::PermissionRequest { what, reason, .. } if !self.asks => {
                self.aside(&say!("repl-asks", what = permission(what), reason = permission(reason)))
            }
            EventBody::PlanUpdated { path, .. } => self.aside(&say!("repl-plan", path = path)),
            // A plan is an answer: whoever takes standard output wants it.
            EventBody::Question { markdown: Some(markdown), .. } => {
                self.end_line();
                self.say(&format!("{}\n", clean(markdown).trim_end()));
            }
            EventBody::Error { message, hint } if self.asks => {
                self.end_line();
                let failure = Failure::failed(message);
                match hint {
                    Some(hint) => failure.hint(hint).tell(),
                    None => failure.tell(),
                }
            }
            EventBody::TurnEnded { .. } => self.end_line(),
            other => {
                if let Some(line) = super::skill_line(other) {
                    self.aside(&line);
                }
            }
        }
    }

    /// A piece of the answer.
    fn say(&mut self, text: &str) {
        let mut out: Box<dyn Write> = match self.streams {
            Streams::Error => Box::new(std::io::stderr().lock()),
            Streams::Apart | Streams::Out => Box::new(std::io::stdout().lock()),
        };
        let _ = out.write_all(letters::shown(text).as_bytes()).and_then(|()| out.flush());
        self.open_line = !text.ends_with('\n');
    }

    fn aside(&mut self, text: &str) {
        self.end_line();
        if !self.quiet {
            let dim = anstyle::Style::new().dimmed();
            let line = format!("{dim}{}{dim:#}", clean(text));
            match self.streams {
                Streams::Out => crate::output::words(&line),
                Streams::Apart | Streams::Error => crate::output::error_line(&line),
            }
        }
    }

    /// Ends the answer's line before something else is said.
    fn end_line(&mut self) {
        if self.open_line {
            match self.streams {
                Streams::Error => crate::output::error_line(""),
                Streams::Apart | Streams::Out => crate::output::line(""),
            }
            self.open_line = false;
        }
    }
}

/// The first lines of a result, each cut to a width that a terminal shows.
fn gist(text: &str, lines: usize, mark: &str) -> Vec<String> {
    let mut shown: Vec<String> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(lines)
        .map(|line| match line.char_indices().nth(110) {
            Some((end, _)) => format!("{}{mark}", &line[..end]),
            None => line.to_owned(),
        })
        .collect();
    let more = text.lines().filter(|line| !line.trim().is_empty()).count().saturating_sub(lines);
    if more > 0
        && let Some(last) = shown.last_mut()
    {
        last.push_str(&say!("plain-more-lines", count = more));
    }
    shown
}
