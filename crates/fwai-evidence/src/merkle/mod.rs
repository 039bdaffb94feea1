//! RFC 6962 Merkle trees: hashing, proofs, and the C2SP tile layout.

mod hash;
mod proof;
mod tile;
mod tree;

pub use hash::{Hash, empty_root, leaf_hash, node_hash};
pub use proof::{ProofError, verify_consistency, verify_inclusion};
pub use tile::{TILE_HEIGHT, TILE_WIDTH, TilePath, reduce};
pub use tree::{HashSource, consistency_proof, inclusion_proof, root, tree_root};

#[cfg(test)]
mod tests;
