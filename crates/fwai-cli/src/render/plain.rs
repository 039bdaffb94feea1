//! Events as plain lines: the answer on standard output, everything around it on standard error.

use super::{
    Abilities,
    call::{Call, refusal},
    change_word,
    clean::{Cleaner, clean},
    status_word,
};
use crate::{
    context::Context,
    language::{permission, say, understood},
};
use fwai_agent::{decision::trace_line, outcome::text_of};
use fwai_schema::event::{Event, EventBody};
use std::{collections::HashMap, io::Write};

/// Shows a session line by line, without moving the cursor.
pub struct Plain {
    quiet: bool,
    trace: bool,
    /// The answer's last piece did not end its line.
    open_line: bool,
    cleaner: Cleaner,
    abilities: Abilities,
    calls: HashMap<String, String>,
    finished: Vec<Call>,
}

impl Plain {
    pub fn new(context: &Context) -> Self {
        let configured = context.config().is_ok_and(|layered| layered.config.agent.decision_trace);
        let silenced = std::env::var("AGENTS_DECISION_TRACE").is_ok_and(|value| value == "0");
        Self {
            quiet: context.flags.quiet,
            trace: configured && !silenced,
            open_line: false,
            cleaner: Cleaner::default(),
            abilities: Abilities::of_stdout(),
            calls: HashMap::new(),
            finished: Vec::new(),
        }
    }

    /// Calls that have ended since the last question.
    pub fn take_finished(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.finished)
    }

    pub fn show(&mut self, event: &Event) {
        match &event.body {
            EventBody::TextDelta { text } => {
                let text = self.cleaner.clean(text);
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                self.open_line = !text.ends_with('\n');
            }
            EventBody::Message { .. } => {
                self.end_line();
                self.cleaner = Cleaner::default();
            }
            EventBody::Decision { step, thought, plan_steps } if self.trace => {
                self.aside(&trace_line(*step, thought, *plan_steps));
            }
            EventBody::ToolCallStart { id, name, arguments } => {
                self.calls.insert(id.clone(), format!("{name} {}", short(arguments)));
            }
            EventBody::ToolCallEnd { id, success, duration_ms, name, content, full_output, .. } => {
                let call = self.calls.remove(id).unwrap_or_else(|| name.clone());
                self.finished.push(Call {
                    name: clean(name),
                    about: clean(call.strip_prefix(name.as_str()).unwrap_or_default().trim()),
                    success: *success,
                    duration_ms: *duration_ms,
                    text: clean(&text_of(content)),
                    full_output: full_output.clone(),
                });
                let mark = match success {
                    true => self.abilities.sign("✓", "ok"),
                    false => self.abilities.sign("✗", "failed"),
                };
                self.aside(&format!("{mark} {} ({duration_ms} ms)", call.trim_end()));
                let lines = if *success { 2 } else { 5 };
                let text = text_of(content);
                let shown = if *success { text.as_str().into() } else { refusal(&text) };
                for line in gist(&shown, lines) {
                    self.aside(&format!("  {} {line}", self.abilities.sign("│", "|")));
                }
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
            EventBody::PermissionRequest { what, reason, .. } => {
                self.aside(&say!("repl-asks", what = permission(what), reason = permission(reason)))
            }
            EventBody::PlanUpdated { path, .. } => self.aside(&say!("repl-plan", path = path)),
            EventBody::Question { markdown: Some(markdown), .. } => self.aside(markdown),
            EventBody::TurnEnded { .. } => self.end_line(),
            other => {
                if let Some(line) = super::skill_line(other) {
                    self.aside(&line);
                }
            }
        }
    }

    fn aside(&mut self, text: &str) {
        self.end_line();
        if !self.quiet {
            let dim = anstyle::Style::new().dimmed();
            crate::output::error_line(&format!("{dim}{}{dim:#}", clean(text)));
        }
    }

    /// Ends the answer's line before something else is said.
    fn end_line(&mut self) {
        if self.open_line {
            crate::output::line("");
            self.open_line = false;
        }
    }
}

/// The first lines of a result, each cut to a width that a terminal shows.
fn gist(text: &str, lines: usize) -> Vec<String> {
    let mut shown: Vec<String> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(lines)
        .map(|line| match line.char_indices().nth(110) {
            Some((end, _)) => format!("{}…", &line[..end]),
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

fn short(arguments: &serde_json::Value) -> String {
    let text = match arguments {
        serde_json::Value::Object(map) => {
            let shown = |value: &serde_json::Value| match value {
                serde_json::Value::String(text) => text.replace('\n', "⏎"),
                other => other.to_string(),
            };
            map.values().map(shown).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
