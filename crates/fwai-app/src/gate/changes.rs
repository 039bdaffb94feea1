//! What the session changed: a snapshot before each changing call, counts after it, and undo.
//!
//! The state after one change is the state before the next, so that one snapshot serves both. Steps are
//! kept beside the session's snapshots, so that `fwai undo` works after the session has ended. What happened
//! between two steps, or after the last, is the user's own work: undo leaves it alone.

use crate::atomic;
use fwai_agent::host::{CallRequest, HostError};
use fwai_policy::budget::{ChangeBudget, FileChange};
use fwai_schema::{event::EventBody, permission::Level, policy::Policy};
use fwai_tools::snapshots::{SnapshotError, Snapshots, TreeId};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
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
    /// The state when the call had ended; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<TreeId>,
    /// A job that goes on after the call: what changes from then on may be its work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
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

/// Whether a call starts a job that outlives it.
pub fn goes_on(call: &CallRequest) -> bool {
    call.arguments.get("background").is_some_and(|given| *given == serde_json::Value::Bool(true))
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
    pub async fn before(self: Arc<Self>, call: String, what: String, goes_on: bool) {
        let _ = tokio::task::spawn_blocking(move || self.note(call, what, goes_on)).await;
    }

    fn note(&self, call: String, what: String, goes_on: bool) {
        let mut inner = self.inner();
        let Some(now) = self.current(&mut inner) else { return };
        let number = inner.steps.last().map_or(1, |step| step.number + 1);
        inner.base.get_or_insert_with(|| now.clone());
        inner.last = Some(now.clone());
        let step = Step { number, call, what, before: now, after: None, goes_on };
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
        ended(&self.root, &mut inner.steps, &now);
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

/// Takes back what the steps from `to` on changed, or what the last step did whose change is still there. What the
/// user did to other files stays, and so does a file that the user has changed since. The answer is what was done,
/// its events, and the steps that are left.
pub fn undo_steps(
    root: &Path,
    steps: &[Step],
    to: Option<u64>,
) -> Result<(String, Vec<EventBody>, Vec<Step>), SnapshotError> {
    let snapshots = Snapshots::open(root)?;
    let now = snapshots.take()?;
    let own = |at: usize| own_paths(&snapshots, steps, at, &now);
    let target = match to {
        Some(number) => steps.iter().position(|step| step.number == number),
        None => {
            let mut last = None;
            for at in (0..steps.len()).rev() {
                let differ = paths_between(&snapshots, &steps[at].before, &now)?;
                if !own(at)?.is_disjoint(&differ) {
                    last = Some(at);
                    break;
                }
            }
            last
        }
    };
    let Some(at) = target else {
        let text = match to {
            Some(number) => format!("there is no step {number}; the steps are {}", listed(steps)),
            None => "nothing to undo".to_owned(),
        };
        return Ok((text, Vec::new(), steps.to_vec()));
    };
    let mut wanted = BTreeSet::new();
    for at in at..steps.len() {
        wanted.extend(own(at)?);
    }
    let at_the_end = steps.len().checked_sub(1).and_then(|last| end_of(steps, last)).unwrap_or(&now);
    let since = paths_between(&snapshots, at_the_end, &now)?;
    let kept: Vec<String> = wanted.intersection(&since).cloned().collect();
    wanted.retain(|path| !since.contains(path));
    snapshots.put_back(&now, &steps[at].before, |path| wanted.contains(path))?;
    let mut changes = snapshots.changes(&now, &steps[at].before)?;
    changes.retain(|change| wanted.contains(&change.path));
    let left = steps[..at].to_vec();
    let text: String = left.iter().map(line_of).collect();
    atomic::write(&steps_file(root), text.as_bytes())
        .map_err(|source| SnapshotError::Io { path: steps_file(root).display().to_string(), source })?;
    let names: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    let mut said = match names.len() {
        0 => format!("step {} had changed nothing", steps[at].number),
        count => format!("restored {count} files to before step {}: {}", steps[at].number, names.join(", ")),
    };
    if !kept.is_empty() {
        said.push_str(&format!(
            "\nleft as they are, since they were changed afterwards: {}",
            kept.join(", ")
        ));
    }
    Ok((said, changes.into_iter().map(event).collect(), left))
}

fn paths_between(
    snapshots: &Snapshots,
    one: &TreeId,
    other: &TreeId,
) -> Result<BTreeSet<String>, SnapshotError> {
    Ok(snapshots.changed_paths(one, other)?.into_iter().map(|(path, _)| path).collect())
}

/// The files that a step itself changed. One that never came to its end counts up to the next, or to now.
fn own_paths(
    snapshots: &Snapshots,
    steps: &[Step],
    at: usize,
    now: &TreeId,
) -> Result<BTreeSet<String>, SnapshotError> {
    let next = || steps.get(at + 1).map(|next| &next.before);
    let after = end_of(steps, at).or_else(next).unwrap_or(now);
    paths_between(snapshots, &steps[at].before, after)
}

/// The state in which a step ended, where nothing of the agent went on beside it.
fn end_of(steps: &[Step], at: usize) -> Option<&TreeId> {
    let alone = !steps[..=at].iter().any(|step| step.goes_on);
    steps[at].after.as_ref().filter(|_| alone)
}

/// Notes the state in which the running steps ended.
fn ended(root: &Path, steps: &mut [Step], now: &TreeId) {
    for step in steps.iter_mut().rev().take_while(|step| step.after.is_none()) {
        step.after = Some(now.clone());
        if let Err(error) = append(root, step, false) {
            tracing::warn!("undo will not outlive this session: {error}");
        }
    }
}

/// The steps that can be undone, oldest first.
pub fn steps(root: &Path) -> Vec<Step> {
    let text = std::fs::read_to_string(steps_file(root)).unwrap_or_default();
    // A step stands there when it begins, and again when it has ended.
    let mut steps: BTreeMap<u64, Step> = BTreeMap::new();
    for step in text.lines().filter_map(|line| serde_json::from_str::<Step>(line).ok()) {
        steps.insert(step.number, step);
    }
    steps.into_values().collect()
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

/// What the steps that are left changed, as a diff.
pub fn diff(root: &Path) -> Result<String, SnapshotError> {
    let steps = steps(root);
    let Some(first) = steps.first() else { return Ok(String::new()) };
    let snapshots = Snapshots::open(root)?;
    let now = snapshots.take()?;
    let mut own = BTreeSet::new();
    for at in 0..steps.len() {
        own.extend(own_paths(&snapshots, &steps, at, &now)?);
    }
    let whole = snapshots.diff(&first.before, &now)?;
    // A name that git writes in quotes is not compared, but shown.
    let is_own = |header: &str| {
        let name = header
            .strip_prefix("diff --git a/")
            .and_then(|names| names.get(..names.len().saturating_sub(3) / 2));
        name.is_none_or(|name| own.contains(name))
    };
    let mut shown = String::new();
    let mut wanted = true;
    for line in whole.split_inclusive('\n') {
        if line.starts_with("diff --git ") {
            wanted = is_own(line.trim_end());
        }
        if wanted {
            shown.push_str(line);
        }
    }
    Ok(shown)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A project in which an agent works: each closure is one call.
    struct Work {
        folder: tempfile::TempDir,
        tracker: ChangeTracker,
    }

    impl Work {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("a.c"), "one\n").unwrap();
            let tracker = ChangeTracker::new(folder.path(), &Policy::default());
            Self { folder, tracker }
        }

        fn call(&self, work: impl FnOnce(&Path)) {
            self.tracker.note("call".into(), "bash".into(), false);
            work(self.folder.path());
            self.tracker.measure(false);
        }

        fn read(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.folder.path().join(name)).ok()
        }

        /// As `fwai undo` does it, after the session.
        fn undo(&self, to: Option<u64>) -> String {
            let root = self.folder.path();
            undo_steps(root, &steps(root), to).unwrap().0
        }
    }

    #[test]
    fn what_the_user_made_afterwards_stays() {
        let work = Work::new();
        work.call(|root| fs::write(root.join("a.c"), "two\n").unwrap());
        work.call(|_| {});
        fs::write(work.folder.path().join("mine.txt"), "mine").unwrap();
        assert!(diff(work.folder.path()).unwrap().contains("+two"));
        assert!(!diff(work.folder.path()).unwrap().contains("mine"));
        let said = work.undo(None);
        assert_eq!(said, "restored 1 files to before step 1: a.c");
        assert_eq!(
            (work.read("a.c").as_deref(), work.read("mine.txt").as_deref()),
            (Some("one\n"), Some("mine"))
        );
        assert_eq!(work.undo(None), "nothing to undo");
    }

    #[test]
    fn what_the_user_did_between_two_calls_stays() {
        let work = Work::new();
        work.call(|root| fs::write(root.join("new.c"), "agent\n").unwrap());
        fs::write(work.folder.path().join("mine.txt"), "mine").unwrap();
        work.call(|root| fs::write(root.join("a.c"), "two\n").unwrap());
        work.undo(Some(1));
        assert_eq!(work.read("new.c"), None);
        assert_eq!(
            (work.read("a.c").as_deref(), work.read("mine.txt").as_deref()),
            (Some("one\n"), Some("mine"))
        );
    }

    #[test]
    fn a_file_that_the_user_changed_since_is_left_and_told() {
        let work = Work::new();
        work.call(|root| {
            fs::write(root.join("a.c"), "two\n").unwrap();
            fs::write(root.join("b.c"), "new\n").unwrap();
        });
        fs::write(work.folder.path().join("a.c"), "two\nand mine\n").unwrap();
        let said = work.undo(None);
        assert!(said.contains("step 1: b.c") && said.contains("changed afterwards: a.c"), "{said}");
        assert_eq!((work.read("a.c").as_deref(), work.read("b.c")), (Some("two\nand mine\n"), None));
    }

    #[test]
    fn a_call_that_was_cut_off_can_be_undone() {
        let work = Work::new();
        work.tracker.note("call".into(), "bash".into(), false);
        fs::write(work.folder.path().join("a.c"), "half\n").unwrap();
        assert_eq!(work.undo(None), "restored 1 files to before step 1: a.c");
        assert_eq!(work.read("a.c").as_deref(), Some("one\n"));
    }
}
