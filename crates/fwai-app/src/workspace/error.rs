//! Why `.fwai` could not be written.

use crate::config::FileError;
use fwai_firmware::{detect::DetectError, template::NameError};
use fwai_schema::document::Problem;

/// Nothing was changed when one of these comes back.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum WorkspaceError {
    #[error(
        "{path}: a file stands where fwai's directory belongs\n  next: move it away, then run `fwai init` again"
    )]
    NotADirectory { path: String },
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}\n  next: mend the file, then run `fwai init` again", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
    #[error("cannot write {path}: {source}; nothing was changed\n  next: {}", next_step(.source))]
    Write { path: String, source: std::io::Error },
    #[error(
        "{path} exists already and says something else; a template never overwrites\n  next: choose an empty directory, for instance `fwai init --template bare-metal my-firmware`"
    )]
    Exists { path: String },
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Detect(#[from] DetectError),
}

fn next_step(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::StorageFull
        | std::io::ErrorKind::QuotaExceeded
        | std::io::ErrorKind::FileTooLarge => "free some space (`df -h .`), then run `fwai init` again",
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            "make the directory writable (`ls -ld .`), then run `fwai init` again"
        }
        _ => "run `fwai doctor`, then `fwai init` again",
    }
}
