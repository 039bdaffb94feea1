//! Snapshots of the work tree, so that what tools *and shell commands* changed can be undone and counted.
//!
//! A shadow git directory (`.fwai/undo`) holds them; the user's index, refs and hooks are never touched,
//! and no setting of the user's or the project's git is read: attributes that would rewrite line ends or
//! run filters are switched off. Untracked files are in, ignored ones (build output) are not. Where the
//! project is a git repository its index and objects give the first snapshot a head start, so that only
//! changed files are read.

mod git;
#[cfg(test)]
mod tests;

use git::Git;
use std::{
    fs,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why a snapshot could not be taken or restored.
#[derive(Debug, Error)]
pub enum SnapshotError {
    #[error("git is not installed, so that nothing can be undone; run `fwai doctor`")]
    NoGit,
    #[error("git {command}: {message}")]
    Git { command: String, message: String },
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("snapshot {0} does not exist")]
    Unknown(String),
}

/// A state of the work tree: the id of a git tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct TreeId(String);

impl std::fmt::Display for TreeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One file that differs between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    pub how: How,
    /// Zero for binary files.
    pub added: u64,
    pub removed: u64,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Created,
    Modified,
    Deleted,
}

impl How {
    pub fn as_str(self) -> &'static str {
        match self {
            How::Created => "created",
            How::Modified => "modified",
            How::Deleted => "deleted",
        }
    }
}

/// The snapshots of a project.
#[derive(Debug, Clone)]
pub struct Snapshots {
    git: Git,
    root: PathBuf,
}

impl Snapshots {
    /// Opens the shadow directory and makes it on first use.
    pub fn open(root: &Path) -> Result<Self, SnapshotError> {
        let directory = root.join(".fwai/undo");
        let git = Git::new(&directory, root);
        if !directory.join("HEAD").exists() {
            fs::create_dir_all(&directory)
                .map_err(|source| SnapshotError::Io { path: directory.display().to_string(), source })?;
            git.run(&["init", "--quiet"])?;
            for (key, value) in [
                ("core.bare", "false"),
                ("core.autocrlf", "false"),
                ("core.fsmonitor", "false"),
                ("core.untrackedCache", "true"),
                ("core.excludesFile", "/dev/null"),
                ("core.hooksPath", "/dev/null"),
                ("gc.auto", "0"),
                ("feature.manyFiles", "false"),
                ("index.threads", "true"),
            ] {
                git.run(&["config", key, value])?;
            }
            write(
                &directory.join("info/attributes"),
                "* -text -eol -filter -ident -working-tree-encoding -merge\n",
            )?;
            write(&directory.join("info/exclude"), "/.fwai/\n")?;
        }
        let snapshots = Self { git, root: root.to_owned() };
        if !directory.join("index").exists() {
            snapshots.borrow_from_repository(&directory);
        }
        Ok(snapshots)
    }

    /// The state of the work tree as it is now.
    pub fn take(&self) -> Result<TreeId, SnapshotError> {
        self.git.run(&["add", "--all", "--ignore-errors", "--", "."]).or_else(|error| match &error {
            // A file that cannot be read is left out; everything else is in.
            SnapshotError::Git { message, .. } if message.contains("Permission denied") => Ok(String::new()),
            _ => Err(error),
        })?;
        Ok(TreeId(self.git.run(&["write-tree"])?.trim().to_owned()))
    }

