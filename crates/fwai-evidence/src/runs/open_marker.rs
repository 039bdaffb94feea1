//! `.fwai/runs/.open/<run_id>`: says that a run is not finished, and whether its process lives.
//!
//! The owner holds a lock on the file for as long as it lives; the kernel gives the lock back however the
//! process dies. A marker that can be locked therefore belongs to a dead run. The marker goes away only
//! after the run's leaf is in the log, so whoever finds one knows that something is left to do, without
//! looking at every run that ever was.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

pub const OPEN_DIRECTORY: &str = ".open";

/// What a marker says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkerText {
    pub pid: u32,
    /// Leaves in the log when the run started; its own leaf can only lie behind them.
    pub log_size: u64,
}

/// A marker that this process holds.
#[derive(Debug)]
pub struct OpenMarker {
    path: PathBuf,
    file: File,
}

impl OpenMarker {
    /// Takes the marker of a new run; `None` when another process has it.
    pub fn create(runs: &Path, run_id: &str, log_size: u64) -> io::Result<Option<Self>> {
        let directory = runs.join(OPEN_DIRECTORY);
        crate::durable::create_directories(&directory)?;
        let path = directory.join(run_id);
        let mut file = match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            opened => opened?,
        };
        // A repairing process may have locked and removed the file in the instant since it appeared.
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() || !is_same_file(&file, &path) {
            return Ok(None);
        }
        let text = MarkerText { pid: std::process::id(), log_size };
        file.write_all(&serde_json::to_vec(&text)?)?;
        Ok(Some(Self { path, file }))
    }

    /// Takes over the marker of a dead run; `None` while its process lives or when it is gone.
    pub fn take_over(runs: &Path, run_id: &str) -> Option<(Self, MarkerText)> {
        let path = runs.join(OPEN_DIRECTORY).join(run_id);
        let mut file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        if !is_same_file(&file, &path) {
            return None;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        // A marker that was cut off while being written says nothing; then the whole log is searched.
        let text = serde_json::from_str(&text).unwrap_or(MarkerText { pid: 0, log_size: 0 });
        Some((Self { path, file }, text))
    }

    /// The run is complete: nothing is left to do.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        drop(self.file);
        Ok(())
    }
}

/// Run ids that have a marker.
pub fn marked_runs(runs: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(runs.join(OPEN_DIRECTORY)) else { return Vec::new() };
    let mut ids: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    ids.sort();
    ids
}

/// Whether the process of a run lives.
pub fn is_alive(runs: &Path, run_id: &str) -> bool {
    let Ok(file) = File::open(runs.join(OPEN_DIRECTORY).join(run_id)) else { return false };
    flock(&file, FlockOperation::NonBlockingLockShared).is_err()
}

fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(named)) => ours.ino() == named.ino() && ours.dev() == named.dev(),
        _ => false,
    }
}
