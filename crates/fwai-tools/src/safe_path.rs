//! File access that stays beneath the project, whatever a path says and whoever swaps what meanwhile.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Component, Path, PathBuf},
};
use thiserror::Error;

/// A path that cannot be used.
#[derive(Debug, Error)]
pub enum PathError {
    #[error("{path} lies outside the project; only files below {root} can be changed")]
    Outside { path: String, root: String },
    #[error("{path} is a symbolic link; change its target instead")]
    Symlink { path: String },
    #[error("{path} has several hard links, and a change would reach all of them")]
    HardLink { path: String },
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error("a path may not be empty or hold a NUL byte")]
    Empty,
}

/// A path beneath the project, relative to its root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SafePath(PathBuf);

impl SafePath {
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl fmt::Display for SafePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.as_os_str().is_empty() { f.write_str(".") } else { self.0.display().fmt(f) }
    }
}

/// The project's root directory.
#[derive(Debug, Clone)]
pub struct ProjectDir {
    root: PathBuf,
}

impl ProjectDir {
    pub fn open(root: &Path) -> Result<Self, PathError> {
        let root = root
            .canonicalize()
            .map_err(|source| PathError::Io { path: root.display().to_string(), source })?;
        Ok(Self { root })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path as a model wrote it, seen from `cwd` (absolute, inside the project).
    pub fn resolve(&self, cwd: &Path, path: &str) -> Result<SafePath, PathError> {
        if path.is_empty() || path.contains('\0') {
            return Err(PathError::Empty);
        }
        let outside = || PathError::Outside { path: path.to_owned(), root: self.root.display().to_string() };
        let mut clean = PathBuf::new();
        for component in cwd.join(path).components() {
            match component {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                other => clean.push(other),
            }
        }
        clean.strip_prefix(&self.root).map(|relative| SafePath(relative.to_owned())).map_err(|_| outside())
    }

    pub fn absolute(&self, path: &SafePath) -> PathBuf {
        self.root.join(&path.0)
    }

    pub fn open_read(&self, path: &SafePath) -> Result<File, PathError> {
        let io = |source| PathError::Io { path: path.to_string(), source };
        let real = self.absolute(path).canonicalize().map_err(io)?;
        if !real.starts_with(&self.root) {
            return Err(PathError::Outside { path: path.to_string(), root: self.root.display().to_string() });
        }
        File::open(real).map_err(io)
    }

    pub fn metadata(&self, path: &SafePath) -> Result<fs::Metadata, PathError> {
        fs::metadata(self.absolute(path)).map_err(|source| PathError::Io { path: path.to_string(), source })
    }

    /// Replaces or creates a file so that a crash leaves the old one or the new one.
    pub fn write_atomic(&self, path: &SafePath, bytes: &[u8]) -> Result<(), PathError> {
        use std::os::unix::fs::MetadataExt;
        let io = |source| PathError::Io { path: path.to_string(), source };
        let target = self.absolute(path);
        let directory = target.parent().unwrap_or(&self.root).to_owned();
        fs::create_dir_all(&directory).map_err(io)?;
        if !directory.canonicalize().map_err(io)?.starts_with(&self.root) {
            return Err(PathError::Outside { path: path.to_string(), root: self.root.display().to_string() });
        }
        let old = fs::symlink_metadata(&target).ok();
        if let Some(old) = &old {
            if old.file_type().is_symlink() {
                return Err(PathError::Symlink { path: path.to_string() });
            }
            if old.is_file() && old.nlink() > 1 {
                return Err(PathError::HardLink { path: path.to_string() });
            }
        }
        let mut temporary =
            tempfile::Builder::new().prefix(".fwai-new-").tempfile_in(&directory).map_err(io)?;
        temporary.write_all(bytes).map_err(io)?;
        let permissions = match old {
            Some(old) => old.permissions(),
            None => std::os::unix::fs::PermissionsExt::from_mode(0o644),
        };
        temporary.as_file().set_permissions(permissions).map_err(io)?;
        temporary.persist(&target).map_err(|error| io(error.error))?;
        Ok(())
    }
}
