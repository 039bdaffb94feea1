//! Mount points for protected paths that do not exist yet. An empty file or directory stands there while a
//! sandbox runs, so that nothing can be made in its place, and goes when the last sandbox that uses it ends.
//!
//! Each user holds a shared lock; whoever gets the exclusive lock is the last one. A placeholder is known by
//! its time of change, so that an empty file or directory of the user's is never taken for one, and one that
//! a crash left behind goes with the next sandbox.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// A placeholder that this sandbox keeps in place.
#[derive(Debug)]
pub struct Placeholder {
    path: PathBuf,
    is_directory: bool,
    lock: File,
}

impl Placeholder {
    /// Make the placeholder, or share what is there while it is empty. `None` when something real is there.
    pub fn hold(path: &Path, is_directory: bool) -> io::Result<Option<Self>> {
        for _ in 0..64 {
            let made = if is_directory { fs::create_dir(path) } else { File::create_new(path).map(drop) };
            let made = match made {
                Ok(()) => true,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
                Err(error) => return Err(error),
            };
            let lock = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            lock.lock_shared()?;
            // Another sandbox may have removed it between our look and our lock.
            let open = lock.metadata()?;
            match fs::symlink_metadata(path) {
                Ok(at) if at.ino() == open.ino() && at.dev() == open.dev() => {
                    if at.is_dir() != is_directory || !is_empty(path, is_directory) {
                        return Ok(None);
                    }
                    if made {
                        lock.set_modified(mark())?;
                    }
                    return Ok(Some(Self { path: path.to_owned(), is_directory, lock }));
                }
                _ => continue,
            }
        }
        Err(io::Error::other("the path changes all the time"))
    }

    /// Whether this is a placeholder of some sandbox.
    pub fn is_one(metadata: &fs::Metadata) -> bool {
        metadata.modified().is_ok_and(|modified| modified == mark())
    }

    /// The lock, for the sandbox's first process to hold too.
    pub fn lock(&self) -> &File {
        &self.lock
    }

    /// Remove it unless another sandbox uses it; for after the sandbox has ended.
    pub fn release(self) {
        match self.lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return,
        }
        let same = match (fs::symlink_metadata(&self.path), self.lock.metadata()) {
            (Ok(at), Ok(open)) => at.ino() == open.ino() && at.dev() == open.dev() && Self::is_one(&at),
            _ => false,
        };
        if same && self.is_directory {
            let _ = fs::remove_dir(&self.path);
        } else if same && is_empty(&self.path, false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A moment in 2001 that no real file of today has; even, for file systems that count two seconds at a time.
fn mark() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_006)
}

fn is_empty(path: &Path, is_directory: bool) -> bool {
    if is_directory {
        fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
    } else {
        fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_user_removes_it_and_nothing_real_is_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(".git");
        let first = Placeholder::hold(&path, true).unwrap().unwrap();
        let second = Placeholder::hold(&path, true).unwrap().unwrap();
        first.release();
        assert!(path.exists(), "the second user still needs it");
        second.release();
        assert!(!path.exists());

        fs::create_dir(&path).unwrap();
        Placeholder::hold(&path, true).unwrap().unwrap().release();
        assert!(path.exists(), "an empty directory of the user's stays");
        fs::remove_dir(&path).unwrap();

        fs::write(&path, "real").unwrap();
        assert!(Placeholder::hold(&path, false).unwrap().is_none());
        assert_eq!(fs::read_to_string(&path).unwrap(), "real");
    }
}
