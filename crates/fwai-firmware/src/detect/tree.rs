//! A bounded, read-only view of a project's files.
//!
//! Real projects hold vendor trees of a hundred thousand files, symbolic links that lead out of the
//! project, and now and then a pipe or a directory where a file is expected. Detection sees none of
//! that: it asks this view, which honours `.gitignore`, never follows a link out of the project,
//! never opens anything but a regular file, and stops at fixed limits.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::source::Source;

/// How far detection looks.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Directory levels below the project.
    pub depth: usize,
    /// Entries that are listed before the walk stops.
    pub entries: usize,
    /// Bytes that are read of one file; the rest is not looked at.
    pub file_bytes: u64,
    /// Time for the walk.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 8, entries: 20_000, file_bytes: 4 << 20, time: Duration::from_secs(5) }
    }
}

/// Why a project cannot be looked at.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum DetectError {
    #[error("{path}: cannot read this directory: {source}; name a directory that holds a firmware project")]
    Root { path: PathBuf, source: std::io::Error },
    #[error("{path}: is not a directory; name the directory that holds the firmware project")]
    NotADirectory { path: PathBuf },
    #[error(
        "{path}: cannot read this file: {source}; make it readable (`chmod u+r {path}`) or move it away, then run `fwai init` again"
    )]
    Unreadable { path: String, source: std::io::Error },
    #[error("{path}: a directory stands where a file is expected; move it away, then run `fwai init` again")]
    DirectoryForFile { path: String },
}

/// The files of one project.
pub struct ProjectTree {
    root: PathBuf,
    /// Relative paths with `/`, shallow ones first, then by name.
    files: Vec<String>,
    cut_short: bool,
    limits: Limits,
    cache: RefCell<BTreeMap<String, Option<Rc<Source>>>>,
    failure: RefCell<Option<DetectError>>,
    warnings: RefCell<BTreeSet<String>>,
}

/// Directories that hold other people's code or a build's output: never walked into.
const SKIPPED: &[&str] = &[
    "node_modules",
    ".git",
    ".hg",
    ".svn",
    ".pio",
    ".fwai",
    "managed_components",
    "__pycache__",
    ".venv",
    "venv",
    "CMakeFiles",
    "_deps",
    ".cache",
    "target",
    ".idea",
    "cmake-build-debug",
    "cmake-build-release",
    ".eide",
];

impl ProjectTree {
    pub fn scan(root: &Path, limits: Limits) -> Result<Self, DetectError> {
        let canonical =
            root.canonicalize().map_err(|source| DetectError::Root { path: root.to_owned(), source })?;
        if !canonical.is_dir() {
            return Err(DetectError::NotADirectory { path: root.to_owned() });
        }
        std::fs::read_dir(&canonical)
            .map_err(|source| DetectError::Root { path: root.to_owned(), source })?;
        let (files, cut_short) = walk(&canonical, &limits);
        Ok(Self {
            root: canonical,
            files,
            cut_short,
            limits,
            cache: RefCell::default(),
            failure: RefCell::default(),
            warnings: RefCell::default(),
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a limit stopped the walk.
    pub fn cut_short(&self) -> bool {
        self.cut_short
    }

    /// Every listed file, shallow ones first.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Listed files under a directory (`""` is the project).
    pub fn under<'a>(&'a self, dir: &'a str) -> impl Iterator<Item = &'a str> {
        self.files().filter(move |file| dir.is_empty() || is_below(file, dir))
    }

    /// Listed files directly in a directory.
    pub fn directly_in<'a>(&'a self, dir: &'a str) -> impl Iterator<Item = &'a str> {
        self.files().filter(move |file| parent(file) == dir)
    }

    /// The text of a file, also of one that `.gitignore` hides. `None` when there is no such regular
    /// file inside the project; an unreadable one is remembered as the failure of the whole detection.
    pub fn text(&self, relative: &str) -> Option<Rc<Source>> {
        let relative = normalise(relative)?;
        if let Some(known) = self.cache.borrow().get(&relative) {
            return known.clone();
        }
        let source = self.read(&relative);
        self.cache.borrow_mut().insert(relative, source.clone());
        source
    }

    /// The failure that reading met first, if any.
    pub fn take_failure(&self) -> Option<DetectError> {
        self.failure.borrow_mut().take()
    }

    /// What a person should know although it stopped nothing.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().iter().cloned().collect()
    }

    fn read(&self, relative: &str) -> Option<Rc<Source>> {
        let path = self.root.join(relative);
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                return self.unreadable(relative, error);
            }
            Err(_) => return None,
        };
        if !real.starts_with(&self.root) {
            self.warnings
                .borrow_mut()
                .insert(format!("{relative}: a link that leads out of the project; not read"));
            return None;
        }
        let metadata = real.metadata().ok()?;
        if metadata.is_dir() {
            if is_marker(relative) {
                self.fail(DetectError::DirectoryForFile { path: relative.to_owned() });
            }
            return None;
        }
        if !metadata.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        let read = std::fs::File::open(&real)
            .and_then(|file| file.take(self.limits.file_bytes).read_to_end(&mut bytes));
        match read {
            Ok(_) => Some(Rc::new(Source::new(relative, &bytes))),
            Err(error) => self.unreadable(relative, error),
        }
    }

