//! C2SP tlog-tiles: where the hashes and entries of a tree lie.
//!
//! A tile of level L holds up to 256 hashes of the tree's level 8 × L; a tile that is not full yet is
//! called `….p/<width>`.

use std::fmt;

use super::{Hash, node_hash};

/// Levels of the tree that one tile spans.
pub const TILE_HEIGHT: u32 = 8;
/// Hashes in a full tile.
pub const TILE_WIDTH: u64 = 1 << TILE_HEIGHT;

/// The name of a tile, relative to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TilePath {
    /// `None` names a bundle of entries.
    pub level: Option<u32>,
    pub index: u64,
    /// 1 to 256.
    pub width: u64,
}

impl TilePath {
    pub fn hashes(level: u32, index: u64, width: u64) -> Self {
        Self { level: Some(level), index, width }
    }

    pub fn entries(index: u64, width: u64) -> Self {
        Self { level: None, index, width }
    }

    /// The name of the full tile, with `.p` as the directory of partial ones beside it.
    pub fn full_name(&self) -> String {
        let mut groups = format!("{:03}", self.index % 1000);
        let mut rest = self.index / 1000;
        while rest > 0 {
            groups = format!("x{:03}/{groups}", rest % 1000);
            rest /= 1000;
        }
        match self.level {
            Some(level) => format!("tile/{level}/{groups}"),
            None => format!("tile/entries/{groups}"),
        }
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width {
            TILE_WIDTH => f.write_str(&self.full_name()),
            width => write!(f, "{}.p/{width}", self.full_name()),
        }
    }
}

/// The root over a complete subtree, given its 2ⁿ hashes.
pub fn reduce(hashes: &[Hash]) -> Hash {
    debug_assert!(hashes.len().is_power_of_two());
    let mut row = hashes.to_vec();
    while row.len() > 1 {
        row = row.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    row[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_specification() {
        assert_eq!(TilePath::hashes(0, 0, 256).to_string(), "tile/0/000");
        assert_eq!(TilePath::hashes(1, 0, 5).to_string(), "tile/1/000.p/5");
        assert_eq!(TilePath::hashes(0, 1234067, 256).to_string(), "tile/0/x001/x234/067");
        assert_eq!(TilePath::entries(273, 112).to_string(), "tile/entries/273.p/112");
    }
}