    /// What differs from `before` to `after`.
    pub fn changes(&self, before: &TreeId, after: &TreeId) -> Result<Vec<FileChange>, SnapshotError> {
        if before == after {
            return Ok(Vec::new());
        }
        let range = ["--no-renames", "-r", "-z", &before.0, &after.0];
        let status = self.git.run(&[&["diff-tree", "--name-status"], &range[..]].concat())?;
        let counts = self.git.run(&[&["diff-tree", "--numstat"], &range[..]].concat())?;
        let mut fields = status.split('\0');
        let mut changes = Vec::new();
        while let (Some(letter), Some(path)) = (fields.next().filter(|s| !s.is_empty()), fields.next()) {
            let how = match letter {
                "A" => How::Created,
                "D" => How::Deleted,
                _ => How::Modified,
            };
            changes.push(FileChange { path: path.to_owned(), how, added: 0, removed: 0 });
        }
        for line in counts.split('\0').filter(|line| !line.is_empty()) {
            let mut parts = line.splitn(3, '\t');
            let (added, removed, path) = (parts.next(), parts.next(), parts.next().unwrap_or(""));
            if let Some(change) = changes.iter_mut().find(|change| change.path == path) {
                change.added = added.and_then(|n| n.parse().ok()).unwrap_or(0);
                change.removed = removed.and_then(|n| n.parse().ok()).unwrap_or(0);
            }
        }
        Ok(changes)
    }

    /// The differences as a unified diff.
    pub fn diff(&self, before: &TreeId, after: &TreeId) -> Result<String, SnapshotError> {
        self.git.run(&[
            "diff-tree",
            "-p",
            "-r",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            &before.0,
            &after.0,
        ])
    }

    /// Makes the work tree what it was at `target`; the answer is what that changed. The state before is
    /// itself a snapshot, so that an undo can be undone.
    pub fn restore(&self, target: &TreeId) -> Result<(TreeId, Vec<FileChange>), SnapshotError> {
        if self.git.run(&["cat-file", "-e", &format!("{}^{{tree}}", target.0)]).is_err() {
            return Err(SnapshotError::Unknown(target.0.clone()));
        }
        let now = self.take()?;
        let changes = self.changes(&now, target)?;
        self.git.run(&["read-tree", &target.0])?;
        let back: Vec<&str> = changes
            .iter()
            .filter(|change| change.how != How::Deleted)
            .map(|change| change.path.as_str())
            .collect();
        if !back.is_empty() {
            self.git
                .run_with_input(&["checkout-index", "--force", "-z", "--stdin"], &(back.join("\0") + "\0"))?;
        }
        for change in changes.iter().filter(|change| change.how == How::Deleted) {
            let path = self.root.join(&change.path);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(SnapshotError::Io { path: change.path.clone(), source });
                }
                _ => remove_empty_parents(&self.root, &path),
            }
        }
        self.git.run(&["update-index", "-q", "--refresh"]).ok();
        Ok((now, changes))
    }

    /// The user's own index knows the hash of every unchanged file, and its objects need not be copied.
    /// Not where git rewrites files on their way in: there its hash is that of other bytes.
    fn borrow_from_repository(&self, directory: &Path) {
        let repository = self.root.join(".git");
        let objects = repository.join("objects");
        if !objects.is_dir() || repository.join("info/attributes").exists() {
            return;
        }
        let config = fs::read_to_string(repository.join("config")).unwrap_or_default();
        if ["autocrlf", "eol", "[filter", "worktree"].iter().any(|word| config.contains(word))
            || rewrites_by_default()
        {
            return;
        }
        let index = directory.join("index");
        if fs::copy(repository.join("index"), &index).is_err() {
            return;
        }
        let usable = self
            .git
            .run(&["ls-files", "-z", "--", ".gitattributes", "**/.gitattributes"])
            .is_ok_and(|list| list.is_empty())
            && write(&directory.join("objects/info/alternates"), &format!("{}\n", objects.display())).is_ok();
        if !usable {
            let _ = fs::remove_file(index);
        }
    }
}

/// Whether the user's own settings make git rewrite line ends everywhere.
fn rewrites_by_default() -> bool {
    std::process::Command::new("git")
        .args(["config", "--global", "--get-regexp", "^(core\\.(autocrlf|eol|attributesfile)|filter\\.)"])
        .output()
        .is_ok_and(|output| !output.stdout.is_empty())
}

fn write(path: &Path, text: &str) -> Result<(), SnapshotError> {
    let io = |source| SnapshotError::Io { path: path.display().to_string(), source };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io)?;
    }
    fs::write(path, text).map_err(io)
}

fn remove_empty_parents(root: &Path, path: &Path) {
    for parent in path.ancestors().skip(1).take_while(|parent| *parent != root) {
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
}
