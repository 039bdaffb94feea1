//! Snapshots of the work tree, so that what tools *and shell commands* changed can be undone and counted.
//!
//! A shadow git directory (`.fwai/undo`) holds them, so that git can read what fwai kept; the user's index,
//! refs and hooks are never touched, and no setting of the user's or the project's git counts. Untracked
//! files are in, ignored ones (build output) are not. Snapshots are taken without starting git: a look over
//! the tree finds the files that changed, and only those are read. Where the project is a git repository
//! its index and objects give the first snapshot a head start.

mod content;
mod directory;
mod git;
mod lines;
mod memory;
mod objects;
mod put_back;
mod scan;
mod stat;
#[cfg(test)]
mod tests;
mod trees;
mod user_index;

use crate::safe_path::{PathError, ProjectDir, SafePath};
use content::{Before, Harvest, Reader};
use git::Git;
use objects::{ObjectId, Objects};
use scan::IgnoreCache;
use stat::{Entry, Known, Table};
use std::{
    collections::{HashMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, SystemTime},
};
use thiserror::Error;
use trees::{Files, Pair, Step};

/// Why a snapshot could not be taken or restored.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum SnapshotError {
    #[error("git is not installed, so that nothing can be undone; run `fwai doctor`")]
    NoGit,
    #[error("git {command}: {message}")]
    Git { command: String, message: String },
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("snapshot {0} does not exist")]
    Unknown(String),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("not everything could be put back: {}", .0.join("; "))]
    Partly(Vec<String>),
}

/// A state of the work tree: the id of a git tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct TreeId(String);

impl std::fmt::Display for TreeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One file that differs between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    pub how: How,
    /// Zero for binary files.
    pub added: u64,
    pub removed: u64,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Created,
    Modified,
    Deleted,
}

impl How {
    pub fn as_str(self) -> &'static str {
        match self {
            How::Created => "created",
            How::Modified => "modified",
            How::Deleted => "deleted",
        }
    }
}

/// The snapshots of a project.
#[derive(Debug)]
pub struct Snapshots {
    git: Git,
    directory: PathBuf,
    project: ProjectDir,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    objects: Objects,
    known: Table,
    /// From the user's index, until the first look.
    borrowed: Table,
    ignores: IgnoreCache,
    /// The number of the last look.
    round: u32,
    /// The state that the last look found.
    last: Option<(TreeId, Arc<Files>)>,
    /// States of before, the newest last.
    recent: VecDeque<(TreeId, Arc<Files>)>,
    counts: HashMap<(Option<ObjectId>, Option<ObjectId>), (u64, u64)>,
    /// Files that the memory on disk does not know.
    unsaved: usize,
}

/// States whose files are kept in memory.
const RECENT: usize = 8;
/// Where the next session finds what this one knew.
const MEMORY: &str = "fwai-memory";
/// So many newly read files are worth writing the memory at once.
const SAVED_AT_ONCE: usize = 500;

impl Snapshots {
    /// Opens the shadow directory and makes it on first use.
    pub fn open(root: &Path) -> Result<Self, SnapshotError> {
        let directory = root.join(".fwai/undo");
        let made = directory::make(&directory);
        made.map_err(|source| SnapshotError::Io { path: directory.display().to_string(), source })?;
        let known = memory::load(&directory.join(MEMORY));
        let mut objects = Objects::open(&directory);
        let borrowed = match known.is_empty() {
            true => directory::borrow_from_repository(root, &directory),
            false => Table::new(),
        };
        objects.assume(borrowed.values().map(|known| known.id));
        let state = State {
            objects,
            known,
            borrowed,
            ignores: IgnoreCache::default(),
            round: 0,
            last: None,
            recent: VecDeque::new(),
            counts: HashMap::new(),
            unsaved: 0,
        };
        let git = Git::new(&directory, root);
        Ok(Self { git, project: ProjectDir::open(root)?, state: Mutex::new(state), directory })
    }

