//! The user's signing key: made on first use, mode 0600, replaced by rotation.
//!
//! ```text
//! <user directory>/keys/            0700
//! ├─ signing.pem                    0600, PKCS #8; the key in use
//! ├─ next.pem                       only while a rotation is under way
//! ├─ retired/<key id>.pub           public halves of earlier keys
//! └─ rotations/<time>.dsse.json     each signed by the old and the new key
//! ```
//!
//! A rotation is written in the order next → statement → retired → rename of next over signing. Whoever
//! opens the key afterwards finishes a rotation whose statement exists and forgets one whose statement
//! does not, so a crash leaves either the old key or the new one in use.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};
use zeroize::Zeroizing;

use super::pem::{private_key_from_pem, private_key_to_pem};
use crate::{
    dsse::Envelope,
    durable,
    public_key::PublicKey,
    signer::Signer,
    statement::{open_rotation, seal_rotation},
};

/// `$FWAI_HOME`, else `$XDG_CONFIG_HOME/fwai`, else `~/.config/fwai`.
pub fn user_directory() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("FWAI_HOME")
        .or_else(|| variable("XDG_CONFIG_HOME").map(|directory| directory.join("fwai")))
        .or_else(|| variable("HOME").map(|directory| directory.join(".config/fwai")))
}

/// The keys of one user.
#[derive(Debug, Clone)]
pub struct UserKeys {
    directory: PathBuf,
}

/// A rotation that happened.
#[derive(Debug, Clone)]
pub struct Rotated {
    pub old: PublicKey,
    pub new: PublicKey,
    pub envelope: Vec<u8>,
}

/// What can be wrong with the user's keys.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum KeyError {
    #[error("{}: {source}; the signing key must be readable and its directory writable", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is not a PKCS #8 Ed25519 key; restore it from a backup, or move it away to start with a new key", path.display())]
    NotAKey { path: PathBuf },
    #[error("{} can be read by others (mode {mode:o}); run `chmod 600` on it, and `fwai audit key rotate` if others may have read it", path.display())]
    Exposed { path: PathBuf, mode: u32 },
    #[error("the system gave no randomness for a new key")]
    NoRandomness,
}

impl UserKeys {
    pub fn of(user_directory: &Path) -> Self {
        Self { directory: user_directory.join("keys") }
    }

    /// The signing key; made when there is none.
    pub fn signer(&self) -> Result<Signer, KeyError> {
        let path = self.signing_path();
        if path.exists() && !self.next_path().exists() {
            return load(&path);
        }
        let _lock = self.lock()?;
        self.finish_rotation()?;
        if path.exists() {
            return load(&path);
        }
        let signer = new_signer()?;
        match durable::create_file(&path, private_key_to_pem(&signer).as_bytes(), 0o600) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => load(&path),
            Err(source) => Err(KeyError::Io { path, source }),
            Ok(()) => Ok(signer),
        }
    }

    /// The public half of the key in use, when there is one.
    pub fn current(&self) -> Result<Option<PublicKey>, KeyError> {
        let path = self.signing_path();
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(load(&path)?.public_key()))
    }

    /// Keys that this user signed with before.
    pub fn retired(&self) -> Vec<PublicKey> {
        let texts = files_in(&self.directory.join("retired")).into_iter();
        texts.filter_map(|path| fs::read_to_string(path).ok()?.parse().ok()).collect()
    }

    /// The rotations of this user, oldest first.
    pub fn rotations(&self) -> Vec<Rotated> {
        files_in(&self.directory.join("rotations"))
            .into_iter()
            .filter_map(|path| {
                let envelope = fs::read(path).ok()?;
                let (old, new) = open_rotation(&Envelope::parse(&envelope).ok()?).ok()?;
                Some(Rotated { old, new, envelope })
            })
            .collect()
    }

    /// Replaces the key by a new one; the statement about it carries both signatures.
    pub fn rotate(&self, at: &str) -> Result<Rotated, KeyError> {
        let old = self.signer()?;
        let _lock = self.lock()?;
        let new = new_signer()?;
        let next = self.next_path();
        let write = |path: &Path, bytes: &[u8], mode| {
            durable::create_file(path, bytes, mode)
                .map_err(|source| KeyError::Io { path: path.to_owned(), source })
        };
        write(&next, private_key_to_pem(&new).as_bytes(), 0o600)?;
        let envelope = seal_rotation(&old, &new, at).to_bytes();
        let rotations = self.directory.join("rotations");
        make_private_directory(&rotations)?;
        let name: String = at.chars().filter(char::is_ascii_alphanumeric).collect();
        let statement = rotations.join(format!("{name}-{}.dsse.json", &new.public_key().id()[..8]));
        write(&statement, &envelope, 0o644)?;
        self.finish_rotation()?;
        Ok(Rotated { old: old.public_key(), new: new.public_key(), envelope })
    }

    /// Completes a rotation whose statement is written, forgets one whose statement is not.
    fn finish_rotation(&self) -> Result<(), KeyError> {
        let (next, signing) = (self.next_path(), self.signing_path());
        if !next.exists() {
            return Ok(());
        }
        let io_error = |path: &Path| {
            let path = path.to_owned();
            move |source| KeyError::Io { path, source }
        };
        let stated = match (load(&next), load(&signing)) {
            (Ok(new), Ok(old)) => self
                .rotations()
                .iter()
                .any(|r| r.old == old.public_key() && r.new == new.public_key())
                .then(|| old.public_key()),
            _ => None,
        };
        let Some(old) = stated else {
            return fs::remove_file(&next).map_err(io_error(&next));
        };
        let retired = self.directory.join("retired");
        make_private_directory(&retired)?;
        let kept = retired.join(format!("{}.pub", &old.id()[..16]));
        match durable::create_file(&kept, old.to_pem().as_bytes(), 0o644) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(io_error(&kept)(error)),
            _ => {}
        }
        fs::rename(&next, &signing).map_err(io_error(&signing))?;
        durable::sync_directory(&self.directory).map_err(io_error(&self.directory))
    }

    fn signing_path(&self) -> PathBuf {
        self.directory.join("signing.pem")
    }

    fn next_path(&self) -> PathBuf {
        self.directory.join("next.pem")
    }

    fn lock(&self) -> Result<File, KeyError> {
        make_private_directory(&self.directory)?;
        let path = self.directory.join(".lock");
        let locked =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path).and_then(
                |file| flock(&file, FlockOperation::LockExclusive).map(|()| file).map_err(Into::into),
            );
        locked.map_err(|source| KeyError::Io { path, source })
    }
}

fn load(path: &Path) -> Result<Signer, KeyError> {
    let io_error = |source| KeyError::Io { path: path.to_owned(), source };
    let mode = fs::metadata(path).map_err(io_error)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyError::Exposed { path: path.to_owned(), mode });
    }
    let text = Zeroizing::new(fs::read(path).map_err(io_error)?);
    let text = std::str::from_utf8(&text).ok();
    text.and_then(private_key_from_pem).ok_or_else(|| KeyError::NotAKey { path: path.to_owned() })
}

fn new_signer() -> Result<Signer, KeyError> {
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *seed).map_err(|_| KeyError::NoRandomness)?;
    Ok(Signer::from_seed(&seed))
}

fn make_private_directory(directory: &Path) -> Result<(), KeyError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
    made.map_err(|source| KeyError::Io { path: directory.to_owned(), source })
}

/// Files of a directory by name, without temporary ones.
pub(super) fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')))
        .collect();
    paths.sort();
    paths
}
