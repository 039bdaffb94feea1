//! What tools may touch. `fwai-app` makes one for each session.

use crate::{
    safe_path::{ProjectDir, SafePath},
    shell::jobs::Jobs,
};
use fwai_agent::tool::{PathScope, ToolContext};
use fwai_firmware::launch::Launcher;
use fwai_schema::{config::Config, permission::Mode, project::Project};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// The world of one session.
pub struct World {
    pub project_dir: ProjectDir,
    pub config: Config,
    pub project: Project,
    /// Starts processes inside the walls.
    pub launchers: Arc<dyn Launchers>,
    /// Paths outside the project that must not be read either: home secrets, fwai's own keys.
    pub unreadable: Vec<PathBuf>,
    /// The program `fwai` itself, whose commands the firmware tools use.
    pub program: PathBuf,
    pub jobs: Jobs,
    /// Where the shell stands; `cd` moves it, and it stays between calls.
    shell_cwd: Mutex<PathBuf>,
}

/// Gives the launcher whose walls fit a call.
pub trait Launchers: Send + Sync {
    /// In plan mode everything is read-only; each scope narrows what may be written.
    fn for_call(&self, mode: Mode, scopes: &[PathScope]) -> Arc<dyn Launcher>;
}

impl World {
    pub fn new(
        project_dir: ProjectDir,
        config: Config,
        project: Project,
        launchers: Arc<dyn Launchers>,
        unreadable: Vec<PathBuf>,
    ) -> Self {
        let shell_cwd = Mutex::new(project_dir.root().to_owned());
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("fwai"));
        Self {
            project_dir,
            config,
            project,
            launchers,
            unreadable,
            program,
            jobs: Jobs::default(),
            shell_cwd,
        }
    }

    pub fn shell_cwd(&self) -> PathBuf {
        self.shell_cwd.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    pub fn set_shell_cwd(&self, directory: PathBuf) {
        *self.shell_cwd.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = directory;
    }

    /// Whether an open file may be read, by where it really lies: names can be swapped after they were checked.
    pub fn may_read_open(&self, file: &std::fs::File) -> bool {
        use std::os::fd::AsRawFd;
        match std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())) {
            Ok(place) => self.may_read(&place),
            // A system without /proc has no walls either.
            Err(_) => true,
        }
    }

    /// Whether a real path may be read. Inside the project everything may; outside, all but secrets. What
    /// the kernel tells of running processes (fwai's own environment among it) counts as such.
    pub fn may_read(&self, real: &Path) -> bool {
        let of_a_process = real.strip_prefix("/proc").ok().and_then(|below| below.components().next());
        let is_process = of_a_process.is_some_and(|name| {
            let name = name.as_os_str().as_encoded_bytes();
            name.iter().all(u8::is_ascii_digit) || name == b"self" || name == b"thread-self"
        });
        !is_process && !self.unreadable.iter().any(|secret| real.starts_with(secret))
    }

    /// Opens a file for reading that is one: what was put in its place after it was looked at, a pipe for
    /// instance, holds nobody.
    pub fn open_file(&self, real: &Path) -> std::io::Result<(std::fs::File, std::fs::Metadata)> {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
        let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(real)?;
        let metadata = file.metadata()?;
        let problem = if metadata.is_dir() {
            "is a directory; use list_directory"
        } else if !metadata.is_file() {
            "is neither a file nor a directory"
        } else if !self.may_read_open(&file) {
            "may hold secrets and cannot be read"
        } else {
            return Ok((file, metadata));
        };
        Err(std::io::Error::other(problem))
    }
}

/// Paths as tools use them.
pub trait ToolPaths {
    /// A path to write, beneath the project.
    fn writable(&self, path: &str) -> Result<SafePath, String>;
    /// A path to read: beneath the project, or any other that holds no secrets.
    fn readable(&self, path: &str) -> Result<PathBuf, String>;
    /// How people write a path: relative to the project where it lies inside.
    fn shown(&self, path: &Path) -> String;
}

impl ToolPaths for ToolContext<World> {
    fn writable(&self, path: &str) -> Result<SafePath, String> {
        self.project_dir.resolve(self.cwd(), path).map_err(|error| error.to_string())
    }

    fn readable(&self, path: &str) -> Result<PathBuf, String> {
        if path.is_empty() || path.contains('\0') {
            return Err("`path` is empty".to_owned());
        }
        let expanded = match path.strip_prefix("~/").zip(std::env::home_dir()) {
            Some((below, home)) => home.join(below),
            None => self.cwd().join(path),
        };
        let real = expanded.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("{path} does not exist{}", near(&expanded)),
            _ => format!("{path}: {error}"),
        })?;
        if self.may_read(&real) {
            Ok(real)
        } else {
            Err(format!("{path} may hold secrets and cannot be read"))
        }
    }

    fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(self.project_dir.root()).unwrap_or(path);
        visible(&path.to_string_lossy()).into_owned()
    }
}

/// A name on one line, as it is: what would end the line, move the cursor or turn the text round is escaped.
pub(crate) fn visible(name: &str) -> std::borrow::Cow<'_, str> {
    let misleads = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
    };
    if !name.contains(misleads) {
        return name.into();
    }
    let escaped = |c: char| if misleads(c) { c.escape_default().to_string() } else { c.to_string() };
    name.chars().map(escaped).collect::<String>().into()
}

/// A name in the same directory that was probably meant.
fn near(path: &Path) -> String {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return String::new();
    };
    let names: Vec<String> = std::fs::read_dir(parent)
        .into_iter()
        .flatten()
        .take(5_000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let guess = fwai_schema::document::nearest(name, names.iter().map(String::as_str));
    guess.map(|guess| format!("; did you mean {guess}?")).unwrap_or_default()
}
