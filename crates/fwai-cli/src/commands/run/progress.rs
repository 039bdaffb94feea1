//! A skill as it runs, line by line for people, and its facts for the summary.

use crate::{
    context::Context,
    headless::Viewer,
    language::{permission, say, understood},
    output,
    render::{Abilities, change_word, printable, retry},
};
use fwai_app::ci::CiSystem;
use fwai_schema::{
    event::{Event, EventBody},
    skill::{StepRecord, StepStatus},
};
use std::{
    io::Write,
    time::{SystemTime, UNIX_EPOCH},
};

/// What the events said.
#[derive(Debug, Default)]
pub struct Facts {
    pub skill: String,
    pub steps: Vec<StepRecord>,
    /// Steps that never got their turn.
    pub planned: Vec<String>,
    pub status: Option<StepStatus>,
    pub reason: Option<String>,
    pub duration_ms: u64,
    pub run_id: Option<String>,
    pub cost_usd: Option<f64>,
}

/// Shows a skill line by line, without moving the cursor.
pub struct Progress {
    quiet: bool,
    json: bool,
    ci: Option<CiSystem>,
    open_line: bool,
    signs: Abilities,
    pub facts: Facts,
}

impl Progress {
    pub fn new(context: &Context, skill: &str) -> Self {
        Self {
            quiet: context.flags.quiet,
            json: context.json(),
            ci: context.ci.filter(|_| !context.flags.quiet),
            open_line: false,
            signs: Abilities::of_stdout(),
            facts: Facts { skill: skill.to_owned(), ..Facts::default() },
        }
    }
}

impl Viewer for Progress {
    fn show(&mut self, event: &Event) {
        match &event.body {
            EventBody::SkillStarted { steps, .. } => self.facts.planned.clone_from(steps),
            EventBody::StepStarted { name, kind } => {
                self.section(name, true);
                let at = self.facts.planned.iter().position(|planned| planned == name).map_or(0, |at| at + 1);
                let of = self.facts.planned.len();
                let kind = if name == kind { String::new() } else { format!(" ({kind})") };
                let mark = self.signs.sign("…", "...");
                self.line(&format!("[{at}/{of}] {name}{kind} {mark}"), false);
            }
            EventBody::StepRetry { name, attempt, delay_ms, reason } => {
                self.line(&format!("      {}", retry(name, *attempt, *delay_ms, reason)), false);
            }
            EventBody::StepEnded { step } => {
                self.ended(step);
                if step.status != StepStatus::Skipped {
                    self.section(&step.name, false);
                }
                self.facts.steps.push(step.clone());
            }
            EventBody::SkillEnded { status, reason, duration_ms, .. } => {
                self.facts.status = Some(*status);
                self.facts.reason.clone_from(reason);
                self.facts.duration_ms = *duration_ms;
            }
            EventBody::EvidenceWritten { run_id, .. } => self.facts.run_id = Some(run_id.clone()),
            EventBody::TurnEnded { cost_usd, .. } => self.facts.cost_usd = *cost_usd,
            // What an agent of a step does.
            EventBody::ToolOutput { text, .. } if text.starts_with('[') => {
                for line in text.lines() {
                    self.line(&format!("      {line}"), true);
                }
            }
            EventBody::TextDelta { text } if !self.json => {
                let mut out = anstream::stdout().lock();
                let _ = out.write_all(printable(text).as_bytes()).and_then(|()| out.flush());
                self.open_line = !text.ends_with('\n');
            }
            EventBody::FileChanged { path, how, lines_added, lines_removed } => {
                let how = change_word(how);
                self.line(&format!("      {how} {path} (+{lines_added} -{lines_removed})"), true);
            }
            EventBody::Warning { message } => {
                self.line(&format!("{}{}", say!("warning"), understood(message)), false);
            }
            EventBody::PermissionRequest { what, reason, .. } => {
                let asked = say!("repl-asks", what = permission(what), reason = permission(reason));
                self.line(&format!("      {asked}"), false);
            }
            _ => {}
        }
    }
}

impl Progress {
    fn ended(&mut self, step: &StepRecord) {
        let seconds = step.duration_ms as f64 / 1000.0;
        let tries = match step.attempts {
            0 | 1 => String::new(),
            count => say!("step-tries", count = count),
        };
        match step.status {
            StepStatus::Skipped => {
                let left = say!("step-left-out", name = step.name, why = understood(&step.detail));
                self.line(&format!("      {} {left}", self.signs.sign("–", "-")), true)
            }
            StepStatus::Success => {
                let mark = self.signs.sign("✓", "ok");
                self.line(&format!("      {mark} {} ({seconds:.1} s{tries})", step.name), false)
            }
            status => {
                let mark = self.signs.sign("✗", "x");
                let status = status.as_str();
                self.line(&format!("      {mark} {} {status} ({seconds:.1} s{tries})", step.name), false);
            }
        }
        let lines = match step.status {
            StepStatus::Skipped => 0,
            // The last result is mostly what the skill was run for.
            StepStatus::Success if self.is_last_result(&step.name) => 30,
            StepStatus::Success => 3,
            _ => 12,
        };
        // An analysis was already shown as it came.
        if step.kind == "llm_analyze" && step.status == StepStatus::Success {
            return;
        }
        for line in step.detail.lines().filter(|line| !line.trim().is_empty()).take(lines) {
            let short: String = line.chars().take(140).collect();
            self.line(&format!("        {short}"), true);
        }
    }

    fn is_last_result(&self, name: &str) -> bool {
        let result = |planned: &&String| !planned.starts_with("evidence");
        self.facts.planned.iter().rfind(result).is_some_and(|last| last == name)
    }

    /// Lines between which a CI system folds.
    fn section(&mut self, name: &str, begins: bool) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if let Some(line) = self.ci.and_then(|ci| ci.section(name, begins, now)) {
            output::error_line(&line);
        }
    }

    fn line(&mut self, text: &str, dim: bool) {
        if self.open_line {
            output::line("");
            self.open_line = false;
        }
        if self.quiet {
            return;
        }
        let text = printable(text);
        let style = anstyle::Style::new().dimmed();
        output::error_line(&if dim { format!("{style}{text}{style:#}") } else { text });
    }
}
