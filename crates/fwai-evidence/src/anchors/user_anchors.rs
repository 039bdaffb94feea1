//! The last checkpoint of each project's log, in the user's own directory.
//!
//! `anchors/<project>/<log>.checkpoint`, where `<project>` stands for the project's path: two copies of a
//! project on one machine go their own ways without accusing each other.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use crate::{
    durable,
    log::{Appended, Log},
    note::SignedCheckpoint,
};

/// What this user's directory remembers about one project.
#[derive(Debug, Clone)]
pub struct UserAnchors {
    directory: PathBuf,
    project: PathBuf,
}

impl UserAnchors {
    pub fn of(user_directory: &Path, root: &Path) -> Self {
        let project = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let name = short_hash(project.as_os_str().as_encoded_bytes());
        Self { directory: user_directory.join("anchors").join(name), project }
    }

    /// The checkpoints that are remembered, one for each log that was ever here.
    pub fn checkpoints(&self) -> Vec<SignedCheckpoint> {
        let Ok(entries) = fs::read_dir(&self.directory) else { return Vec::new() };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut notes: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|e| e == "checkpoint")).collect();
        notes.sort();
        notes
            .iter()
            .filter_map(|path| SignedCheckpoint::parse(&durable::read_note(path).ok()?).ok())
            .collect()
    }

    /// Remembers a new checkpoint, unless it contradicts what is remembered: then the old one stays as witness.
    pub fn remember(&self, log: &Log, appended: &Appended) -> io::Result<()> {
        let path = self.path_of(&appended.checkpoint.origin);
        if let Ok(text) = durable::read_note(&path) {
            let known = SignedCheckpoint::parse(&text).map(|signed| signed.checkpoint);
            match known {
                Ok(known) if known == appended.before => {}
                Ok(known) if known.size > appended.checkpoint.size => return Ok(()),
                Ok(known) => {
                    let snapshot = log.snapshot().map_err(io::Error::other)?;
                    let Some(snapshot) = snapshot else { return Ok(()) };
                    if snapshot.size() < known.size || snapshot.root_at(known.size)? != known.root {
                        return Ok(());
                    }
                }
                Err(_) => {}
            }
        } else {
            create_private(&self.directory)?;
            durable::replace_file(
                &self.directory.join("project"),
                self.project.as_os_str().as_encoded_bytes(),
            )?;
        }
        durable::replace_file(&path, appended.note.as_bytes())
    }

    /// Forgets logs that are no longer at this place; `keep` is the origin of the one that is.
    pub fn forget_others(&self, keep: Option<&str>) -> io::Result<usize> {
        let mut forgotten = 0;
        for signed in self.checkpoints() {
            let origin = &signed.checkpoint.origin;
            if Some(origin.as_str()) != keep {
                fs::remove_file(self.path_of(origin))?;
                forgotten += 1;
            }
        }
        Ok(forgotten)
    }

    fn path_of(&self, origin: &str) -> PathBuf {
        self.directory.join(format!("{}.checkpoint", short_hash(origin.as_bytes())))
    }
}

fn create_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

fn short_hash(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..16])
}
