//! What the session changed: a snapshot before each changing call, counts after it, and undo.
//!
//! The state after one change is the state before the next, so that one snapshot serves both. Steps are
//! kept beside the session's snapshots, so that `fwai undo` works after the session has ended.

use crate::atomic;
use fwai_agent::host::{CallRequest, HostError};
use fwai_policy::budget::{ChangeBudget, FileChange};
use fwai_schema::{event::EventBody, permission::Level, policy::Policy};
use fwai_tools::snapshots::{SnapshotError, Snapshots, TreeId};
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

/// A call and the state before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Counts from 1.
    pub number: u64,
    pub call: String,
    /// The tool and what it was given, in short; without secrets.
    #[serde(default)]
    pub what: String,
    pub before: TreeId,
}

/// Everything that was changed since the session began.
pub struct ChangeTracker {
    root: PathBuf,
    budget: Mutex<ChangeBudget>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    snapshots: Option<Snapshots>,
    base: Option<TreeId>,
    last: Option<TreeId>,
    steps: Vec<Step>,
    unavailable: bool,
}

/// What a change amounts to.
#[derive(Default)]
pub struct Measured {
    pub events: Vec<EventBody>,
    pub over_budget: Option<String>,
}

/// `edit_file src/main.c`, `bash make clean`: the tool, and the first thing that it was told.
pub fn in_short(call: &CallRequest) -> String {
    let named = ["path", "command"].iter().find_map(|key| call.arguments.get(key)?.as_str());
    let first = || call.arguments.as_object()?.values().find_map(|value| value.as_str());
    let words = named.or_else(first).unwrap_or_default();
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(80).collect();
    format!("{} {words}", call.tool).trim_end().to_owned()
}

/// Tools that only talk to a board leave the work tree alone.
pub fn may_change_files(call: &CallRequest) -> bool {
    !call.read_only && matches!(call.level, Level::Write | Level::Execute)
}

