//! Writing files so that a crash leaves the old content or the new one, never a mixture.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

/// Replaces `path` with `bytes`: temporary file, fsync, rename, fsync of the directory.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = parent_of(path);
    let temporary = temporary_beside(path);
    let written = write_new(&temporary, bytes, 0o644).and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    sync_directory(directory)
}

/// Creates `path` with `bytes` unless it exists; of many processes exactly one wins.
pub fn create_file(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let temporary = temporary_beside(path);
    let linked = write_new(&temporary, bytes, mode).and_then(|()| fs::hard_link(&temporary, path));
    let _ = fs::remove_file(&temporary);
    linked?;
    sync_directory(parent_of(path))
}

/// Makes the names in a directory durable.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Creates a directory and its parents, and makes their names durable.
pub fn create_directories(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    let parent = parent_of(directory);
    create_directories(parent)?;
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_directory(parent),
    }
}

/// Names of temporary files start with this; a crash may leave one, and every reader skips them.
pub const TEMPORARY_PREFIX: &str = ".tmp-";

fn temporary_beside(path: &Path) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let serial = COUNTER.fetch_add(1, Ordering::Relaxed);
    parent_of(path).join(format!("{TEMPORARY_PREFIX}{}-{serial}-{name}", std::process::id()))
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    // A file of this name can only be the leftover of a dead process with the same id.
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