    /// From now on, only what is ignored at the first look counts as ignored.
    pub fn ignoring_as_at_start(self) -> Self {
        self.state().ignores = IgnoreCache::as_at_start();
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The state of the work tree as it is now.
    pub fn take(&self) -> Result<TreeId, SnapshotError> {
        let mut guard = self.state();
        let state = &mut *guard;
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        state.round += 1;
        // Not put back where something fails: what is known then and the last state may differ.
        let last = state.last.take();
        let knew_nothing = state.known.is_empty();
        let harvest = self.look(state)?;
        let steps = self.note_changes(state, harvest, now)?;
        let files = match &last {
            Some((tree, _)) if steps.is_empty() => {
                let tree = tree.clone();
                state.last = last;
                return Ok(tree);
            }
            Some((_, files)) => trees::stepped(files, steps),
            None if knew_nothing => trees::stepped(&Files::new(), steps),
            None => {
                let entry = |known: &Known| Entry { mode: known.look.mode, id: known.id };
                let all = state.known.iter().map(|(path, known)| (path.clone(), Some(entry(known))));
                trees::stepped(&Files::new(), all.collect())
            }
        };
        let State { objects, known, .. } = state;
        let saves = state.unsaved >= SAVED_AT_ONCE;
        let tree = std::thread::scope(|scope| {
            // The contents are stored, so that they may be known of before the trees are there.
            let memory = self.directory.join(MEMORY);
            saves.then(|| scope.spawn(move || memory::save(&memory, known)));
            trees::write(&files, objects)
        })?;
        if saves {
            state.unsaved = 0;
        }
        let tree = TreeId(tree.to_string());
        state.last = Some((tree.clone(), Arc::new(files)));
        last.into_iter().for_each(|before| state.remember(before));
        Ok(tree)
    }

    /// Looks over the tree and reads what may have changed.
    fn look(&self, state: &mut State) -> Result<Harvest, SnapshotError> {
        let State { objects, known, borrowed, ignores, round, .. } = state;
        let before = Before { known, borrowed, objects, round: *round };
        let (mut readers, skipped_any) = scan::look_over(&self.project, ignores, || Reader::new(before));
        if skipped_any {
            // What an earlier snapshot or the user's index has stays in, even where it is ignored.
            let mut reader = Reader::new(before);
            let hidden = known.iter().chain(borrowed.iter()).filter(|(_, known)| !known.was_seen(*round));
            for (path, _) in hidden {
                scan::look_at(&self.project, path, &mut reader);
            }
            scan::Visitor::finish(&mut reader);
            readers.push(reader);
        }
        Harvest::of(readers).map_err(|source| objects.failed(source))
    }

    /// Takes over what the look found; the answer is what differs from the last state.
    fn note_changes(
        &self,
        state: &mut State,
        harvest: Harvest,
        now: Duration,
    ) -> Result<Vec<Step>, SnapshotError> {
        state.borrowed = Table::new();
        let mut steps = Vec::new();
        if state.known.len() > harvest.still_here {
            let gone = state.known.extract_if(|_, known| !known.was_seen(state.round));
            steps.extend(gone.map(|(path, _)| (path, None)));
        }
        let changes = harvest.store(&self.project, &mut state.objects, &self.git)?;
        state.known.reserve(changes.len());
        steps.reserve(changes.len());
        for change in changes {
            let Some(id) = change.id else {
                if let Some((path, _)) = state.known.remove_entry(&change.path) {
                    steps.push((path, None));
                }
                continue;
            };
            let known = Known::new(change.look, id, change.look.is_settled(now));
            let entry = Entry { mode: change.look.mode, id };
            let before = state.known.insert(change.path.clone(), known);
            if before.is_none_or(|before| before.id != id || before.look.mode != entry.mode) {
                steps.push((change.path, Some(entry)));
            }
            state.unsaved += 1;
        }
        Ok(steps)
    }

    fn save(&self, state: &mut State) {
        memory::save(&self.directory.join(MEMORY), &state.known);
        state.unsaved = 0;
    }

    /// What differs from `before` to `after`.
    pub fn changes(&self, before: &TreeId, after: &TreeId) -> Result<Vec<FileChange>, SnapshotError> {
        if before == after {
            return Ok(Vec::new());
        }
        let mut guard = self.state();
        let state = &mut *guard;
        let (old, new) = (self.files(state, before)?, self.files(state, after)?);
        let pairs = trees::differences(&old, &new);
        self.count(state, &pairs);
        let change = |(path, was, is): Pair<'_>| {
            let how = match (was, is) {
                (None, _) => How::Created,
                (_, None) => How::Deleted,
                _ => How::Modified,
            };
            let counts = state.counts.get(&(was.map(|entry| entry.id), is.map(|entry| entry.id)));
            let (added, removed) = counts.copied().unwrap_or_default();
            FileChange { path: String::from_utf8_lossy(path).into_owned(), how, added, removed }
        };
        Ok(pairs.into_iter().map(change).collect())
    }

