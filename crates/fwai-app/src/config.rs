//! Configuration as layers: built-in < user < project < environment < flags.
//!
//! Each layer is checked by itself, so that an error names the file and line it came from; then they
//! are merged key by key, and every value remembers its layer.

mod environment;
mod file;
mod keys;
mod layers;

pub use environment::{RESERVED_VARIABLES, variable_for};
pub use file::{FileError, MAX_FILE, load_document, read_text};
pub use keys::{keys, values};
pub use layers::{Layer, Layered, Origin, Sources, load};

use crate::paths::Paths;
use fwai_schema::{
    document::{Document, Problem, edit, parse_value},
    families,
    policy::Policy,
    project::Project,
};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Configuration that cannot be used.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum ConfigError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}", join(.0))]
    Problems(Vec<Problem>),
    #[error(transparent)]
    Edit(#[from] edit::EditError),
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: std::io::Error },
}

fn join(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads `project.yaml`; `None` where there is none.
pub fn load_project(paths: &Paths) -> Result<Option<(Project, Vec<Problem>)>, ConfigError> {
    let family = families::by_name("project").expect("the list has it");
    let Some(document) =
        load_document(&paths.project_file(), paths, family, &|name| std::env::var(name).ok())?
    else {
        return Ok(None);
    };
    document.read(family).map(Some).map_err(ConfigError::Problems)
}

/// Reads `policy.yaml`; `None` where there is none. Nothing is interpolated: a wall does not depend on
/// the environment.
pub fn load_policy_file(path: &Path, paths: &Paths) -> Result<Option<Policy>, ConfigError> {
    let family = families::by_name("policy").expect("the list has it");
    let Some(text) = read_text(path, paths)? else { return Ok(None) };
    let document = Document::parse(&paths.display(path), &text)
        .map_err(|problem| ConfigError::Problems(vec![problem]))?;
    document.read(family).map(|(policy, _)| Some(policy)).map_err(ConfigError::Problems)
}

/// Sets one key in a configuration file, leaving comments and order alone. The result is checked before
/// anything is written.
pub fn set(paths: &Paths, file: &Path, key: &str, text: &str) -> Result<(), ConfigError> {
    let family = families::by_name("config").expect("the list has it");
    let value =
        parse_value("value", text, family, key).map_err(|problem| ConfigError::Problems(vec![problem]))?;
    let before = read_text(file, paths)?.unwrap_or_default();
    let after = edit::set(&paths.display(file), &before, key, &value)?;
    crate::atomic::write(file, after.as_bytes())
        .map_err(|source| ConfigError::Write { path: paths.display(file), source })
}

/// The files that configuration is read from, lowest layer first.
pub fn files(paths: &Paths) -> [(Layer, PathBuf); 2] {
    [(Layer::User, paths.user_config()), (Layer::Project, paths.project_config())]
}

#[cfg(test)]
mod tests;
