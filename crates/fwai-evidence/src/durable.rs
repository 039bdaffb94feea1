//! Writing files so that a crash leaves the old content or the new one, never a mixture.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use rustix::{fs::OFlags, io::Errno};

/// Larger records are no records.
pub const LARGEST_RECORD: u64 = 256 << 20;
/// Checkpoints and keys are a few lines.
const LARGEST_NOTE: u64 = 1 << 20;

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

/// Opens a plain file for reading. A link, a pipe or a device where a record should be is somebody's doing: following
/// it could lead anywhere, and reading it might never end.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::LOOP) => not_plain("is a link"),
        _ => error,
    })?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() { Ok(file) } else { Err(not_plain("is not a plain file")) }
}

/// Reads a plain file of at most `limit` bytes.
pub fn read_plain(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_plain(path)?;
    let mut bytes = Vec::with_capacity(file.metadata()?.len().min(limit) as usize);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {limit} bytes"))),
        false => Ok(bytes),
    }
}

/// The text of a small plain file, such as a checkpoint or a key.
pub fn read_note(path: &Path) -> io::Result<String> {
    String::from_utf8(read_plain(path, LARGEST_NOTE)?).map_err(io::Error::other)
}

fn not_plain(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
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
