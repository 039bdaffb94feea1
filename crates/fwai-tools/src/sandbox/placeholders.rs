//! Mount points for protected paths that do not exist yet. An empty file or directory stands there while a
//! sandbox runs, so that nothing can be made in its place, and goes when the last sandbox that uses it ends.
//!
//! Each user holds a shared lock; whoever gets the exclusive lock is the last one. Only what is still empty
//! is ever removed.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// A placeholder that this sandbox keeps in place.
#[derive(Debug)]
pub struct Placeholder {
    path: PathBuf,
    is_directory: bool,
    lock: File,
}

impl Placeholder {
    /// Make the placeholder, or share one that another sandbox made. `None` when something real is there.
    pub fn hold(path: &Path, is_directory: bool) -> io::Result<Option<Self>> {
        for _ in 0..16 {
            let made = if is_directory { fs::create_dir(path) } else { File::create_new(path).map(drop) };
            match made {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            let lock = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            lock.lock_shared()?;
            // Another sandbox may have removed it between our look and our lock.
            let same =
                |at: fs::Metadata, open: fs::Metadata| at.ino() == open.ino() && at.dev() == open.dev();
            match fs::symlink_metadata(path) {
                Ok(at) if same(at.clone(), lock.metadata()?) => {
                    if at.is_dir() != is_directory || !is_empty(path, is_directory) {
                        return Ok(None);
                    }
                    return Ok(Some(Self { path: path.to_owned(), is_directory, lock }));
                }
                _ => continue,
            }
        }
        Err(io::Error::other("the path changes all the time"))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn is_directory(&self) -> bool {
        self.is_directory
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
            (Ok(at), Ok(open)) => at.ino() == open.ino() && at.dev() == open.dev(),
            _ => false,
        };
        if same && self.is_directory {
            let _ = fs::remove_dir(&self.path);
        } else if same && is_empty(&self.path, false) {
            let _ = fs::remove_file(&self.path);
        }
    }
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

        fs::write(&path, "real").unwrap();
        assert!(Placeholder::hold(&path, false).unwrap().is_none());
        assert_eq!(fs::read_to_string(&path).unwrap(), "real");
    }
}
