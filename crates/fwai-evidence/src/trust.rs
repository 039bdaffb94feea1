//! Whose signatures count: keys named by policy and the user's own, carried on by rotations.

use std::collections::{BTreeMap, BTreeSet};

use crate::public_key::PublicKey;

/// Keys that are trusted before any log was read.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    keys: BTreeSet<PublicKey>,
}

/// A rotation found in a log; both signatures were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedRotation {
    /// Leaf that states it.
    pub index: u64,
    pub old: PublicKey,
    pub new: PublicKey,
}

/// Trust within one log, where rotations carry it on and end it.
#[derive(Debug, Clone, Default)]
pub struct TrustInLog {
    keys: BTreeSet<PublicKey>,
    retired: BTreeMap<PublicKey, u64>,
}

/// What a signature is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Trusted,
    /// The key had been replaced by then, at this leaf.
    Retired(u64),
    Unknown,
}

impl Trust {
    pub fn new(keys: impl IntoIterator<Item = PublicKey>) -> Self {
        Self { keys: keys.into_iter().collect() }
    }

    pub fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter()
    }

    pub fn contains(&self, key: &PublicKey) -> bool {
        self.keys.contains(key)
    }

    /// Follows the rotations of a log: one that a trusted key signed makes its other key trusted too. A key is
    /// replaced once; whoever stole it later cannot name another heir.
    pub fn within(&self, rotations: &[LoggedRotation]) -> TrustInLog {
        let mut first: BTreeMap<PublicKey, &LoggedRotation> = BTreeMap::new();
        for rotation in rotations {
            let known = first.entry(rotation.old).or_insert(rotation);
            if rotation.index < known.index {
                *known = rotation;
            }
        }
        let mut within = TrustInLog { keys: self.keys.clone(), retired: BTreeMap::new() };
        loop {
            let before = within.keys.len();
            for rotation in first.values() {
                if within.keys.contains(&rotation.old) || within.keys.contains(&rotation.new) {
                    within.keys.extend([rotation.old, rotation.new]);
                    within.retired.insert(rotation.old, rotation.index);
                }
            }
            if within.keys.len() == before {
                return within;
            }
        }
    }
}

impl TrustInLog {
    pub fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter()
    }

    /// Keys that may sign a checkpoint of `size` leaves: a checkpoint that covers the end of a key is signed by its
    /// heir.
    pub fn signers_of(&self, size: u64) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter().filter(move |key| self.retired.get(key).is_none_or(|retired| size <= *retired))
    }

    /// What the signature of `key` on leaf `index` is worth.
    pub fn standing(&self, key: &PublicKey, index: u64) -> Standing {
        match self.retired.get(key) {
            _ if !self.keys.contains(key) => Standing::Unknown,
            Some(&retired) if index > retired => Standing::Retired(retired),
            _ => Standing::Trusted,
        }
    }
}
