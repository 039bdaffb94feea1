//! What the run of a skill has beside that of any other turn: its steps, and what the runs of the steps hold.

use super::broken;
use fwai_agent::host::HostError;
use fwai_evidence::runs::{Run, RunStore, load_evidence};
use fwai_schema::{
    evidence::RunStatus,
    skill::{StepRecord, StepStatus},
};
use std::{collections::HashSet, io::Write as _};

/// Of a long console log the end is taken over; the run that heard it has the whole.
const LONGEST_CONSOLE: usize = 1 << 20;

/// A skill as it runs.
#[derive(Default)]
pub struct SkillRecord {
    /// Runs that the steps left, in order.
    linked: Vec<String>,
    /// How many there were when the present step began.
    before_step: usize,
    /// Every run of the project when the present step began.
    runs_before_step: HashSet<String>,
    /// How many were already put together.
    collected: usize,
    pub status: Option<StepStatus>,
    /// Part of a turn that the model leads.
    pub nested: bool,
}

impl SkillRecord {
    pub fn new(nested: bool) -> Self {
        Self { nested, ..Self::default() }
    }

    pub fn link(&mut self, run_id: &str) {
        if !self.linked.iter().any(|known| known == run_id) {
            self.linked.push(run_id.to_owned());
        }
    }

    pub fn step_begins(&mut self, store: &RunStore) {
        self.before_step = self.linked.len();
        self.runs_before_step = run_names(store);
    }

    /// The record with every run that was left since the step began, those of its agents too.
    pub fn step_ended(&mut self, mut step: StepRecord, own_run: &str, store: &RunStore) -> StepRecord {
        // What was left out never began, and the runs since are those of another step.
        if step.attempts == 0 {
            return step;
        }
        // A call that was cut off could not say which run it had begun.
        if matches!(step.status, StepStatus::Timeout | StepStatus::Interrupted) {
            let mut new: Vec<String> =
                run_names(store).into_iter().filter(|name| !self.runs_before_step.contains(name)).collect();
            new.sort();
            new.iter().filter(|name| *name != own_run).for_each(|name| self.link(name));
        }
        for run in &self.linked[self.before_step.min(self.linked.len())..] {
            if !step.runs.contains(run) {
                step.runs.push(run.clone());
            }
        }
        step
    }

    /// Takes over what the runs of the steps found out, so that the skill's own record is enough to read.
    pub fn collect(&mut self, run: &mut Run, store: &RunStore) -> Result<String, HostError> {
        let new = self.linked[self.collected..].to_vec();
        self.collected = self.linked.len();
        let mut told = take_over(run, store, &new)?;
        if let Some(changes) = run.add_changes(&[]).map_err(broken)? {
            told.push(format!(
                "{} files changed (+{} -{})",
                changes.files_changed, changes.lines_added, changes.lines_removed
            ));
        }
        Ok(format!("run {}\n{}", run.id(), told.join("\n")))
    }

    pub fn ended_as(&self) -> RunStatus {
        match self.status {
            Some(StepStatus::Success | StepStatus::Skipped) => RunStatus::Success,
            Some(StepStatus::Denied) => RunStatus::Denied,
            Some(StepStatus::Timeout) => RunStatus::Timeout,
            Some(StepStatus::Failure) => RunStatus::Failure,
            // The skill never said how it ended.
            Some(StepStatus::Interrupted) | None => RunStatus::Interrupted,
        }
    }
}

/// Takes over what other runs found out: what was made, what a board holds, whether it came up. The text says how
/// each of them ended.
pub fn take_over(run: &mut Run, store: &RunStore, ids: &[String]) -> Result<Vec<String>, HostError> {
    let mut told = Vec::new();
    let mut boot = None;
    for id in ids {
        let evidence = match load_evidence(store.root(), id) {
            Ok(evidence) => evidence,
            Err(error) => {
                told.push(format!("{id}: {error}"));
                continue;
            }
        };
        told.push(format!("{id}: {}", word(evidence.status)));
        for artifact in evidence.artifacts {
            if !run.evidence().artifacts.contains(&artifact) {
                run.add_artifact(artifact).map_err(broken)?;
            }
        }
        boot = evidence.boot_status.map(|boot| (id, boot)).or(boot);
        if let Some(flash) = evidence.flash {
            run.set_flash(flash).map_err(broken)?;
        }
        if let Some(hardware) = evidence.hardware {
            run.set_hardware(hardware).map_err(broken)?;
        }
    }
    if let Some((id, mut boot)) = boot {
        let console = boot.log_file.as_ref().and_then(|name| console_of(store, id, name));
        boot.log_file = console.map(|text| keep_console(run, &text)).transpose()?;
        run.set_boot(boot).map_err(broken)?;
    }
    Ok(told)
}

/// What a console said at last; a name that leads out of the run is not followed.
fn console_of(store: &RunStore, id: &str, name: &str) -> Option<Vec<u8>> {
    if name.contains('/') || name.starts_with('.') {
        return None;
    }
    let mut text = std::fs::read(store.runs_directory().join(id).join(name)).ok()?;
    text.drain(..text.len().saturating_sub(LONGEST_CONSOLE));
    Some(text)
}

fn keep_console(run: &mut Run, text: &[u8]) -> Result<String, HostError> {
    let mut log = run.open_log("console.log").map_err(broken)?;
    log.write_all(text).map_err(broken)?;
    Ok(run.close_log(log).map_err(broken)?.name)
}

fn run_names(store: &RunStore) -> HashSet<String> {
    let entries = std::fs::read_dir(store.runs_directory()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| !name.starts_with('.')).collect()
}

/// A status as files write it.
pub fn word(status: RunStatus) -> String {
    let value = serde_json::to_value(status).ok();
    value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
