//! A directory that becomes visible only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Files on their way to their place. Dropped without [`Staging::publish`], they are removed.
pub struct Staging {
    path: PathBuf,
    published: bool,
}

impl Staging {
    /// A directory beside the place where the files will lie, on the same file system.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let parent =
            target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        remove_abandoned(parent);
        let path = parent.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self { path, published: false })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a file, durably.
    pub fn add(&self, relative: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create(&path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Moves everything to its place in one step.
    pub fn publish(mut self, target: &Path) -> io::Result<()> {
        sync_tree(&self.path)?;
        fs::rename(&self.path, target)?;
        self.published = true;
        match target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => crate::atomic::sync_directory(parent),
            None => Ok(()),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.published {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

const PREFIX: &str = ".fwai-new-";

/// Removes what a killed init left behind; that of one that still runs stays.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let Ok(process) = process.parse::<u32>() else { continue };
        if process != std::process::id() && !Path::new(&format!("/proc/{process}")).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn sync_tree(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        }
    }
    crate::atomic::sync_directory(directory)
}
