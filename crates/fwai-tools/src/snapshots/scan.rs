//! One look over the work tree: which files belong to a snapshot and how each looks now.
//!
//! `.gitignore` files decide as they do for git: what they exclude is left out unless an earlier snapshot
//! or the user's own index already has it. fwai's directory and every `.git` stay out always. Directories
//! are shared out among the machine's cores, and each is reached by a descriptor that followed no link.

use super::stat::Look;
use crate::safe_path::{ProjectDir, SafePath};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags, RawDir};
use std::{
    collections::HashMap,
    ffi::{CStr, OsStr},
    fs::File,
    io::Read,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard},
};

/// A file or a link, as the look came by.
pub struct Found<'f> {
    /// The directory it lies in.
    pub directory: &'f OwnedFd,
    pub name: &'f CStr,
    /// Beneath the project, `/` between names.
    pub path: &'f [u8],
    pub is_link: bool,
}

/// Somebody who is shown the files; each thread has its own.
pub trait Visitor: Send {
    fn file(&mut self, found: &Found<'_>);
    /// Nothing more will come.
    fn finish(&mut self);
}

/// The `.gitignore` files seen before, which cost more to read than everything else.
#[derive(Debug, Default)]
pub struct IgnoreCache {
    seen: HashMap<Vec<u8>, (Look, Arc<Gitignore>)>,
    /// Those that the first look found, where only they shall count.
    at_start: Option<HashMap<Vec<u8>, Arc<Gitignore>>>,
    had_first_look: bool,
}

impl IgnoreCache {
    /// Only what is ignored at the first look is ignored later: what is ignored since then was made so by
    /// those whose changes are counted.
    pub fn as_at_start() -> Self {
        Self { at_start: Some(HashMap::new()), ..Self::default() }
    }
}

/// No real ignore file is longer.
const LONGEST_IGNORE_FILE: u64 = 1 << 20;
/// So many directories waiting are worth a second thread.
const WORTH_SHARING: usize = 12;

/// Shows every file of the snapshot to a visitor. The answer is the visitors, and whether anything was left
/// out because it is ignored.
pub fn look_over<V: Visitor>(
    project: &ProjectDir,
    ignores: &mut IgnoreCache,
    visitor: impl Fn() -> V,
) -> (Vec<V>, bool) {
    let root = Directory { path: Vec::new(), rules: None };
    let queue = Queue { waiting: vec![root], busy: 0, skipped_any: false };
    let scan =
        Scan { project, ignores: Mutex::new(ignores), queue: Mutex::new(queue), change: Condvar::new() };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
    let mut first = visitor();
    let mut visitors = std::thread::scope(|scope| {
        let mut others = Vec::new();
        scan.work(&mut first, |waiting| {
            if others.is_empty() && waiting >= WORTH_SHARING {
                for _ in 1..threads {
                    let mut other = visitor();
                    let scan = &scan;
                    others.push(scope.spawn(move || {
                        scan.work(&mut other, |_| {});
                        other
                    }));
                }
            }
        });
        others.into_iter().filter_map(|other| other.join().ok()).collect::<Vec<V>>()
    });
    visitors.push(first);
    let skipped_any = lock(&scan.queue).skipped_any;
    lock(&scan.ignores).had_first_look = true;
    (visitors, skipped_any)
}

/// Shows one file that the look left out to a visitor, if it is a file or a link and is reached by no link.
pub fn look_at(project: &ProjectDir, path: &[u8], visitor: &mut impl Visitor) {
    let Some(safe) = SafePath::from_scan(path) else { return };
    let Ok((directory, name)) = project.descend(&safe, false) else { return };
    let Ok(name) = std::ffi::CString::new(name.as_bytes()) else { return };
    let Ok(stat) = sys::statat(&directory, &name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    let is_link = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => false,
        FileType::Symlink => true,
        _ => return,
    };
    visitor.file(&Found { directory: &directory, name: &name, path, is_link });
}

struct Scan<'s> {
    project: &'s ProjectDir,
    ignores: Mutex<&'s mut IgnoreCache>,
    queue: Mutex<Queue>,
    change: Condvar,
}

struct Queue {
    waiting: Vec<Directory>,
    /// Threads that may still find directories.
    busy: usize,
    skipped_any: bool,
}

/// A directory that waits to be looked at.
struct Directory {
    path: Vec<u8>,
    rules: Option<Arc<Rules>>,
}

/// The ignore files that hold here, innermost first.
struct Rules {
    own: Arc<Gitignore>,
    above: Option<Arc<Rules>>,
}

impl Rules {
    fn ignore(rules: &Option<Arc<Rules>>, path: &Path, is_directory: bool) -> bool {
        let mut next = rules.as_ref();
        while let Some(rules) = next {
            let verdict = rules.own.matched(path, is_directory);
            if !verdict.is_none() {
                return verdict.is_ignore();
            }
            next = rules.above.as_ref();
        }
        false
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Buffers of one thread.
#[derive(Default)]
struct Scratch {
    /// What the directory holds: where its name begins in `names`, and what it is.
    entries: Vec<(usize, FileType)>,
    /// Names, each with a NUL behind it.
    names: Vec<u8>,
    /// The whole path, for the ignore files.
    absolute: Vec<u8>,
}

/// A thread at work on a directory.
struct Busy<'s>(&'s Mutex<Queue>, &'s Condvar);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut queue = lock(self.0);
        queue.busy -= 1;
        if queue.busy == 0 {
            self.1.notify_all();
        }
    }
}

