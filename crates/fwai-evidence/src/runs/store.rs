//! The runs of one project.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use fwai_schema::evidence::ProjectRef;
use jiff::Timestamp;

use super::{
    ChangeBudget, Clock, SystemClock, clock::rfc3339, open_marker::OpenMarker, run::Run, run_id::run_id, seal,
};
use crate::{
    durable,
    keys::{KeyError, Rotated, UserKeys},
    log::{Log, LogError},
    redact::{AlreadyRedacted, Redactor},
};

/// What a store needs to know about its world.
#[derive(Clone)]
pub struct RunOptions {
    /// `$FWAI_HOME` or `$XDG_CONFIG_HOME/fwai`: where the private key lives.
    pub user_directory: PathBuf,
    pub clock: Arc<dyn Clock>,
    pub redactor: Arc<dyn Redactor>,
    pub budget: ChangeBudget,
    /// `evidence.sign` of the configuration.
    pub sign: bool,
    /// `evidence.git_notes`: the checkpoint goes into git notes after each run.
    pub git_notes: bool,
    /// Written into each run.
    pub project: Option<ProjectRef>,
    /// Choices that weakened a wall for the whole process, for instance `sandbox: off`.
    pub waivers: Vec<String>,
    pub fwai_version: String,
}

impl RunOptions {
    pub fn new(user_directory: impl Into<PathBuf>) -> Self {
        Self {
            user_directory: user_directory.into(),
            clock: Arc::new(SystemClock),
            redactor: Arc::new(AlreadyRedacted),
            budget: ChangeBudget::default(),
            sign: true,
            git_notes: false,
            project: None,
            waivers: Vec::new(),
            fwai_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// What can go wrong while a run is written.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum RunError {
    #[error("cannot write {}: {source}; evidence must be durable, so make room or fix permissions and run again", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot make a unique run directory for {label} under {}", directory.display())]
    NoUniqueId { label: String, directory: PathBuf },
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("cannot measure changes with git: {0}; is git installed?")]
    Changes(io::Error),
}

impl RunError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }
}

/// The runs of one project.
#[derive(Clone)]
pub struct RunStore {
    pub(crate) root: PathBuf,
    pub(crate) options: Arc<RunOptions>,
}

impl RunStore {
    /// Opens the runs under `root/.fwai/runs`; nothing is written before the first run.
    pub fn open(root: impl Into<PathBuf>, options: RunOptions) -> Result<Self, RunError> {
        Ok(Self { root: root.into(), options: Arc::new(options) })
    }

    /// The project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `.fwai/runs`.
    pub fn runs_directory(&self) -> PathBuf {
        self.root.join(".fwai/runs")
    }

    /// Replaces the user's key, and states the change in this project's log where the old key signed before.
    pub fn rotate_key(&self) -> Result<Rotated, RunError> {
        let user = UserKeys::of(&self.options.user_directory);
        let rotated = user.rotate(&rfc3339(self.options.clock.now()))?;
        seal::append_with_rotations(self, None, &user.signer()?)?;
        Ok(rotated)
    }

    /// Makes the directory of a new run; of two processes in the same second each gets its own. Runs that
    /// dead processes left are completed on the way.
    pub fn create_run(&self, label: &str) -> Result<Run, RunError> {
        self.create_run_since(label, self.options.clock.now())
    }

    /// The same for what began earlier, as a turn does before its first effect.
    pub fn create_run_since(&self, label: &str, started: Timestamp) -> Result<Run, RunError> {
        let runs = self.runs_directory();
        durable::create_directories(&runs).map_err(RunError::write(&runs))?;
        self.repair()?;
        let log_size = Log::of(&self.root).size()?;
        let wanted = run_id(started, label);
        for serial in 1..100_000u32 {
            let id = if serial == 1 { wanted.clone() } else { format!("{wanted}-{serial}") };
            let directory = runs.join(&id);
            if directory.exists() {
                continue;
            }
            // The marker comes first: a directory without one is never mistaken for a live run.
            let Some(marker) =
                OpenMarker::create(&runs, &id, log_size).map_err(RunError::write(&directory))?
            else {
                continue;
            };
            match fs::create_dir(&directory) {
                Ok(()) => {
                    durable::sync_directory(&runs).map_err(RunError::write(&runs))?;
                    return Ok(Run::new(self.clone(), id, label.to_owned(), directory, marker, started));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    marker.remove().map_err(RunError::write(&directory))?;
                }
                Err(error) => return Err(RunError::Write { path: directory, source: error }),
            }
        }
        Err(RunError::NoUniqueId { label: label.to_owned(), directory: runs })
    }
}
