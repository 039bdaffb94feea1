//! Where a path lands, decided from its text alone: `.` and `..` are folded, nothing is looked up.
//!
//! The other half, which asks the kernel about symlinks, hard links and mounts, is `fwai-tools`' `safe_path`.
//! A path counts as inside only if both halves say so.

use crate::{private_paths, request::Surroundings};

/// Longest path that is accepted.
pub const MAX_PATH: usize = 4096;

/// Why a text is not a path inside the project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum PathRefusal {
    #[error("the path is empty; name a file inside the project")]
    Empty,
    #[error("the path contains a NUL byte")]
    Nul,
    #[error("the path is longer than {MAX_PATH} bytes")]
    TooLong,
    #[error("a name in the path is longer than 255 bytes")]
    NameTooLong,
    #[error("{0} is outside the project; only paths beneath the project are allowed")]
    Outside(String),
}

/// A project-relative path: no `..`, no `.`, no empty component, no leading slash, never leaves the root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

impl RelativePath {
    /// The path as text; empty for the project itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }
}

impl std::fmt::Display for RelativePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}

/// `text`, as written by a model in directory `cwd`, relative to the project `root`. Both are absolute.
pub fn inside_project(root: &str, cwd: &str, text: &str) -> Result<RelativePath, PathRefusal> {
    if text.is_empty() {
        return Err(PathRefusal::Empty);
    }
    if text.contains('\0') {
        return Err(PathRefusal::Nul);
    }
    if text.len() > MAX_PATH {
        return Err(PathRefusal::TooLong);
    }
    if text.split('/').any(|name| name.len() > 255) {
        return Err(PathRefusal::NameTooLong);
    }
    let path = absolute(cwd, text);
    match beneath(&absolute("/", root), &path) {
        Some(relative) => Ok(RelativePath(relative.to_owned())),
        None => Err(PathRefusal::Outside(text.to_owned())),
    }
}

/// The absolute path of `text` in `cwd` with `.`, `..` and doubled slashes folded.
pub fn absolute(cwd: &str, text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let whole = if text.starts_with('/') { ["", text] } else { [cwd, text] };
    for name in whole.iter().flat_map(|part| part.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// What remains of `path` below `root`; empty when they are equal. Both are folded.
pub fn beneath<'p>(root: &str, path: &'p str) -> Option<&'p str> {
    if root == "/" {
        return path.strip_prefix('/');
    }
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Where a path lands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the project; empty text for its root.
    Inside(String),
    /// A directory that the configuration made writable, the private `/tmp`, or `/dev/null` and the like.
    Scratch,
    /// Programs, libraries, headers, toolchains: nobody's secret.
    System(String),
    /// Secrets of the user or the machine, which no command may read.
    Private(String),
    /// Anything else.
    Elsewhere(String),
}

/// Where `text` lands when used in `cwd`; a leading `~` is the home directory if `home` says so.
pub fn locate(surroundings: &Surroundings, cwd: &str, text: &str, home: bool) -> Place {
    let expanded;
    let text = match (&surroundings.home, text.strip_prefix('~')) {
        (Some(directory), Some(rest)) if home => {
            expanded = format!("{directory}{rest}");
            expanded.as_str()
        }
        (None, Some(_)) if home => return Place::Elsewhere(text.to_owned()),
        _ => text,
    };
    let path = absolute(cwd, text);
    if private_paths::is_private(&path, surroundings.home.as_deref(), &surroundings.private) {
        return Place::Private(path);
    }
    if let Some(relative) = beneath(&absolute("/", &surroundings.root), &path) {
        return Place::Inside(relative.to_owned());
    }
    let under = |directory: &str| beneath(directory, &path).is_some();
    const STREAMS: [&str; 9] = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/tty",
    ];
    if STREAMS.contains(&path.as_str()) || under("/dev/fd") || under("/dev/shm") {
        return Place::Scratch;
    }
    if under("/tmp") || under("/var/tmp") || surroundings.writable.iter().any(|directory| under(directory)) {
        return Place::Scratch;
    }
    const SYSTEM: [&str; 13] = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/opt",
        "/nix",
        "/gnu",
        "/etc",
        "/proc",
        "/sys",
        "/var/lib/dpkg",
    ];
    const TOOLCHAINS: [&str; 9] = [
        ".cargo/registry",
        ".cargo/bin",
        ".rustup",
        ".platformio",
        ".espressif",
        ".arduino15",
        ".pyenv",
        ".local/lib",
        ".nvm",
    ];
    let toolchain = |home: &String| TOOLCHAINS.iter().any(|name| under(&format!("{home}/{name}")));
    if SYSTEM.iter().any(|directory| under(directory)) || surroundings.home.as_ref().is_some_and(toolchain) {
        return Place::System(path);
    }
    Place::Elsewhere(path)
}
