//! Making or updating `.fwai`: everything is worked out first, then written.

use super::{
    error::WorkspaceError,
    project_file,
    record::Record,
    staging::Staging,
    texts::{CONFIG, GITIGNORE_HEADER, IGNORED, schemas},
    values::ProjectValue,
};
use crate::{atomic, config::read_text, paths::Paths};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What init did.
#[derive(Debug, Default, Serialize)]
pub struct Written {
    /// Files that are new or changed, relative to the project.
    pub written: Vec<String>,
    /// Values of a person that differ from what was found; they stay.
    pub kept: Vec<Kept>,
}

/// A person's value that init left alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    pub key: String,
    /// Null where the person took the key out.
    pub yours: Value,
    pub found: Value,
}

/// Writes `.fwai` under `root`. On an error nothing has changed.
pub fn write(root: &Path, values: &[ProjectValue]) -> Result<Written, WorkspaceError> {
    let paths = Paths { user: root.join(".fwai-user"), project: root.to_owned() };
    let fwai = paths.fwai();
    let fresh = match std::fs::symlink_metadata(&fwai) {
        Ok(_) if fwai.is_dir() => false,
        Ok(_) => return Err(WorkspaceError::NotADirectory { path: ".fwai".to_owned() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(source) => return Err(write_error(".fwai", source)),
    };
    let plan = Plan::make(&paths, values)?;
    if fresh {
        publish(&fwai, &plan)?;
    } else {
        replace(&fwai, &plan)?;
    }
    let written = plan.changes.iter().map(|(name, _)| format!(".fwai/{name}")).collect();
    Ok(Written { written, kept: plan.kept })
}

/// Everything that will be written, worked out before the first byte is.
struct Plan {
    /// Files below `.fwai` and their new texts, without those that are already so.
    changes: Vec<(String, String)>,
    kept: Vec<Kept>,
    before: Record,
    after: Record,
}

const RECORD: &str = "init.json";

impl Plan {
    fn make(paths: &Paths, values: &[ProjectValue]) -> Result<Self, WorkspaceError> {
        let fwai = paths.fwai();
        let read = |name: &str| read_text(&fwai.join(name), paths);
        let record_text = read(RECORD)?;
        let before = Record::parse(record_text.as_deref());
        let project = read("project.yaml")?;
        let updated = project_file::update(".fwai/project.yaml", project.as_deref(), values, &before)?;
        let mut after = updated.record;
        let gitignore = read(".gitignore")?;
        let new_gitignore = updated_gitignore(gitignore.as_deref(), &before, &mut after);

        let mut changes = Vec::new();
        let mut change = |name: &str, old: Option<String>, new: String| {
            if old.as_deref() != Some(new.as_str()) {
                changes.push((name.to_owned(), new));
            }
        };
        change("project.yaml", project, updated.text);
        // A person's settings are never init's business; it only offers an empty file to fill.
        if read("config.yaml")?.is_none() {
            change("config.yaml", None, CONFIG.to_owned());
        }
        change(".gitignore", gitignore, new_gitignore);
        for (name, text) in schemas() {
            let old = read(&name)?;
            change(&name, old, text);
        }
        change(RECORD, record_text, after.text());
        Ok(Self { changes, kept: updated.kept, before, after })
    }
}

fn updated_gitignore(before: Option<&str>, old: &Record, new: &mut Record) -> String {
    new.gitignore = IGNORED.iter().map(|line| (*line).to_owned()).collect();
    let Some(before) = before else {
        return format!("{GITIGNORE_HEADER}\n{}\n", IGNORED.join("\n"));
    };
    let mut text = before.to_owned();
    for line in IGNORED {
        let there = before.lines().any(|known| known.trim() == *line);
        // A line that fwai wrote before and that is gone, a person took out.
        let taken_out = old.gitignore.iter().any(|known| known == line);
        if !there && !taken_out {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The first time: the whole directory appears at once.
fn publish(fwai: &Path, plan: &Plan) -> Result<(), WorkspaceError> {
    let staging = Staging::beside(fwai).map_err(|source| write_error(".fwai", source))?;
    for (name, text) in &plan.changes {
        staging.add(name, text.as_bytes()).map_err(|source| write_error(&format!(".fwai/{name}"), source))?;
    }
    staging.publish(fwai).map_err(|source| write_error(".fwai", source))
}

/// Later: each file is the old or the new one, and the record knows both until all are new. When one
/// cannot be written, those before it get their old text back.
fn replace(fwai: &Path, plan: &Plan) -> Result<(), WorkspaceError> {
    if plan.changes.is_empty() {
        return Ok(());
    }
    let fail = |name: &str, source| write_error(&format!(".fwai/{name}"), source);
    let joined = plan.before.joined(&plan.after).text();
    let mut undo: Vec<(String, Option<Vec<u8>>)> = Vec::new();
    let steps = std::iter::once((RECORD, joined.as_str()))
        .chain(plan.changes.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    for (name, text) in steps {
        let path = fwai.join(name);
        let old = std::fs::read(&path).ok();
        if let Err(source) = atomic::write(&path, text.as_bytes()) {
            for (name, old) in undo.iter().rev() {
                let path = fwai.join(name);
                let _ = match old {
                    Some(bytes) => atomic::write(&path, bytes),
                    None => std::fs::remove_file(&path),
                };
            }
            return Err(fail(name, source));
        }
        undo.push((name.to_owned(), old));
    }
    Ok(())
}

fn write_error(path: &str, source: std::io::Error) -> WorkspaceError {
    WorkspaceError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
