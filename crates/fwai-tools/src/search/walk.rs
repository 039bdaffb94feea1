//! Walking a tree as ripgrep does, without following links out of it.

use ignore::{WalkBuilder, overrides::OverrideBuilder};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A walk over a tree; `glob` narrows it, `hidden` adds what git ignores.
pub fn builder(start: &Path, glob: Option<&str>, hidden: bool) -> Result<WalkBuilder, String> {
    if let Some(path) = start.ancestors().find_map(endless_ignore_file) {
        return Err(format!("{} is a pipe or a device, not an ignore file; remove it", path.display()));
    }
    let mut builder = WalkBuilder::new(start);
    builder.hidden(!hidden).ignore(!hidden).git_ignore(!hidden).git_exclude(!hidden).git_global(false);
    builder.require_git(false).follow_links(false).threads(threads());
    // fwai's own records would answer every search with themselves.
    builder.filter_entry(|entry| {
        let name = entry.file_name();
        if entry.depth() > 0 && (name == ".git" || name == ".fwai") {
            return false;
        }
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.depth() == 0 || !is_directory || endless_ignore_file(entry.path()).is_none()
    });
    if let Some(glob) = glob {
        let mut overrides = OverrideBuilder::new(start);
        let anchored = if glob.contains('/') {
            format!("/{}", glob.trim_start_matches("./").trim_start_matches('/'))
        } else {
            glob.to_owned()
        };
        overrides.add(&anchored).map_err(|error| format!("the glob `{glob}` cannot be used: {error}"))?;
        builder.overrides(overrides.build().map_err(|error| error.to_string())?);
    }
    Ok(builder)
}

/// A file that the walk would read in this directory and that is none: to open a pipe is to wait for ever.
fn endless_ignore_file(directory: &Path) -> Option<PathBuf> {
    let is_endless = |path: &PathBuf| fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    let named = [".gitignore", ".ignore", ".git"].map(|name| directory.join(name));
    named.into_iter().chain(files_of_repository(&directory.join(".git"))).find(is_endless)
}

/// What is read where a repository begins.
fn files_of_repository(repository: &Path) -> Vec<PathBuf> {
    let Ok(metadata) = fs::metadata(repository) else { return Vec::new() };
    let mut found = vec![repository.join("info/exclude")];
    if metadata.is_file() && metadata.len() < 64 << 10 {
        // A submodule or a work tree: the repository lies elsewhere, and what it shares elsewhere again.
        let text = fs::read_to_string(repository).unwrap_or_default();
        let Some(target) = text.strip_prefix("gitdir:").map(str::trim) else { return found };
        let target = repository.with_file_name(target);
        let shared = target.join("commondir");
        if fs::metadata(&shared).is_ok_and(|metadata| metadata.is_file() && metadata.len() < 64 << 10) {
            let common = fs::read_to_string(&shared).unwrap_or_default();
            found.push(target.join(common.trim()).join("info/exclude"));
        }
        found.extend([target.join("info/exclude"), shared]);
    }
    found
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().min(8))
}
