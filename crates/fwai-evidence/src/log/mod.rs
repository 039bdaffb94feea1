//! The Merkle log under `.fwai/log/`.
//!
//! ```text
//! .fwai/log/
//! ├─ checkpoint                 signed note: origin, number of leaves, root
//! ├─ tile/<level>/<index>       256 hashes each; `….p/<width>` while it fills
//! ├─ tile/entries/<index>       256 envelopes each, every one behind its length (u16, big endian)
//! ├─ anchors/                   checkpoints kept beside the log
//! └─ .lock                      held by the one who writes
//! ```
//!
//! # Why a crash loses nothing
//!
//! The checkpoint is the only thing that counts: a leaf exists when the checkpoint says so, and `append`
//! returns after the checkpoint was renamed into place and its directory synced. Before that, in this order:
//!
//! 1. New bytes go *behind* the acknowledged ones in the files of the right edge (bundle and tiles). Nothing
//!    acknowledged is overwritten, so a torn write leaves only a tail that no checkpoint speaks of.
//! 2. Each file is synced, then renamed to the name of its new width, then its directory is synced. A crash
//!    in between leaves a file that is wider than the checkpoint says; readers look for a file of *at least*
//!    the width they need.
//! 3. The new checkpoint is written beside the old one, synced, renamed over it, and the directory synced.
//!
//! The next writer starts from the checkpoint, cuts every right-edge file to what is acknowledged, and goes
//! on; that is the whole repair. The first checkpoint (no leaves) is written before the first tile, so tiles
//! without a checkpoint can only mean that somebody removed it, and the log refuses to go on.

mod bundle_file;
mod lock;
mod snapshot;
mod tile_file;
mod writer;

pub use snapshot::{LogSnapshot, entries_in};
pub use writer::{Appended, Log, LogError};

/// Longest entry that the layout can hold.
pub const LONGEST_ENTRY: usize = u16::MAX as usize;