impl ChangeTracker {
    pub fn new(root: &Path, policy: &Policy) -> Self {
        Self { root: root.to_owned(), budget: Mutex::new(ChangeBudget::new(policy)), inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Notes the state before a call.
    pub async fn before(self: Arc<Self>, call: String, what: String) {
        let _ = tokio::task::spawn_blocking(move || self.note(call, what)).await;
    }

    fn note(&self, call: String, what: String) {
        let mut inner = self.inner();
        let Some(now) = self.current(&mut inner) else { return };
        let number = inner.steps.last().map_or(1, |step| step.number + 1);
        inner.base.get_or_insert_with(|| now.clone());
        inner.last = Some(now.clone());
        let step = Step { number, call, what, before: now };
        if let Err(error) = append(&self.root, &step, inner.steps.is_empty()) {
            tracing::warn!("undo will not outlive this session: {error}");
        }
        inner.steps.push(step);
    }

    /// Measures what a call changed. With `enforce` a change beyond the budget is taken back.
    pub async fn after(self: Arc<Self>, enforce: bool) -> Measured {
        tokio::task::spawn_blocking(move || self.measure(enforce)).await.unwrap_or_default()
    }

    fn measure(&self, enforce: bool) -> Measured {
        let mut inner = self.inner();
        let Some(before) = inner.last.clone() else { return Measured::default() };
        let Some(now) = self.current(&mut inner) else { return Measured::default() };
        let (Some(snapshots), Some(base)) = (&inner.snapshots, &inner.base) else {
            return Measured::default();
        };
        let events = snapshots.changes(&before, &now).map(|changes| changes.into_iter().map(event).collect());
        let mut budget = self.budget.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut over_budget = None;
        if budget.is_limited()
            && let Ok(changes) = snapshots.changes(base, &now)
        {
            let counted = changes.into_iter().map(|change| {
                // A binary file has no lines; it counts as one change all the same.
                let lines = FileChange {
                    added: change.added.max(u64::from(change.removed == 0)),
                    removed: change.removed,
                };
                (change.path, lines)
            });
            budget.replace(counted);
            over_budget = budget.verify().err().map(|over| over.to_string());
        }
        if let Some(over) = over_budget.as_mut().filter(|_| enforce && now != before) {
            return match snapshots.put_back(&now, &before, |_| true) {
                Ok(()) => {
                    over.push_str("\nEverything that this call changed was taken back.");
                    Measured { events: Vec::new(), over_budget }
                }
                Err(error) => {
                    over.push_str(&format!("\nTaking it back failed: {error}"));
                    inner.last = Some(now);
                    Measured { events: events.unwrap_or_default(), over_budget }
                }
            };
        }
        inner.last = Some(now);
        Measured { events: events.unwrap_or_default(), over_budget }
    }

    /// The state now; `None` where snapshots cannot be taken, which is told once.
    fn current(&self, inner: &mut Inner) -> Option<TreeId> {
        if inner.unavailable {
            return None;
        }
        let taken = match &inner.snapshots {
            Some(snapshots) => snapshots.take(),
            None => Snapshots::open(&self.root).and_then(|snapshots| {
                // A budget would be worth nothing if a line in .gitignore hid what was made after it.
                let is_limited =
                    self.budget.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_limited();
                let snapshots = if is_limited { snapshots.ignoring_as_at_start() } else { snapshots };
                let taken = snapshots.take();
                inner.snapshots = Some(snapshots);
                taken
            }),
        };
        match taken {
            Ok(tree) => Some(tree),
            Err(error) => {
                inner.unavailable = true;
                tracing::warn!("nothing can be undone in this session: {error}");
                None
            }
        }
    }

    /// Restores the state before a step, or before the last one that changed something.
    pub fn undo(&self, to: Option<u64>) -> Result<(String, Vec<EventBody>), HostError> {
        let mut inner = self.inner();
        if inner.steps.is_empty() {
            inner.steps = steps(&self.root);
        }
        let (text, events, left) =
            undo_steps(&self.root, &inner.steps, to).map_err(|why| HostError::new(why.to_string()))?;
        inner.steps = left;
        inner.last = None;
        Ok((text, events))
    }
}

/// Restores the state before step `to`, or before the last step whose change is still there. The answer is
/// what was done, its events, and the steps that are left.
pub fn undo_steps(
    root: &Path,
    steps: &[Step],
    to: Option<u64>,
) -> Result<(String, Vec<EventBody>, Vec<Step>), SnapshotError> {
    let snapshots = Snapshots::open(root)?;
    let now = snapshots.take()?;
    let target = match to {
        Some(number) => steps.iter().position(|step| step.number == number),
        None => steps.iter().rposition(|step| step.before != now),
    };
    let Some(at) = target else {
        let text = match to {
            Some(number) => format!("there is no step {number}; the steps are {}", listed(steps)),
            None => "nothing to undo".to_owned(),
        };
        return Ok((text, Vec::new(), steps.to_vec()));
    };
    let (_, changes) = snapshots.restore(&steps[at].before)?;
    let left = steps[..at].to_vec();
    let text: String = left.iter().map(line_of).collect();
    atomic::write(&steps_file(root), text.as_bytes())
        .map_err(|source| SnapshotError::Io { path: steps_file(root).display().to_string(), source })?;
    let names: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    let said = match names.len() {
        0 => format!("step {} had changed nothing", steps[at].number),
        count => format!("restored {count} files to before step {}: {}", steps[at].number, names.join(", ")),
    };
    Ok((said, changes.into_iter().map(event).collect(), left))
}

/// The steps that can be undone, oldest first.
pub fn steps(root: &Path) -> Vec<Step> {
    let text = std::fs::read_to_string(steps_file(root)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Adds a step to those on disk; the first one of a session begins anew.
fn append(root: &Path, step: &Step, is_first: bool) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).write(true).truncate(is_first).append(!is_first);
    let path = steps_file(root);
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    options.open(path)?.write_all(line_of(step).as_bytes())
}

fn line_of(step: &Step) -> String {
    serde_json::to_string(step).unwrap_or_default() + "\n"
}

/// What changed since the first step that is left, as a diff.
pub fn diff(root: &Path) -> Result<String, SnapshotError> {
    let Some(first) = steps(root).into_iter().next() else { return Ok(String::new()) };
    let snapshots = Snapshots::open(root)?;
    let now = snapshots.take()?;
    snapshots.diff(&first.before, &now)
}

fn listed(steps: &[Step]) -> String {
    steps.iter().map(|step| step.number.to_string()).collect::<Vec<_>>().join(", ")
}

fn steps_file(root: &Path) -> PathBuf {
    root.join(".fwai/undo/fwai-steps.jsonl")
}

fn event(change: fwai_tools::snapshots::FileChange) -> EventBody {
    EventBody::FileChanged {
        path: change.path,
        how: change.how.as_str().to_owned(),
        lines_added: change.added,
        lines_removed: change.removed,
    }
}
