//! Appending to the log: work on the right edge only, whatever the size.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    LONGEST_ENTRY, LogSnapshot, bundle_file,
    lock::{lock_for_reading, lock_for_writing},
    tile_file,
};
use crate::{
    durable,
    merkle::{Hash, TILE_HEIGHT, TILE_WIDTH, TilePath, empty_root, leaf_hash, node_hash, reduce},
    note::{Checkpoint, NoteError, SignedCheckpoint},
    signer::Signer,
};

/// The log of one project.
#[derive(Debug, Clone)]
pub struct Log {
    directory: PathBuf,
}

/// Leaves that are in the log for good.
#[derive(Debug, Clone)]
pub struct Appended {
    /// Index of the first of them.
    pub first: u64,
    /// The checkpoint before.
    pub before: Checkpoint,
    /// The checkpoint that covers them.
    pub checkpoint: Checkpoint,
    /// The same, signed.
    pub note: String,
}

/// What can go wrong with the log.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum LogError {
    #[error("log {}: {source}; free space or fix permissions, the next write repairs what is left", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: {error}; restore it from a backup or an anchor (`fwai audit verify` says more)", path.display())]
    Checkpoint { path: PathBuf, error: NoteError },
    #[error("{} has tiles but no checkpoint; somebody removed it. Restore `checkpoint` from a backup or an anchor", path.display())]
    NoCheckpoint { path: PathBuf },
    #[error("the log in {} does not lead to the root that its checkpoint states; `fwai audit verify --all` says where it was changed", path.display())]
    Damaged { path: PathBuf },
    #[error("an entry of {length} bytes is too long for the log ({LONGEST_ENTRY} at most)")]
    EntryTooLong { length: usize },
    #[error("the system gave no randomness to name the log")]
    NoRandomness,
}

impl Log {
    /// The log of the project at `root`.
    pub fn of(root: &Path) -> Self {
        Self { directory: root.join(".fwai/log") }
    }

    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Number of leaves, without looking at them.
    pub fn size(&self) -> Result<u64, LogError> {
        Ok(self.read_checkpoint()?.map_or(0, |(signed, _)| signed.checkpoint.size))
    }

    /// A consistent view of the log; `None` when nothing was ever logged.
    pub fn snapshot(&self) -> Result<Option<LogSnapshot>, LogError> {
        let lock = lock_for_reading(&self.directory).map_err(|source| self.io(source))?;
        Ok(self
            .read_checkpoint()?
            .map(|(signed, note)| LogSnapshot::new(self.directory.clone(), signed, note, lock)))
    }

    /// Appends entries and returns when they are durable. Other writers wait meanwhile.
    pub fn append<E: AsRef<[u8]>>(&self, entries: &[E], signer: &Signer) -> Result<Appended, LogError> {
        if let Some(long) = entries.iter().find(|entry| entry.as_ref().len() > LONGEST_ENTRY) {
            return Err(LogError::EntryTooLong { length: long.as_ref().len() });
        }
        durable::create_directories(&self.directory).map_err(|source| self.io(source))?;
        let _lock = lock_for_writing(&self.directory).map_err(|source| self.io(source))?;
        let before = match self.read_checkpoint()? {
            Some((signed, _)) => signed.checkpoint,
            None => self.found(signer)?,
        };
        let mut edge = RightEdge::load(&self.directory, before.size).map_err(|source| self.io(source))?;
        if edge.root() != before.root {
            return Err(LogError::Damaged { path: self.directory.clone() });
        }
        let mut unwritten = entries;
        while !unwritten.is_empty() {
            let room = TILE_WIDTH - edge.size % TILE_WIDTH;
            let (now, later) = unwritten.split_at(unwritten.len().min(room as usize));
            edge.write(&self.directory, now).map_err(|source| self.io(source))?;
            unwritten = later;
        }
        let checkpoint = Checkpoint { origin: before.origin.clone(), size: edge.size, root: edge.root() };
        let note = self.publish(&checkpoint, signer)?;
        Ok(Appended { first: before.size, before, checkpoint, note })
    }

    /// Starts an empty log under a name of its own.
    fn found(&self, signer: &Signer) -> Result<Checkpoint, LogError> {
        if self.directory.join("tile").exists() {
            return Err(LogError::NoCheckpoint { path: self.directory.clone() });
        }
        let mut id = [0; 8];
        getrandom::fill(&mut id).map_err(|_| LogError::NoRandomness)?;
        let origin = format!("fwai.dev/log/{}", hex::encode(id));
        let checkpoint = Checkpoint { origin, size: 0, root: empty_root() };
        self.publish(&checkpoint, signer)?;
        Ok(checkpoint)
    }

