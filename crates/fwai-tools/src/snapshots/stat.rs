//! How a file looked when its content was last read, and whether that can still be relied on.

use super::objects::ObjectId;
use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

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
    // The kernel's numbers differ in type between machines.
    #[allow(clippy::unnecessary_cast, reason = "needed on 32-bit machines")]
    pub fn of(stat: &rustix::fs::Stat) -> Self {
        Self {
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            size: stat.st_size as u64,
            inode: stat.st_ino as u64,
            mode: git_mode(stat.st_mode),
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
#[derive(Debug)]
pub struct Known {
    pub look: Look,
    pub id: ObjectId,
    /// A change after that look must show in the next one.
    pub settled: bool,
    /// The last look that met the file.
    seen: AtomicU32,
}

impl Known {
    pub fn new(look: Look, id: ObjectId, settled: bool) -> Self {
        Self { look, id, settled, seen: AtomicU32::new(0) }
    }

    /// Notes that a look met the file.
    pub fn see(&self, round: u32) {
        self.seen.store(round, Ordering::Relaxed);
    }

    pub fn was_seen(&self, round: u32) -> bool {
        self.seen.load(Ordering::Relaxed) == round
    }
}

/// What is known of every file, by path.
pub type Table = HashMap<Arc<[u8]>, Known>;
