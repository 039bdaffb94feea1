//! Roots and proofs of a tree whose hashes lie in tiles.

use super::{Hash, TILE_HEIGHT, TILE_WIDTH, empty_root, leaf_hash, node_hash, reduce};

/// Gives the hashes of a tile: at least `width` of level `level`, tile `index`.
pub trait HashSource {
    type Error;

    fn tile(&self, level: u32, index: u64, width: u64) -> Result<Vec<Hash>, Self::Error>;
}

/// The root of the first `size` leaves.
pub fn root<S: HashSource>(source: &S, size: u64) -> Result<Hash, S::Error> {
    if size == 0 { Ok(empty_root()) } else { range_root(source, 0, size) }
}

/// The root over entries that are all at hand.
pub fn tree_root<E: AsRef<[u8]>>(entries: &[E]) -> Hash {
    match entries.len() {
        0 => empty_root(),
        1 => leaf_hash(entries[0].as_ref()),
        count => {
            let (left, right) = entries.split_at(split(count as u64) as usize);
            node_hash(&tree_root(left), &tree_root(right))
        }
    }
}

/// The hashes that lead from leaf `index` to the root of the first `size` leaves.
pub fn inclusion_proof<S: HashSource>(source: &S, index: u64, size: u64) -> Result<Vec<Hash>, S::Error> {
    let mut proof = Vec::new();
    let (mut low, mut high) = (0, size);
    let mut siblings = Vec::new();
    while high - low > 1 {
        let middle = low + split(high - low);
        if index < middle {
            siblings.push((middle, high));
            high = middle;
        } else {
            siblings.push((low, middle));
            low = middle;
        }
    }
    for (low, high) in siblings.into_iter().rev() {
        proof.push(range_root(source, low, high)?);
    }
    Ok(proof)
}

/// The hashes that show that the first `old` leaves of the tree of `new` leaves are the tree of `old` leaves.
pub fn consistency_proof<S: HashSource>(source: &S, old: u64, new: u64) -> Result<Vec<Hash>, S::Error> {
    if old == 0 || old >= new {
        return Ok(Vec::new());
    }
    let (mut low, mut high) = (0, new);
    let mut siblings = Vec::new();
    while high != old {
        let middle = low + split(high - low);
        if old <= middle {
            siblings.push((middle, high));
            high = middle;
        } else {
            siblings.push((low, middle));
            low = middle;
        }
    }
    // The old tree itself is known to whoever asks when it is a complete subtree at the left edge.
    if low != 0 {
        siblings.push((low, high));
    }
    siblings.into_iter().rev().map(|(low, high)| range_root(source, low, high)).collect()
}

/// The largest power of two below `count`.
fn split(count: u64) -> u64 {
    debug_assert!(count > 1);
    1 << (63 - (count - 1).leading_zeros())
}

/// The root over the leaves `low..high`, where `low` is where a subtree of that size can start.
fn range_root<S: HashSource>(source: &S, low: u64, high: u64) -> Result<Hash, S::Error> {
    let count = high - low;
    if count.is_power_of_two() && low.is_multiple_of(count) {
        return subtree_root(source, low, count.trailing_zeros());
    }
    let middle = low + split(count);
    Ok(node_hash(&range_root(source, low, middle)?, &range_root(source, middle, high)?))
}

/// The root over 2^`height` leaves from `low` on, read from the lowest tile that holds it.
fn subtree_root<S: HashSource>(source: &S, low: u64, height: u32) -> Result<Hash, S::Error> {
    // A full tile's own root stands in the tile above, so only heights inside a tile are reduced here.
    let level = height / TILE_HEIGHT;
    let inside = height % TILE_HEIGHT;
    let first = (low >> (level * TILE_HEIGHT)) % TILE_WIDTH;
    let tile = low >> ((level + 1) * TILE_HEIGHT);
    let count = 1u64 << inside;
    let hashes = source.tile(level, tile, first + count)?;
    Ok(reduce(&hashes[first as usize..(first + count) as usize]))
}
