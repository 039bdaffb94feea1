//! Who may have a board's serial port: consoles share it, a flashing program gets it alone.
//!
//! Two files in the board's directory carry the agreement, so that it holds between processes too: a
//! `flashing` flag asks consoles to let go, and `port.lock` is shared by whoever has the port open.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::boards::{BoardError, BoardState};

/// The agreement about one board's port.
#[derive(Debug, Clone)]
pub struct Lease {
    root: PathBuf,
    board: String,
}

/// Held while the port belongs to the flashing program.
pub struct Exclusive {
    flag: PathBuf,
    _lock: File,
}

impl Drop for Exclusive {
    fn drop(&mut self) {
        // A flag that stays is overruled by the lock it stands beside.
        let _ = fs::remove_file(&self.flag);
    }
}

impl Lease {
    pub fn new(state_root: &Path, board: &str) -> Self {
        Self { root: state_root.join(board), board: board.to_string() }
    }

    fn lock_file(&self) -> io::Result<File> {
        fs::create_dir_all(&self.root)?;
        File::options().create(true).truncate(false).write(true).open(self.root.join("port.lock"))
    }

    /// Whether consoles must let go of the port now.
    pub fn wanted_by_flash(&self) -> bool {
        self.root.join("flashing").exists()
    }

    /// For a console: held as long as it has the port open. `None` while somebody flashes.
    pub fn share(&self) -> io::Result<Option<File>> {
        let file = self.lock_file()?;
        match file.try_lock_shared() {
            Ok(()) => {
                // Nobody holds the port alone, so a flag is left over from a program that was killed.
                let _ = fs::remove_file(self.root.join("flashing"));
                Ok(Some(file))
            }
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    /// For flashing: ask consoles to let go and wait until they have.
    pub async fn take(&self) -> Result<Exclusive, BoardError> {
        let flag = self.root.join("flashing");
        let file = self.lock_file().map_err(BoardError::file("cannot open", self.root.join("port.lock")))?;
        for _ in 0..200 {
            fs::write(&flag, std::process::id().to_string())
                .map_err(BoardError::file("cannot write", &flag))?;
            match file.try_lock() {
                Ok(()) => return Ok(Exclusive { flag, _lock: file }),
                Err(fs::TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(25)).await,
                Err(fs::TryLockError::Error(source)) => {
                    return Err(BoardError::File {
                        what: "cannot lock",
                        path: self.root.join("port.lock"),
                        source,
                    });
                }
            }
        }
        let _ = fs::remove_file(&flag);
        Err(BoardError::Busy {
            board: self.board.clone(),
            what: "its console does not let go of the port".into(),
        })
    }
}

/// A port that is there counts as a running board: nothing more can be told from outside.
pub fn state_of_port(port: Result<String, super::PortError>) -> BoardState {
    match port {
        Ok(path) if Path::new(&path).exists() => BoardState::Running,
        Ok(path) => BoardState::Absent(format!("{path} does not exist")),
        Err(error) => BoardState::Absent(error.to_string()),
    }
}
