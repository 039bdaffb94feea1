//! Against RFC 6962's own tree, and every proof of every small tree.

use super::*;

/// Tiles computed from entries that are all at hand.
struct InMemory(Vec<Vec<Hash>>);

impl InMemory {
    fn new(entries: &[Vec<u8>]) -> Self {
        let mut levels = vec![entries.iter().map(|entry| leaf_hash(entry)).collect::<Vec<_>>()];
        while levels.last().is_some_and(|level| level.len() >= 256) {
            let next = levels.last().unwrap().chunks_exact(256).map(reduce).collect();
            levels.push(next);
        }
        Self(levels)
    }
}

impl HashSource for InMemory {
    type Error = std::convert::Infallible;

    fn tile(&self, level: u32, index: u64, width: u64) -> Result<Vec<Hash>, Self::Error> {
        let first = (index * 256) as usize;
        Ok(self.0[level as usize][first..first + width as usize].to_vec())
    }
}

fn hex32(text: &str) -> Hash {
    hex::decode(text).unwrap().try_into().unwrap()
}

/// The tree that the reference implementation of RFC 6962 tests with.
#[test]
fn roots_are_those_of_the_reference_tree() {
    let entries: Vec<Vec<u8>> =
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
            .iter()
            .map(|text| hex::decode(text).unwrap())
            .collect();
    let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let source = InMemory::new(&entries);
    for (size, expected) in roots.iter().enumerate() {
        assert_eq!(tree_root(&entries[..size]), hex32(expected), "size {size}");
        let Ok(from_tiles) = root(&source, size as u64);
        assert_eq!(from_tiles, hex32(expected));
    }
}

#[test]
fn every_proof_of_every_small_tree_holds_and_no_other_does() {
    let entries: Vec<Vec<u8>> = (0..70u32).map(|number| number.to_be_bytes().to_vec()).collect();
    let source = InMemory::new(&entries);
    let roots: Vec<Hash> = (0..=entries.len()).map(|size| tree_root(&entries[..size])).collect();
    for size in 1..=entries.len() as u64 {
        let top = roots[size as usize];
        for index in 0..size {
            let leaf = leaf_hash(&entries[index as usize]);
            let Ok(proof) = inclusion_proof(&source, index, size);
            assert_eq!(verify_inclusion(&leaf, index, size, &proof, &top), Ok(()));
            assert!(verify_inclusion(&leaf, (index + 1) % size, size, &proof, &top).is_err() || size == 1);
            assert!(verify_inclusion(&leaf, index, size, &proof, &roots[size as usize - 1]).is_err());
            let mut longer = proof.clone();
            longer.push(top);
            assert!(verify_inclusion(&leaf, index, size, &longer, &top).is_err());
        }
        for old in 0..=size {
            let Ok(proof) = consistency_proof(&source, old, size);
            assert_eq!(
                verify_consistency(old, size, &proof, &roots[old as usize], &top),
                Ok(()),
                "{old} {size}"
            );
            if old > 0 && old < size {
                assert!(verify_consistency(old, size, &proof, &roots[old as usize - 1], &top).is_err());
                assert!(
                    verify_consistency(old, size, &proof, &roots[old as usize], &roots[old as usize])
                        .is_err()
                );
            }
        }
    }
}

#[test]
fn proofs_cross_tile_borders() {
    let entries: Vec<Vec<u8>> = (0..70_000u32).map(|number| number.to_be_bytes().to_vec()).collect();
    let source = InMemory::new(&entries);
    for size in [255u64, 256, 257, 511, 65_536, 65_537, 69_999] {
        let top = tree_root(&entries[..size as usize]);
        let Ok(from_tiles) = root(&source, size);
        assert_eq!(from_tiles, top);
        for index in [0, 254, size - 1] {
            let Ok(proof) = inclusion_proof(&source, index, size);
            assert_eq!(
                verify_inclusion(&leaf_hash(&entries[index as usize]), index, size, &proof, &top),
                Ok(())
            );
            assert!(proof.len() <= 17);
            let Ok(proof) = consistency_proof(&source, index + 1, size);
            let Ok(old) = root(&source, index + 1);
            assert_eq!(verify_consistency(index + 1, size, &proof, &old, &top), Ok(()));
        }
    }
}