    /// The paths that differ, without reading any content.
    pub fn changed_paths(
        &self,
        before: &TreeId,
        after: &TreeId,
    ) -> Result<Vec<(String, How)>, SnapshotError> {
        if before == after {
            return Ok(Vec::new());
        }
        let mut state = self.state();
        let (old, new) = (self.files(&mut state, before)?, self.files(&mut state, after)?);
        let named = |(path, was, is): Pair<'_>| {
            let how = match (was, is) {
                (None, _) => How::Created,
                (_, None) => How::Deleted,
                _ => How::Modified,
            };
            (String::from_utf8_lossy(path).into_owned(), how)
        };
        Ok(trees::differences(&old, &new).into_iter().map(named).collect())
    }

    /// Counts lines of pairs that were not counted before.
    fn count(&self, state: &mut State, pairs: &[Pair<'_>]) {
        let key = |(_, was, is): &Pair<'_>| (was.map(|entry| entry.id), is.map(|entry| entry.id));
        let open: Vec<_> = pairs.iter().map(key).filter(|pair| !state.counts.contains_key(pair)).collect();
        let wanted = open.iter().flat_map(|(was, is)| [*was, *is]).flatten();
        let contents = self.contents(state, wanted);
        for pair in open {
            let of = |id: Option<ObjectId>| match id {
                None => Some(&[][..]),
                Some(id) => contents.get(&id).map(Vec::as_slice),
            };
            let counted = match (of(pair.0), of(pair.1)) {
                (Some(was), Some(is)) => lines::changed(was, is),
                _ => (0, 0),
            };
            state.counts.insert(pair, counted);
        }
    }

    /// Contents by name; what is missing or too large is left out.
    fn contents(&self, state: &State, wanted: impl Iterator<Item = ObjectId>) -> HashMap<ObjectId, Vec<u8>> {
        let mut found = HashMap::new();
        let mut elsewhere = Vec::new();
        for id in wanted {
            match state.objects.read_loose(&id) {
                Some(content) => drop(found.insert(id, content)),
                None => elsewhere.push(id),
            }
        }
        if !elsewhere.is_empty() {
            found.extend(self.git.contents(&elsewhere));
        }
        found
    }

    /// The files of a state.
    fn files(&self, state: &mut State, tree: &TreeId) -> Result<Arc<Files>, SnapshotError> {
        if let Some((_, files)) = state.last.iter().chain(&state.recent).find(|(known, _)| known == tree) {
            return Ok(files.clone());
        }
        let files = Arc::new(self.git.files(&tree.0)?);
        state.remember((tree.clone(), files.clone()));
        Ok(files)
    }

    /// The differences as a unified diff.
    pub fn diff(&self, before: &TreeId, after: &TreeId) -> Result<String, SnapshotError> {
        let range = [&*before.0, &*after.0];
        self.git.run(
            &[&["diff-tree", "-p", "-r", "--no-color", "--no-ext-diff", "--no-textconv"][..], &range]
                .concat(),
        )
    }

    /// Makes the work tree what it was at `target`; the answer is what that changed. The state before is
    /// itself a snapshot, so that an undo can be undone.
    pub fn restore(&self, target: &TreeId) -> Result<(TreeId, Vec<FileChange>), SnapshotError> {
        let now = self.take()?;
        self.put_back(&now, target, |_| true)?;
        let changes = self.changes(&now, target)?;
        Ok((now, changes))
    }

    /// Puts back those files of `target` that differ from the state `now` and that `wanted` names.
    pub fn put_back(
        &self,
        now: &TreeId,
        target: &TreeId,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<(), SnapshotError> {
        let mut state = self.state();
        let (old, new) = (self.files(&mut state, now)?, self.files(&mut state, target)?);
        let mut pairs = trees::differences(&old, &new);
        pairs.retain(|(path, ..)| wanted(&String::from_utf8_lossy(path)));
        let ids: Vec<ObjectId> = pairs.iter().filter_map(|(_, _, is)| is.map(|entry| entry.id)).collect();
        let contents = self.contents(&state, ids.into_iter());
        drop(state);
        let mut failed = Vec::new();
        // What goes first makes room: a directory may stand where a file belongs.
        for (path, _, is) in
            pairs.iter().filter(|(.., is)| is.is_none()).chain(pairs.iter().filter(|(.., is)| is.is_some()))
        {
            let Some(safe) = SafePath::from_scan(path) else { continue };
            let done = match is {
                None => put_back::remove(&self.project, &safe).map_err(|error| error.to_string()),
                Some(entry) => match contents.get(&entry.id) {
                    Some(content) => put_back::write(&self.project, &safe, entry.mode, content)
                        .map_err(|error| error.to_string()),
                    None => Err(format!("{safe}: its content is not in the snapshot")),
                },
            };
            failed.extend(done.err());
        }
        if failed.is_empty() { Ok(()) } else { Err(SnapshotError::Partly(failed)) }
    }
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if state.unsaved > 0 {
            self.save(&mut state);
        }
    }
}

impl State {
    fn remember(&mut self, state: (TreeId, Arc<Files>)) {
        self.recent.retain(|(known, _)| *known != state.0);
        self.recent.push_back(state);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }
}
