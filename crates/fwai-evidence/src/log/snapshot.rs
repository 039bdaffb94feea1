//! Reading the log at one checkpoint.

use std::{fs::File, io, path::PathBuf};

use super::{LONGEST_ENTRY, bundle_file, tile_file, writer::read_hashes};
use crate::{
    durable::read_plain,
    merkle::{self, Hash, HashSource, TILE_WIDTH, TilePath},
    note::SignedCheckpoint,
};

/// A bundle and as much again, which a crash may have left behind it.
const LARGEST_BUNDLE: u64 = 2 * TILE_WIDTH * (LONGEST_ENTRY as u64 + 2);

/// The log as its checkpoint states it. Writers wait while it exists.
#[derive(Debug)]
pub struct LogSnapshot {
    directory: PathBuf,
    pub signed: SignedCheckpoint,
    /// The checkpoint as it stands in its file.
    pub note: String,
    _lock: Option<File>,
}

impl LogSnapshot {
    pub(super) fn new(
        directory: PathBuf,
        signed: SignedCheckpoint,
        note: String,
        lock: Option<File>,
    ) -> Self {
        Self { directory, signed, note, _lock: lock }
    }

    pub fn size(&self) -> u64 {
        self.signed.checkpoint.size
    }

    /// Number of entry bundles, the last of which may not be full.
    pub fn bundles(&self) -> u64 {
        self.size().div_ceil(TILE_WIDTH)
    }

    /// Entries in a bundle.
    pub fn width_of(&self, bundle: u64) -> u64 {
        (self.size() - bundle * TILE_WIDTH).min(TILE_WIDTH)
    }

    /// The bytes of a bundle; take them apart with [`entries_in`].
    pub fn bundle(&self, index: u64) -> io::Result<Vec<u8>> {
        let tile = TilePath::entries(index, self.width_of(index));
        let path = tile_file::find(&self.directory, tile)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{tile} is missing")))?;
        read_plain(&path, LARGEST_BUNDLE)
    }

    pub fn entry(&self, index: u64) -> io::Result<Vec<u8>> {
        let bundle = index / TILE_WIDTH;
        let bytes = self.bundle(bundle)?;
        let inside = index % TILE_WIDTH;
        let entries = entries_in(&bytes, inside + 1).ok_or_else(|| {
            io::Error::new(io::ErrorKind::UnexpectedEof, format!("entry {index} is cut off"))
        })?;
        Ok(entries[inside as usize].to_vec())
    }

    /// Where a leaf stands, searched from leaf `from` on.
    pub fn position_of(&self, leaf: &Hash, from: u64) -> io::Result<Option<u64>> {
        for tile in from / TILE_WIDTH..self.bundles() {
            let hashes = self.tile(0, tile, self.width_of(tile))?;
            if let Some(inside) = hashes.iter().position(|hash| hash == leaf) {
                return Ok(Some(tile * TILE_WIDTH + inside as u64));
            }
        }
        Ok(None)
    }

    /// Bytes behind the hashes of a tile that the checkpoint covers.
    pub fn behind_hashes(&self, tile: TilePath) -> u64 {
        let path = tile_file::find(&self.directory, tile);
        let length = path.and_then(|path| path.metadata().ok()).map_or(0, |meta| meta.len());
        length.saturating_sub(tile.width * size_of::<Hash>() as u64)
    }

    /// The root that the tiles lead to at an earlier size.
    pub fn root_at(&self, size: u64) -> io::Result<Hash> {
        merkle::root(self, size)
    }
}

impl HashSource for LogSnapshot {
    type Error = io::Error;

    fn tile(&self, level: u32, index: u64, width: u64) -> io::Result<Vec<Hash>> {
        read_hashes(&self.directory, level, index, width)
    }
}

/// The first `count` entries in the bytes of a bundle; `None` when it is too short.
pub fn entries_in(bundle: &[u8], count: u64) -> Option<Vec<&[u8]>> {
    bundle_file::split_entries(bundle, count)
}
