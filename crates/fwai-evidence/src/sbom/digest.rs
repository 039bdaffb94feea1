//! SHA-256 and SHA-512 of what a component consists of.

use std::path::Path;

use sha2::{Digest, Sha256, Sha512};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Digests {
    pub sha256: String,
    pub sha512: String,
}

pub(super) fn of_bytes(bytes: &[u8]) -> Digests {
    Digests { sha256: hex::encode(Sha256::digest(bytes)), sha512: hex::encode(Sha512::digest(bytes)) }
}

/// One file: its own digests. Several: the digests of the list `SHA  NAME` lines, as `sha256sum` prints
/// it for the files in order of their names.
pub(super) fn of_files(files: &[(String, &Path)]) -> Option<Digests> {
    let mut read: Vec<(String, Digests)> = Vec::new();
    for (name, path) in files {
        let bytes = std::fs::read(path).ok()?;
        read.push((name.clone(), of_bytes(&bytes)));
    }
    read.sort_by(|a, b| a.0.cmp(&b.0));
    match read.as_slice() {
        [] => None,
        [(_, digests)] => Some(digests.clone()),
        many => {
            let list = |pick: fn(&Digests) -> &String| -> String {
                many.iter().map(|(name, digests)| format!("{}  {name}\n", pick(digests))).collect()
            };
            Some(Digests {
                sha256: hex::encode(Sha256::digest(list(|digests| &digests.sha256))),
                sha512: hex::encode(Sha512::digest(list(|digests| &digests.sha512))),
            })
        }
    }
}
