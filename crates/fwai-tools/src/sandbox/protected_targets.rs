//! Which paths of the project are kept read-only, whether they exist or not.

use super::{hard_links::Survey, placeholders::Placeholder, spec::SandboxSpec};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What is mounted read-only inside the project, and what is held in place for it.
#[derive(Debug, Default)]
pub struct Targets {
    /// Existing paths, placeholders among them.
    pub read_only: Vec<PathBuf>,
    /// Symlinks at protected places; they are covered, since a mount cannot keep a link as it is.
    pub links: Vec<PathBuf>,
    /// Directories that must stay where they are, since something protected lies below.
    pub pinned: Vec<PathBuf>,
    pub placeholders: Vec<Placeholder>,
    /// Paths that no placeholder can hold; whatever appears there is removed when the command ends.
    pub forbidden: Vec<PathBuf>,
}

/// What of git's directory even a committing git must not change: all of it can name programs to run.
const GIT_CONTROL: [(&str, Missing); 6] = [
    ("hooks", Missing::Directory),
    ("config", Missing::File),
    ("info", Missing::Directory),
    ("modules", Missing::Directory),
    ("worktrees", Missing::Directory),
    ("config.worktree", Missing::File),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Directory,
    File,
}

/// Collect the targets. Placeholders are made only where the project is writable.
pub fn collect(spec: &SandboxSpec, root: &Path, survey: &Survey) -> io::Result<Targets> {
    let mut targets = Targets::default();
    add(&mut targets, root, &root.join(".fwai"), Missing::Directory)?;
    git(&mut targets, spec, root)?;
    for path in survey.nested.iter().chain(&survey.protected) {
        add(&mut targets, root, path, Missing::Directory)?;
    }
    targets.read_only.extend(survey.linked.iter().cloned());
    for pattern in &spec.protected {
        if let Some((relative, missing)) = literal(pattern) {
            add(&mut targets, root, &root.join(relative), missing)?;
        }
    }
    targets.read_only.sort();
    targets.read_only.dedup();
    targets.pinned.sort();
    targets.pinned.dedup();
    let read_only = &targets.read_only;
    targets.pinned.retain(|path| !read_only.contains(path));
    Ok(targets)
}

fn git(targets: &mut Targets, spec: &SandboxSpec, root: &Path) -> io::Result<()> {
    let directory = root.join(".git");
    let is_directory = fs::symlink_metadata(&directory).is_ok_and(|metadata| metadata.is_dir());
    if !(is_directory && spec.git_writes) {
        return add(targets, root, &directory, Missing::Directory);
    }
    for (name, missing) in GIT_CONTROL {
        add(targets, root, &directory.join(name), missing)?;
    }
    // A placeholder with this name would break git itself.
    let common = directory.join("commondir");
    if common.symlink_metadata().is_ok() {
        add(targets, root, &common, Missing::File)?;
    } else {
        targets.forbidden.push(common);
    }
    Ok(())
}

/// Whether a glob can match paths that no placeholder holds: it has wildcards, or no slash, which means the
/// name in any directory.
pub fn is_open(pattern: &str) -> bool {
    let pattern = pattern.trim().trim_start_matches("./");
    literal(pattern).is_none() || !pattern.trim_end_matches('/').contains('/')
}

/// A glob that names one path, and what it would be.
fn literal(pattern: &str) -> Option<(String, Missing)> {
    let pattern = pattern.trim().trim_start_matches("./").trim_start_matches('/');
    let (path, missing) = match pattern.strip_suffix("/**").or_else(|| pattern.strip_suffix('/')) {
        Some(directory) => (directory, Missing::Directory),
        None => (pattern, Missing::File),
    };
    let plain = !path.is_empty()
        && !path.contains(['*', '?', '[', '{', '\\'])
        && !path.split('/').any(|name| name == ".." || name == ".");
    plain.then(|| (path.to_owned(), missing))
}

fn add(targets: &mut Targets, root: &Path, path: &Path, missing: Missing) -> io::Result<()> {
    let Ok(relative) = path.strip_prefix(root) else { return Ok(()) };
    let names: Vec<_> = relative.components().collect();
    let mut at = root.to_owned();
    for (index, name) in names.iter().enumerate() {
        at.push(name);
        let last = index + 1 == names.len();
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => {
                if let Ok(real) = at.canonicalize()
                    && real.starts_with(root)
                    && real != *root
                {
                    targets.read_only.push(real);
                }
                targets.links.push(at);
                return Ok(());
            }
            // Another sandbox's placeholder, or as empty as one: it must not go while this sandbox needs it.
            Ok(metadata) if last || Placeholder::is_one(&metadata) => {
                let empty = metadata.is_file() && metadata.len() == 0 || metadata.is_dir();
                if empty && let Ok(Some(placeholder)) = Placeholder::hold(&at, metadata.is_dir()) {
                    targets.placeholders.push(placeholder);
                }
                targets.read_only.push(at);
                return Ok(());
            }
            Ok(_) => targets.pinned.push(at.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_directory = !last || missing == Missing::Directory;
                // None: something real has appeared meanwhile, and is protected as it is.
                if let Some(placeholder) = Placeholder::hold(&at, is_directory)? {
                    targets.placeholders.push(placeholder);
                }
                targets.read_only.push(at);
                return Ok(());
            }
            // A file where a directory should be: nothing can be made below it, if it stays.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
