//! `.fwai/boards/<name>/`: state, sockets, console log and the image of one virtual board.
//!
//! A socket path may hold some 107 bytes. Where the project lies deeper, the sockets live in a short
//! private directory and the names in the board's directory are links to them.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::process::ProcessId;
use crate::boards::BoardError;

const LONGEST_SOCKET_PATH: usize = 100;
const SOCKETS: [&str; 3] = ["serial.sock", "qmp.sock", "gdb.sock"];

/// What is known about a board between commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The QEMU that was started last; absent after a power-off.
    pub process: Option<ProcessId>,
    /// Image in the board's flash, as a file name in the directory.
    pub image: Option<String>,
    pub image_sha256: Option<String>,
    pub build_id: Option<String>,
    /// Where the image came from, for people.
    pub image_source: Option<String>,
    /// Where the console log stood at the last reset.
    pub boot_offset: u64,
}

/// The directory of one board.
#[derive(Debug, Clone)]
pub struct Directory {
    pub root: PathBuf,
    board: String,
}

/// Held while a command changes the board; the next one waits.
pub struct Lock {
    _file: File,
}

impl Directory {
    pub fn new(state_root: &Path, board: &str) -> Self {
        // QEMU runs with the project as its working directory, so every path given to it is absolute.
        let state_root = std::path::absolute(state_root).unwrap_or_else(|_| state_root.to_path_buf());
        Self { root: state_root.join(board), board: board.to_string() }
    }

    pub fn console_log(&self) -> PathBuf {
        self.root.join("console.log")
    }

    pub fn qemu_log(&self) -> PathBuf {
        self.root.join("qemu.log")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Where a socket really is.
    pub fn socket(&self, name: &str) -> PathBuf {
        self.socket_folder().join(name)
    }

    fn socket_folder(&self) -> PathBuf {
        let longest = self.root.as_os_str().len() + 1 + SOCKETS[0].len();
        if longest <= LONGEST_SOCKET_PATH {
            return self.root.clone();
        }
        let user = rustix::process::getuid().as_raw();
        let parent = std::env::var_os("XDG_RUNTIME_DIR")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute() && path.as_os_str().len() < 40)
            .unwrap_or_else(|| PathBuf::from("/tmp"));
        let digest = hex::encode(Sha256::digest(self.root.as_os_str().as_encoded_bytes()));
        parent.join(format!("fwai-{user}")).join(&digest[..16])
    }

    /// Make the directory, and the short one with its links where the path is too long.
    pub fn prepare(&self) -> Result<(), BoardError> {
        fs::create_dir_all(&self.root).map_err(BoardError::file("cannot create", &self.root))?;
        let folder = self.socket_folder();
        if folder != self.root {
            private_folder(folder.parent().expect("made by joining"))?;
            private_folder(&folder)?;
        }
        for name in SOCKETS {
            let (real, shown) = (folder.join(name), self.root.join(name));
            remove(&real)?;
            if real != shown {
                remove(&shown)?;
                symlink(&real, &shown).map_err(BoardError::file("cannot link", &shown))?;
            }
        }
        Ok(())
    }

    pub fn state(&self) -> State {
        // A damaged state file is worth no more than none: the board then counts as new.
        fs::read(self.path("state.json"))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    pub fn write_state(&self, state: &State) -> Result<(), BoardError> {
        let text = serde_json::to_vec_pretty(state).expect("plain data serialises");
        self.replace("state.json", &text)
    }

    /// Replace a file in one step, so that a reader sees the old or the new one.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), BoardError> {
        let (path, new) = (self.path(name), self.path(&format!("{name}.new")));
        fs::write(&new, bytes)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(BoardError::file("cannot write", &path))
    }

    /// Wait for other commands on this board.
    pub async fn lock(&self) -> Result<Lock, BoardError> {
        fs::create_dir_all(&self.root).map_err(BoardError::file("cannot create", &self.root))?;
        let path = self.path("lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(BoardError::file("cannot open", &path))?;
        for _ in 0..600 {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(fs::TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(fs::TryLockError::Error(source)) => {
                    return Err(BoardError::File { what: "cannot lock", path, source });
                }
            }
        }
        Err(BoardError::Busy { board: self.board.clone(), what: format!("{} is locked", path.display()) })
    }
}

/// A directory that only this user can enter; somebody else's is refused.
fn private_folder(path: &Path) -> Result<(), BoardError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let owner = fs::symlink_metadata(path).map_err(BoardError::file("cannot look at", path))?;
            if owner.is_dir()
                && owner.uid() == rustix::process::getuid().as_raw()
                && owner.mode() & 0o077 == 0
            {
                return Ok(());
            }
            let source = io::Error::other("it belongs to somebody else or others may enter it; remove it");
            Err(BoardError::File { what: "cannot use", path: path.to_path_buf(), source })
        }
        Err(source) => Err(BoardError::File { what: "cannot create", path: path.to_path_buf(), source }),
    }
}

fn remove(path: &Path) -> Result<(), BoardError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BoardError::File { what: "cannot remove", path: path.to_path_buf(), source: error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_project_gets_short_sockets_and_links_to_them() {
        let project = tempfile::tempdir().unwrap();
        let deep = project.path().join("d".repeat(120)).join("boards");
        let directory = Directory::new(&deep, "microbit");
        directory.prepare().unwrap();
        let socket = directory.socket("qmp.sock");
        assert!(socket.as_os_str().len() < 104, "{}", socket.display());
        assert_eq!(fs::read_link(directory.path("qmp.sock")).unwrap(), socket);
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        directory.prepare().expect("a stale socket is replaced");
        fs::remove_dir_all(socket.parent().unwrap()).unwrap();

        let near = Directory::new(project.path(), "microbit");
        assert_eq!(near.socket("qmp.sock"), project.path().join("microbit/qmp.sock"));
    }

    #[test]
    fn a_damaged_state_file_counts_as_none() {
        let project = tempfile::tempdir().unwrap();
        let directory = Directory::new(project.path(), "b");
        directory.prepare().unwrap();
        let state = State { boot_offset: 7, image: Some("image.elf".into()), ..State::default() };
        directory.write_state(&state).unwrap();
        assert_eq!(directory.state(), state);
        fs::write(directory.path("state.json"), b"{\"boot_off").unwrap();
        assert_eq!(directory.state(), State::default());
    }
}
