//! Checkpoints beside the log, in `.fwai/log/anchors/<size>.checkpoint`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{AnchorKind, FoundAnchor};
use crate::{durable, note::SignedCheckpoint};

/// Keeps a checkpoint beside the log and returns its path.
pub fn keep_beside(root: &Path, size: u64, note: &str) -> io::Result<PathBuf> {
    let directory = directory(root);
    durable::create_directories(&directory)?;
    let path = directory.join(format!("{size}.checkpoint"));
    durable::replace_file(&path, note.as_bytes())?;
    Ok(path)
}

pub(super) fn anchors_beside(root: &Path, _witness: Option<&str>) -> Vec<FoundAnchor> {
    let Ok(entries) = fs::read_dir(directory(root)) else { return Vec::new() };
    let mut found: Vec<FoundAnchor> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(".checkpoint"))?;
            let signed = SignedCheckpoint::parse(&fs::read_to_string(entry.path()).ok()?).ok()?;
            Some(FoundAnchor { kind: AnchorKind::Beside, place: format!(".fwai/log/anchors/{name}"), signed })
        })
        .collect();
    found.sort_by_key(|anchor| anchor.signed.checkpoint.size);
    found
}

fn directory(root: &Path) -> PathBuf {
    root.join(".fwai/log/anchors")
}