    /// An unreadable build file makes every answer doubtful, so it stops the detection; any other
    /// unreadable file is only mentioned.
    fn unreadable(&self, relative: &str, source: std::io::Error) -> Option<Rc<Source>> {
        if is_marker(relative) {
            self.fail(DetectError::Unreadable { path: relative.to_owned(), source });
        } else {
            self.warnings.borrow_mut().insert(format!("{relative}: not read: {source}"));
        }
        None
    }

    fn fail(&self, error: DetectError) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}

/// Files that decide what a project is.
pub const MARKERS: &[&str] = &[
    "CMakeLists.txt",
    "CMakePresets.json",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "meson.build",
    "platformio.ini",
    "prj.conf",
    "west.yml",
    "sdkconfig",
    "sdkconfig.defaults",
    "sketch.yaml",
    "Cargo.toml",
    ".cargo/config.toml",
    "Embed.toml",
    "mbed_app.json",
    "mbed-os.lib",
    "SConstruct",
    "EMBEDDER.md",
    ".cproject",
];

fn is_marker(relative: &str) -> bool {
    MARKERS.contains(&relative) || MARKERS.contains(&file_name(relative))
}

fn walk(root: &Path, limits: &Limits) -> (Vec<String>, bool) {
    let deadline = Instant::now() + limits.time;
    let mut cut_short = false;
    let mut files = BTreeSet::new();
    // The shallow pass comes first, so that a huge vendor tree cannot use up the limit before the
    // project's own files were seen.
    for depth in [2, limits.depth] {
        let mut seen = 0;
        let walker = ignore::WalkBuilder::new(root)
            .max_depth(Some(depth + 1))
            .hidden(true)
            .parents(false)
            .git_global(false)
            .require_git(false)
            .follow_links(false)
            .filter_entry(|entry| !entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name)))
            .build();
        for entry in walker {
            seen += 1;
            if seen > limits.entries || Instant::now() > deadline {
                cut_short = true;
                break;
            }
            let Ok(entry) = entry else { continue };
            let Ok(relative) = entry.path().strip_prefix(root) else { continue };
            let Some(relative) = relative.to_str() else { continue };
            let kind = entry.file_type();
            if kind.is_some_and(|kind| kind.is_file() || kind.is_symlink()) && !relative.is_empty() {
                files.insert((relative.matches('/').count(), relative.to_owned()));
            }
        }
        if cut_short {
            break;
        }
    }
    (files.into_iter().map(|(_, file)| file).collect(), cut_short)
}

/// The path without `.` and `..`; `None` when it would leave the project.
pub fn normalise(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// `a/b` of `a/b/c`, and `""` of `c`.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// `c` of `a/b/c`.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A path below a directory, where `""` is the project.
pub fn join(dir: &str, path: &str) -> String {
    if dir.is_empty() { path.to_owned() } else { format!("{dir}/{path}") }
}

fn is_below(file: &str, dir: &str) -> bool {
    file.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_never_leave_the_project() {
        assert_eq!(normalise("a/./b/../c").as_deref(), Some("a/c"));
        assert_eq!(normalise("../x"), None);
        assert_eq!(normalise("/etc/passwd"), None);
        assert_eq!(normalise(r"cmake\arm.cmake").as_deref(), Some("cmake/arm.cmake"));
    }

    #[test]
    fn links_out_of_the_project_and_pipes_are_not_read() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "MCU = atmega328p").unwrap();
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), dir.path().join("Makefile")).unwrap();
        let status =
            std::process::Command::new("mkfifo").arg(dir.path().join("CMakeLists.txt")).status().unwrap();
        assert!(status.success());
        let tree = ProjectTree::scan(dir.path(), Limits::default()).unwrap();
        assert!(tree.text("Makefile").is_none());
        assert!(tree.text("CMakeLists.txt").is_none());
        assert_eq!(tree.warnings(), ["Makefile: a link that leads out of the project; not read"]);
    }

    #[test]
    fn a_huge_tree_stops_at_the_limit_and_keeps_the_shallow_files() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a/b/c/d")).unwrap();
        for number in 0..300 {
            std::fs::write(dir.path().join(format!("a/b/c/d/{number}.h")), "").unwrap();
        }
        std::fs::write(dir.path().join("platformio.ini"), "").unwrap();
        let tree = ProjectTree::scan(dir.path(), Limits { entries: 50, ..Limits::default() }).unwrap();
        assert!(tree.cut_short());
        assert_eq!(tree.files().next(), Some("platformio.ini"));
    }
}
