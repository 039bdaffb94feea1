//! How a file looked when its content was last read, and whether that can still be relied on.

use super::objects::ObjectId;
use std::{fs::Metadata, os::unix::fs::MetadataExt, time::Duration};

/// A file that changed this shortly before a look may change again within the same tick of its clock.
pub const SETTLED: Duration = Duration::from_millis(50);

/// What every change of a file's content changes too. The time of the last change of state cannot be set by
/// a program, so it counts even where the time of modification was set back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub changed: (i64, i64),
    pub modified: (i64, i64),
    pub size: u64,
    pub inode: u64,
    pub mode: u32,
}

impl Look {
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            size: metadata.size(),
            inode: metadata.ino(),
            mode: git_mode(metadata.mode()),
        }
    }

    pub fn is_link(&self) -> bool {
        self.mode == 0o120_000
    }

    /// Whether a further change must show, for a look taken at `now` (seconds and nanoseconds since 1970).
    pub fn is_settled(&self, now: Duration) -> bool {
        let changed =
            Duration::new(self.changed.0.max(0) as u64, self.changed.1.clamp(0, 999_999_999) as u32);
        changed + SETTLED < now
    }
}

/// The three kinds of files that git knows.
pub fn git_mode(mode: u32) -> u32 {
    match mode & libc::S_IFMT {
        libc::S_IFLNK => 0o120_000,
        _ if mode & 0o100 != 0 => 0o100_755,
        _ => 0o100_644,
    }
}

/// A file of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub mode: u32,
    pub id: ObjectId,
}

/// Content that was read, and how the file looked then.
#[derive(Debug, Clone)]
pub struct Known {
    pub look: Look,
    pub id: ObjectId,
    /// A change after that look must show in the next one.
    pub settled: bool,
}
