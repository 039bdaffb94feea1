//! `.fwai/runs/.open/<run_id>`: says that a run is not finished, and whether its process lives.
//!
//! The owner holds a lock on the file for as long as it lives; the kernel gives the lock back however the
//! process dies. A marker that can be locked therefore belongs to a dead run. The marker goes away only
//! after the run's leaf is in the log, so whoever finds one knows that something is left to do, without
//! looking at every run that ever was.
//!
//! Asking whether a run lives takes a shared lock for an instant. A process that another thread starts in that
//! instant inherits the open file and would keep the lock until it runs its program, so the question ends with
//! an explicit unlock; and whoever wants a marker tells such a passing reader from a living owner.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::run_id::is_run_id;
use crate::durable::open_plain;

pub const OPEN_DIRECTORY: &str = ".open";

/// A reader asks and goes; one that stays longer is stopped or stuck, and the next run tries again.
const LONGEST_READING: Duration = Duration::from_secs(2);

/// A marker is one short line.
const LONGEST_TEXT: u64 = 4096;

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
        if !own(&file) || !is_same_file(&file, &path) {
            return Ok(None);
        }
        let text = MarkerText { pid: std::process::id(), log_size };
        file.write_all(&serde_json::to_vec(&text)?)?;
        Ok(Some(Self { path, file }))
    }

    /// Takes over the marker of a dead run; `None` while its process lives or when it is gone.
    pub fn take_over(runs: &Path, run_id: &str) -> Option<(Self, MarkerText)> {
        let path = runs.join(OPEN_DIRECTORY).join(run_id);
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        // Reading from a pipe would never end.
        if !file.metadata().is_ok_and(|meta| meta.is_file()) || !own(&file) || !is_same_file(&file, &path) {
            return None;
        }
        let mut text = String::new();
        (&file).take(LONGEST_TEXT).read_to_string(&mut text).ok()?;
        // A marker that was cut off while being written says nothing; then the whole log is searched.
        let text = serde_json::from_str(&text).unwrap_or(MarkerText { pid: 0, log_size: 0 });
        Some((Self { path, file }, text))
    }

    /// The run is complete: nothing is left to do.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

impl Drop for OpenMarker {
    fn drop(&mut self) {
        // Closing would leave the lock with a child process that was just forked.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Run ids that have a marker; other names are none of ours.
pub fn marked_runs(runs: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(runs.join(OPEN_DIRECTORY)) else { return Vec::new() };
    let mut ids: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    ids.retain(|id| is_run_id(id));
    ids.sort();
    ids
}

/// Whether the process of a run lives.
pub fn is_alive(runs: &Path, run_id: &str) -> bool {
    let Ok(file) = open_plain(&runs.join(OPEN_DIRECTORY).join(run_id)) else { return false };
    !can_be_shared(&file)
}

/// Takes the lock of an owner; `false` when a living process has it. Readers are waited for.
fn own(file: &File) -> bool {
    let begin = Instant::now();
    loop {
        if flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return true;
        }
        if !can_be_shared(file) || begin.elapsed() > LONGEST_READING {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether nobody owns the file, though others may be reading it.
fn can_be_shared(file: &File) -> bool {
    let shared = flock(file, FlockOperation::NonBlockingLockShared).is_ok();
    if shared {
        // Closing would not do: a child process that was just forked has the same open file.
        let _ = flock(file, FlockOperation::Unlock);
    }
    shared
}

fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(named)) => ours.ino() == named.ino() && ours.dev() == named.dev(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::{
        process::Command,
        sync::{
            Barrier,
            atomic::{AtomicBool, Ordering},
        },
    };

    use super::*;

    const ID: &str = "20260228-161234-build";

    /// A marker as a dead process leaves it.
    fn dead_marker() -> tempfile::TempDir {
        let runs = tempfile::tempdir().unwrap();
        drop(OpenMarker::create(runs.path(), ID, 7).unwrap().unwrap());
        runs
    }

    #[test]
    fn a_living_owner_keeps_its_marker_and_a_dead_one_loses_it() {
        let runs = tempfile::tempdir().unwrap();
        let owner = OpenMarker::create(runs.path(), ID, 7).unwrap().unwrap();
        assert!(is_alive(runs.path(), ID));
        assert!(OpenMarker::take_over(runs.path(), ID).is_none());
        drop(owner);
        assert!(!is_alive(runs.path(), ID));
        let (marker, text) = OpenMarker::take_over(runs.path(), ID).unwrap();
        assert_eq!(text.log_size, 7);
        marker.remove().unwrap();
        assert!(marked_runs(runs.path()).is_empty());
    }

    #[test]
    fn a_reader_that_looks_at_the_same_moment_does_not_stop_the_repair() {
        let runs = dead_marker();
        let reader = File::open(runs.path().join(OPEN_DIRECTORY).join(ID)).unwrap();
        flock(&reader, FlockOperation::LockShared).unwrap();
        let meet = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                meet.wait();
                thread::sleep(Duration::from_millis(30));
                drop(reader);
            });
            meet.wait();
            assert!(OpenMarker::take_over(runs.path(), ID).is_some());
        });
    }

    /// A child inherits every open file until it runs its program; a lock that only closing would release
    /// therefore outlived the question, and the run was taken for a living one.
    #[test]
    fn processes_that_other_threads_start_do_not_keep_a_dead_run_alive() {
        let runs = dead_marker();
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..300 {
                    Command::new("true").status().unwrap();
                }
                over.store(true, Ordering::Relaxed);
            });
            let file = File::open(runs.path().join(OPEN_DIRECTORY).join(ID)).unwrap();
            let mut kept = 0;
            while !over.load(Ordering::Relaxed) {
                assert!(!is_alive(runs.path(), ID));
                kept += u32::from(flock(&file, FlockOperation::NonBlockingLockExclusive).is_err());
                flock(&file, FlockOperation::Unlock).unwrap();
            }
            assert_eq!(kept, 0, "locks that outlived the question");
        });
    }
}
