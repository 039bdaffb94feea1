//! Checking proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2).

use super::{Hash, empty_root, node_hash};

/// Why a proof proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum ProofError {
    #[error("the leaf lies outside the tree")]
    OutsideTree,
    #[error("the proof has the wrong number of hashes")]
    WrongLength,
    #[error("the proof leads to another root")]
    OtherRoot,
}

/// Checks that `leaf` stands at `index` in the tree of `size` leaves with this `root`.
pub fn verify_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: &Hash,
) -> Result<(), ProofError> {
    if index >= size {
        return Err(ProofError::OutsideTree);
    }
    let (mut fn_, mut sn) = (index, size - 1);
    let mut hash = *leaf;
    for sibling in proof {
        if sn == 0 {
            return Err(ProofError::WrongLength);
        }
        if fn_ & 1 == 1 || fn_ == sn {
            hash = node_hash(sibling, &hash);
            while fn_ & 1 == 0 && fn_ != 0 {
                fn_ >>= 1;
                sn >>= 1;
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        fn_ >>= 1;
        sn >>= 1;
    }
    if sn != 0 {
        return Err(ProofError::WrongLength);
    }
    if hash == *root { Ok(()) } else { Err(ProofError::OtherRoot) }
}

/// Checks that the tree of `new_size` leaves begins with the tree of `old_size` leaves.
pub fn verify_consistency(
    old_size: u64,
    new_size: u64,
    proof: &[Hash],
    old_root: &Hash,
    new_root: &Hash,
) -> Result<(), ProofError> {
    if old_size > new_size {
        return Err(ProofError::OutsideTree);
    }
    if old_size == new_size || old_size == 0 {
        if !proof.is_empty() {
            return Err(ProofError::WrongLength);
        }
        let expected = if old_size == 0 { &empty_root() } else { new_root };
        return if old_root == expected { Ok(()) } else { Err(ProofError::OtherRoot) };
    }
    let mut path = proof.iter();
    let (mut fn_, mut sn) = (old_size - 1, new_size - 1);
    while fn_ & 1 == 1 {
        fn_ >>= 1;
        sn >>= 1;
    }
    let start =
        if old_size.is_power_of_two() { old_root } else { path.next().ok_or(ProofError::WrongLength)? };
    let (mut old, mut new) = (*start, *start);
    for sibling in path {
        if sn == 0 {
            return Err(ProofError::WrongLength);
        }
        if fn_ & 1 == 1 || fn_ == sn {
            old = node_hash(sibling, &old);
            new = node_hash(sibling, &new);
            while fn_ & 1 == 0 && fn_ != 0 {
                fn_ >>= 1;
                sn >>= 1;
            }
        } else {
            new = node_hash(&new, sibling);
        }
        fn_ >>= 1;
        sn >>= 1;
    }
    if sn != 0 {
        return Err(ProofError::WrongLength);
    }
    if old == *old_root && new == *new_root { Ok(()) } else { Err(ProofError::OtherRoot) }
}
