//! Snapshots of the work tree, so that what tools *and shell commands* changed can be undone and counted.
//!
//! A shadow git directory (`.fwai/undo`) holds them, so that git can read what fwai kept; the user's index,
//! refs and hooks are never touched, and no setting of the user's or the project's git counts. Untracked
//! files are in, ignored ones (build output) are not. Snapshots are taken without starting git: a look over
//! the tree finds the files that changed, and only those are read. Where the project is a git repository
//! its index and objects give the first snapshot a head start.

mod content;
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
use content::Wanted;
use git::Git;
use objects::{ObjectId, Objects};
use scan::IgnoreCache;
use stat::{Entry, Known, Look};
use std::{
    collections::{HashMap, VecDeque},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, SystemTime},
};
use thiserror::Error;
use trees::{Files, Pair};

/// Why a snapshot could not be taken or restored.
#[derive(Debug, Error)]
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
    known: HashMap<Vec<u8>, Known>,
    /// From the user's index, until the first look.
    borrowed: HashMap<Vec<u8>, Known>,
    ignores: IgnoreCache,
    /// The newest state last.
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
        let made = make_directory(&directory);
        made.map_err(|source| SnapshotError::Io { path: directory.display().to_string(), source })?;
        let known = memory::load(&directory.join(MEMORY));
        let mut objects = Objects::open(&directory);
        let borrowed = match known.is_empty() {
            true => borrow_from_repository(root, &directory),
            false => HashMap::new(),
        };
        objects.assume(borrowed.values().map(|known| known.id));
        let state = State {
            objects,
            known,
            borrowed,
            ignores: IgnoreCache::default(),
            recent: VecDeque::new(),
            counts: HashMap::new(),
            unsaved: 0,
        };
        let git = Git::new(&directory, root);
        Ok(Self { git, project: ProjectDir::open(root)?, state: Mutex::new(state), directory })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The state of the work tree as it is now.
    pub fn take(&self) -> Result<TreeId, SnapshotError> {
        let mut guard = self.state();
        let state = &mut *guard;
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let tracked = state.known.keys().chain(state.borrowed.keys());
        let looks = scan::look_over(self.project.root(), &mut state.ignores, tracked);
        let changed = self.note_changes(state, looks, now)?;
        if !changed && let Some((tree, _)) = state.recent.back() {
            return Ok(tree.clone());
        }
        let entry = |known: &Known| Entry { mode: known.look.mode, id: known.id };
        let files: Files = state.known.iter().map(|(path, known)| (path.clone(), entry(known))).collect();
        let tree = TreeId(trees::write(&files, &mut state.objects)?.to_string());
        state.remember(tree.clone(), Arc::new(files));
        if state.unsaved >= SAVED_AT_ONCE {
            self.save(state);
        }
        Ok(tree)
    }

    /// Reads what changed since the last look; whether anything did.
    fn note_changes(
        &self,
        state: &mut State,
        looks: Vec<(Vec<u8>, Look)>,
        now: Duration,
    ) -> Result<bool, SnapshotError> {
        let mut changed = false;
        let borrowed = std::mem::take(&mut state.borrowed);
        let mut wanted = Vec::new();
        for (index, (path, look)) in looks.iter().enumerate() {
            if state.known.get(path).is_some_and(|known| known.settled && known.look == *look) {
                continue;
            }
            match borrowed.get(path).filter(|known| user_index::vouches(&known.look, look)) {
                Some(known) => {
                    let known = Known { look: *look, id: known.id, settled: look.is_settled(now) };
                    state.known.insert(path.clone(), known);
                    state.unsaved += 1;
                    changed = true;
                }
                None => wanted.push((index, Wanted::new(path.clone(), look))),
            }
        }
        let ids = content::store(&self.project, &wanted, &mut state.objects, &self.git)?;
        let mut unreadable = 0;
        for ((index, file), id) in wanted.into_iter().zip(ids) {
            let Some(id) = id else {
                unreadable += 1;
                changed |= state.known.remove(&file.path).is_some();
                continue;
            };
            let look = looks[index].1;
            let known = Known { look, id, settled: look.is_settled(now) };
            let before = state.known.insert(file.path, known);
            changed |= before.is_none_or(|before| before.id != id || before.look.mode != look.mode);
            state.unsaved += 1;
        }
        if state.known.len() > looks.len() - unreadable {
            let here: std::collections::HashSet<&[u8]> =
                looks.iter().map(|(path, _)| path.as_slice()).collect();
            state.known.retain(|path, _| here.contains(path.as_slice()));
            changed = true;
        }
        Ok(changed)
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
        if let Some((_, files)) = state.recent.iter().find(|(known, _)| known == tree) {
            return Ok(files.clone());
        }
        let files = Arc::new(self.git.files(&tree.0)?);
        // Not the newest state, so it goes to the front.
        state.recent.push_front((tree.clone(), files.clone()));
        state.recent.truncate(RECENT);
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
    fn remember(&mut self, tree: TreeId, files: Arc<Files>) {
        self.recent.retain(|(known, _)| *known != tree);
        self.recent.push_back((tree, files));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }
}

/// Makes a directory that git takes for a repository.
fn make_directory(directory: &Path) -> std::io::Result<()> {
    if directory.join("HEAD").exists() {
        return Ok(());
    }
    for below in ["objects/info", "objects/pack", "refs/heads", "info"] {
        fs::create_dir_all(directory.join(below))?;
    }
    fs::write(
        directory.join("info/attributes"),
        "* -text -eol -filter -ident -working-tree-encoding -merge\n",
    )?;
    fs::write(
        directory.join("config"),
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tautocrlf = false\n\thooksPath = /dev/null\n\
         \tprotectNTFS = false\n\tprotectHFS = false\n[gc]\n\tauto = 0\n",
    )?;
    // Last, since it is what makes the directory complete.
    fs::write(directory.join("HEAD"), "ref: refs/heads/none\n")
}

/// The user's own index knows the name of every unchanged file's content, and its objects need not be
/// copied. Not where git rewrites files on their way in: there it names other bytes.
fn borrow_from_repository(root: &Path, directory: &Path) -> HashMap<Vec<u8>, Known> {
    let repository = root.join(".git");
    let objects = repository.join("objects");
    let is_directory = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    if !is_directory(&repository)
        || !is_directory(&objects)
        || repository.join("info/attributes").exists()
        || root.join(".gitattributes").exists()
    {
        return HashMap::new();
    }
    let config = fs::read_to_string(repository.join("config")).unwrap_or_default().to_ascii_lowercase();
    let telling = ["autocrlf", "eol", "[filter", "worktree", "objectformat", "partialclone", "promisor"];
    if telling.iter().any(|word| config.contains(word)) {
        return HashMap::new();
    }
    let index = user_index::read(&repository);
    let alternates = directory.join("objects/info/alternates");
    if index.is_empty()
        || git::rewrites_by_default()
        || fs::write(alternates, format!("{}\n", objects.display())).is_err()
    {
        return HashMap::new();
    }
    index.into_iter().collect()
}
