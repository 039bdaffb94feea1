//! `.fwai/keys/`: public keys that signed in this project, and the statements about their changes.
//!
//! They are for whoever reads the project on another machine. Nothing here is trusted because it is here.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Rotated, UserKeys, user_keys::files_in};
use crate::{durable, public_key::PublicKey};

/// The public keys of one project.
#[derive(Debug, Clone)]
pub struct ProjectKeys {
    directory: PathBuf,
}

impl ProjectKeys {
    pub fn of(root: &Path) -> Self {
        Self { directory: root.join(".fwai/keys") }
    }

    pub fn knows(&self, key: &PublicKey) -> bool {
        self.path_of(key).exists()
    }

    /// Notes that a key signs here.
    pub fn add(&self, key: &PublicKey) -> io::Result<()> {
        durable::create_directories(&self.directory)?;
        durable::replace_file(&self.path_of(key), key.to_pem().as_bytes())
    }

    /// Rotations that lead from a key known here to `current`, oldest first; empty in a fresh project.
    pub fn rotations_to(&self, current: &PublicKey, user: &UserKeys) -> Vec<Rotated> {
        let all = user.rotations();
        let mut chain = Vec::new();
        let mut key = *current;
        while let Some(step) = all.iter().find(|rotation| rotation.new == key) {
            key = step.old;
            chain.push(step.clone());
            if self.knows(&key) {
                chain.reverse();
                return chain;
            }
            if chain.len() > all.len() {
                break;
            }
        }
        Vec::new()
    }

    /// Keeps a copy of a rotation for readers of the project.
    pub fn add_rotation(&self, rotation: &Rotated) -> io::Result<()> {
        let directory = self.directory.join("rotations");
        durable::create_directories(&directory)?;
        let name = format!("{}-{}.dsse.json", &rotation.old.id()[..16], &rotation.new.id()[..16]);
        durable::replace_file(&directory.join(name), &rotation.envelope)
    }

    /// Files whose content is not the key that their name says.
    pub fn misnamed(&self) -> Vec<String> {
        let keys =
            files_in(&self.directory).into_iter().filter(|path| path.extension().is_some_and(|e| e == "pem"));
        keys.filter_map(|path| {
            let key = durable::read_note(&path).ok().and_then(|text| {
                let key: PublicKey = text.parse().ok()?;
                (key.to_pem() == text).then_some(key)
            });
            let name = path.file_name()?.to_string_lossy().into_owned();
            let right = key.is_some_and(|key| self.path_of(&key) == path);
            (!right).then(|| format!(".fwai/keys/{name}"))
        })
        .collect()
    }

    fn path_of(&self, key: &PublicKey) -> PathBuf {
        self.directory.join(format!("{}.pem", &key.id()[..16]))
    }
}