impl Scan<'_> {
    fn work<V: Visitor>(&self, visitor: &mut V, mut many_wait: impl FnMut(usize)) {
        let mut scratch = Scratch::default();
        let mut listing = vec![MaybeUninit::uninit(); 32 << 10];
        while let Some((directory, _busy)) = self.next() {
            self.look_into(directory, &mut scratch, &mut listing, visitor);
            many_wait(lock(&self.queue).waiting.len());
        }
        visitor.finish();
    }

    fn next(&self) -> Option<(Directory, Busy<'_>)> {
        let mut queue = lock(&self.queue);
        loop {
            if let Some(directory) = queue.waiting.pop() {
                queue.busy += 1;
                return Some((directory, Busy(&self.queue, &self.change)));
            }
            if queue.busy == 0 {
                return None;
            }
            queue = self.change.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn look_into<V: Visitor>(
        &self,
        Directory { mut path, rules }: Directory,
        scratch: &mut Scratch,
        listing: &mut [MaybeUninit<u8>],
        visitor: &mut V,
    ) {
        // What cannot be listed cannot be kept either.
        let Some(open) = self.open(&path) else { return };
        scratch.entries.clear();
        scratch.names.clear();
        let mut has_rules = false;
        let mut entries = RawDir::new(&open, listing);
        while let Some(Ok(entry)) = entries.next() {
            let name = entry.file_name();
            let bytes = name.to_bytes();
            has_rules |= bytes == b".gitignore";
            let left_out = bytes.eq_ignore_ascii_case(b".git") || path.is_empty() && bytes == b".fwai";
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                kind = sys::statat(&open, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode));
            }
            let is_kept = matches!(kind, FileType::Directory | FileType::RegularFile | FileType::Symlink);
            if is_kept && !left_out && bytes != b"." && bytes != b".." {
                scratch.entries.push((scratch.names.len(), kind));
                scratch.names.extend_from_slice(name.to_bytes_with_nul());
            }
        }
        let own = self.rules_for(&open, &path, has_rules);
        let rules = match own {
            Some(own) => Some(Arc::new(Rules { own, above: rules })),
            None => rules,
        };
        if !path.is_empty() {
            path.push(b'/');
        }
        let length = path.len();
        scratch.absolute.clear();
        scratch.absolute.extend_from_slice(self.project.root().as_os_str().as_bytes());
        scratch.absolute.push(b'/');
        scratch.absolute.extend_from_slice(&path);
        let prefix = scratch.absolute.len();
        let (mut below, mut skipped) = (Vec::new(), false);
        for (begin, kind) in scratch.entries.drain(..) {
            let Ok(name) = CStr::from_bytes_until_nul(&scratch.names[begin..]) else { continue };
            let is_directory = kind == FileType::Directory;
            if rules.is_some() {
                scratch.absolute.truncate(prefix);
                scratch.absolute.extend_from_slice(name.to_bytes());
                let absolute = Path::new(OsStr::from_bytes(&scratch.absolute));
                if Rules::ignore(&rules, absolute, is_directory) {
                    skipped = true;
                    continue;
                }
            }
            path.truncate(length);
            path.extend_from_slice(name.to_bytes());
            if is_directory {
                below.push(Directory { path: path.clone(), rules: rules.clone() });
            } else {
                let is_link = kind == FileType::Symlink;
                visitor.file(&Found { directory: &open, name, path: &path, is_link });
            }
        }
        let mut queue = lock(&self.queue);
        queue.skipped_any |= skipped;
        if !below.is_empty() {
            queue.waiting.append(&mut below);
            self.change.notify_all();
        }
    }

    fn open(&self, path: &[u8]) -> Option<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        match path.is_empty() {
            true => self.project.open_root(flags).ok(),
            false => self.project.open_plain(&SafePath::from_scan(path)?, flags).ok(),
        }
    }

    fn rules_for(&self, directory: &OwnedFd, path: &[u8], has_rules: bool) -> Option<Arc<Gitignore>> {
        {
            let ignores = lock(&self.ignores);
            if let Some(at_start) = ignores.at_start.as_ref().filter(|_| ignores.had_first_look) {
                return at_start.get(path).cloned();
            }
        }
        let rules = has_rules.then(|| self.rules_in(directory, path)).flatten()?;
        if let Some(at_start) = &mut lock(&self.ignores).at_start {
            at_start.insert(path.to_vec(), rules.clone());
        }
        Some(rules)
    }

    fn rules_in(&self, directory: &OwnedFd, path: &[u8]) -> Option<Arc<Gitignore>> {
        // Neither a link nor a pipe that never ends.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = sys::openat(directory, ".gitignore", flags, Mode::empty()).ok()?;
        let stat = sys::fstat(&file).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile
            || stat.st_size as u64 > LONGEST_IGNORE_FILE
        {
            return None;
        }
        let look = Look::of(&stat);
        if let Some((seen, matcher)) = lock(&self.ignores).seen.get(path)
            && *seen == look
        {
            return Some(matcher.clone());
        }
        let mut bytes = Vec::new();
        File::from(file).take(LONGEST_IGNORE_FILE).read_to_end(&mut bytes).ok()?;
        let mut builder = GitignoreBuilder::new(self.project.root().join(OsStr::from_bytes(path)));
        let text = String::from_utf8_lossy(&bytes);
        for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
            // A line that is no pattern is left out, as git does.
            let _ = builder.add_line(None, line);
        }
        let matcher = Arc::new(builder.build().ok()?);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        if look.is_settled(now) {
            lock(&self.ignores).seen.insert(path.to_vec(), (look, matcher.clone()));
        }
        Some(matcher)
    }
}
