//! The three hashes of RFC 6962, told apart by their first byte.

use sha2::{Digest as _, Sha256};

pub type Hash = [u8; 32];

pub fn leaf_hash(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut bytes = [0; 65];
    bytes[0] = 1;
    bytes[1..33].copy_from_slice(left);
    bytes[33..].copy_from_slice(right);
    Sha256::digest(bytes).into()
}

/// The root of a tree without leaves.
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}
