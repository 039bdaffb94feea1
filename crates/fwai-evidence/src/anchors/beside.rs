//! Checkpoints beside the log, in `.fwai/log/anchors/<size>.checkpoint`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{AnchorKind, FoundAnchor, Witness};
use crate::{durable, note::SignedCheckpoint};

/// Keeps a checkpoint beside the log and returns its path.
pub fn keep_beside(root: &Path, size: u64, note: &str) -> io::Result<PathBuf> {
    let directory = directory(root);
    durable::create_directories(&directory)?;
    let path = directory.join(format!("{size}.checkpoint"));
    durable::replace_file(&path, note.as_bytes())?;
    Ok(path)
}

/// Keeps a checkpoint that a witness countersigned.
pub fn keep_witnessed(root: &Path, size: u64, note: &str) -> io::Result<PathBuf> {
    let directory = directory(root);
    durable::create_directories(&directory)?;
    let path = directory.join(format!("{size}.witness.checkpoint"));
    durable::replace_file(&path, note.as_bytes())?;
    Ok(path)
}

/// How many leaves the witness has seen, as far as is known here.
pub fn last_witnessed(root: &Path, witness: &Witness) -> u64 {
    let anchors = anchors_beside(root, Some(witness)).into_iter();
    let witnessed = anchors.filter(|anchor| anchor.kind == AnchorKind::Witness);
    witnessed.map(|anchor| anchor.signed.checkpoint.size).max().unwrap_or(0)
}

pub(super) fn anchors_beside(root: &Path, witness: Option<&Witness>) -> Vec<FoundAnchor> {
    let Ok(entries) = fs::read_dir(directory(root)) else { return Vec::new() };
    let mut found: Vec<FoundAnchor> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(".checkpoint"))?;
            let signed = SignedCheckpoint::parse(&durable::read_note(&entry.path()).ok()?).ok()?;
            let witness = witness.filter(|witness| witness.witnessed_at(&signed).is_some());
            Some(match witness {
                Some(witness) => FoundAnchor {
                    kind: AnchorKind::Witness,
                    place: format!("witness {}", witness.name),
                    signed,
                },
                None => FoundAnchor {
                    kind: AnchorKind::Beside,
                    place: format!(".fwai/log/anchors/{name}"),
                    signed,
                },
            })
        })
        .collect();
    found.sort_by_key(|anchor| anchor.signed.checkpoint.size);
    found
}

fn directory(root: &Path) -> PathBuf {
    root.join(".fwai/log/anchors")
}
