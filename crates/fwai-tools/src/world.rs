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

    /// Whether a real path may be read. Inside the project everything may; outside, all but secrets.
    pub fn may_read(&self, real: &Path) -> bool {
        !self.unreadable.iter().any(|secret| real.starts_with(secret))
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
        path.strip_prefix(self.project_dir.root()).unwrap_or(path).display().to_string()
    }
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
