//! Reading a configuration file, with one clear error for each way in which that can fail.

use crate::{config::ConfigError, paths::Paths};
use fwai_schema::{
    document::{Document, interpolate},
    families::Family,
};
use std::{fs::File, io::Read, path::Path};
use thiserror::Error;

/// Larger files are no configuration.
pub const MAX_FILE: u64 = 1 << 20;

/// A file that could not be read.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum FileError {
    #[error("cannot read {path}: {source}\n  next: check its permissions (`ls -l {path}`)")]
    Unreadable { path: String, source: std::io::Error },
    #[error("{path} is a directory, but a file is wanted here\n  next: move it away")]
    Directory { path: String },
    #[error("{path} is larger than {MAX_FILE} bytes, which no configuration is")]
    TooLarge { path: String },
    #[error("{path}:{line}: byte {offset} is not UTF-8 text\n  next: save the file as UTF-8")]
    NotText { path: String, line: usize, offset: usize },
}

/// The text of a file; `None` where it does not exist.
pub fn read_text(path: &Path, paths: &Paths) -> Result<Option<String>, FileError> {
    let name = || paths.display(path);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(FileError::Unreadable { path: name(), source }),
    };
    let unreadable = |source| FileError::Unreadable { path: name(), source };
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(FileError::Directory { path: name() });
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(FileError::TooLarge { path: name() });
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
        FileError::NotText { path: name(), line, offset }
    })
}

/// A document with its variables filled in, not yet checked; `None` where the file does not exist.
pub fn load_document(
    path: &Path,
    paths: &Paths,
    family: &Family,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Document>, ConfigError> {
    let Some(text) = read_text(path, paths)? else { return Ok(None) };
    let mut document = Document::parse(&paths.display(path), &text)
        .map_err(|problem| ConfigError::Problems(vec![problem]))?;
    if text.contains('$') {
        let problems = interpolate(&mut document, family.schema().as_value(), variable);
        if !problems.is_empty() {
            return Err(ConfigError::Problems(problems));
        }
    }
    Ok(Some(document))
}