    fn publish(&self, checkpoint: &Checkpoint, signer: &Signer) -> Result<String, LogError> {
        let note = checkpoint.sign(signer);
        durable::replace_file(&self.checkpoint_path(), note.as_bytes()).map_err(|source| self.io(source))?;
        Ok(note)
    }

    fn read_checkpoint(&self) -> Result<Option<(SignedCheckpoint, String)>, LogError> {
        let path = self.checkpoint_path();
        let note = match durable::read_note(&path) {
            Ok(note) => note,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(LogError::Io { path, source }),
        };
        match SignedCheckpoint::parse(&note) {
            Ok(signed) => Ok(Some((signed, note))),
            Err(error) => Err(LogError::Checkpoint { path, error }),
        }
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.directory.join("checkpoint")
    }

    fn io(&self, source: io::Error) -> LogError {
        LogError::Io { path: self.directory.clone(), source }
    }
}

/// The tiles that are not full, one for each level.
struct RightEdge {
    size: u64,
    levels: Vec<Vec<Hash>>,
}

impl RightEdge {
    fn load(log: &Path, size: u64) -> io::Result<Self> {
        let mut levels = Vec::new();
        let mut count = size;
        while count > 0 {
            let (index, width) = (count / TILE_WIDTH, count % TILE_WIDTH);
            levels.push(if width == 0 {
                Vec::new()
            } else {
                read_hashes(log, levels.len() as u32, index, width)?
            });
            count >>= TILE_HEIGHT;
        }
        Ok(Self { size, levels })
    }

    /// Folds the subtrees of the edge, smallest first.
    fn root(&self) -> Hash {
        let mut root: Option<Hash> = None;
        for hashes in &self.levels {
            let mut rest = &hashes[..];
            while !rest.is_empty() {
                let count = 1 << rest.len().trailing_zeros();
                let (before, subtree) = rest.split_at(rest.len() - count);
                let left = reduce(subtree);
                root = Some(root.map_or(left, |right| node_hash(&left, &right)));
                rest = before;
            }
        }
        root.unwrap_or_else(empty_root)
    }

    /// Writes entries that fit into the current bundle, and all hashes that follow from them.
    fn write<E: AsRef<[u8]>>(&mut self, log: &Path, entries: &[E]) -> io::Result<()> {
        let (index, width) = (self.size / TILE_WIDTH, self.size % TILE_WIDTH);
        let grown = width + entries.len() as u64;
        let mut bundle = Vec::new();
        let mut hashes = Vec::with_capacity(entries.len());
        for entry in entries {
            bundle_file::push_entry(&mut bundle, entry.as_ref());
            hashes.push(leaf_hash(entry.as_ref()));
        }
        let kept = match width {
            0 => 0,
            _ => {
                let old = TilePath::entries(index, width);
                let path = tile_file::find(log, old)
                    .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{old} is missing")))?;
                bundle_file::length_of(&path, width)?
            }
        };
        tile_file::grow(log, TilePath::entries(index, grown), width, kept, &bundle)?;
        self.size += entries.len() as u64;
        self.push_hashes(log, 0, index, &hashes)
    }

    fn push_hashes(&mut self, log: &Path, level: usize, index: u64, hashes: &[Hash]) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        let row = &mut self.levels[level];
        let width = row.len() as u64;
        row.extend_from_slice(hashes);
        let tile = TilePath::hashes(level as u32, index, row.len() as u64);
        tile_file::grow(log, tile, width, width * 32, hashes.as_flattened())?;
        if row.len() as u64 == TILE_WIDTH {
            let above = reduce(row);
            row.clear();
            return self.push_hashes(log, level + 1, index / TILE_WIDTH, &[above]);
        }
        Ok(())
    }
}

pub(super) fn read_hashes(log: &Path, level: u32, index: u64, width: u64) -> io::Result<Vec<Hash>> {
    let tile = TilePath::hashes(level, index, width);
    let path = tile_file::find(log, tile)
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{tile} is missing")))?;
    let bytes = tile_file::read_prefix(&path, width as usize * 32)
        .map_err(|error| io::Error::new(error.kind(), format!("{tile}: {error}")))?;
    Ok(bytes.as_chunks::<32>().0.to_vec())
}
