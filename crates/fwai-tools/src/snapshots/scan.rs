//! One look over the work tree: which files belong to a snapshot and how each looks now. No content is read.
//!
//! `.gitignore` files decide as they do for git: what they exclude is left out unless an earlier snapshot
//! or the user's own index already has it. fwai's directory and every `.git` stay out always.

use super::stat::Look;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::{
    collections::{HashMap, HashSet},
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The `.gitignore` files seen before, which cost more to read than everything else.
#[derive(Debug, Default)]
pub struct IgnoreCache(HashMap<PathBuf, (Look, Arc<Gitignore>)>);

/// No real ignore file is longer.
const LONGEST_IGNORE_FILE: u64 = 1 << 20;

impl IgnoreCache {
    fn in_directory(&mut self, directory: &Path) -> Option<Arc<Gitignore>> {
        let path = directory.join(".gitignore");
        let metadata = fs::symlink_metadata(&path).ok()?;
        if !metadata.is_file() || metadata.len() > LONGEST_IGNORE_FILE {
            return None;
        }
        let look = Look::of(&metadata);
        if let Some((seen, matcher)) = self.0.get(&path)
            && *seen == look
        {
            return Some(matcher.clone());
        }
        let mut builder = GitignoreBuilder::new(directory);
        // A line that is no pattern is left out, as git does.
        let _ = builder.add(&path);
        let matcher = Arc::new(builder.build().ok()?);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        if look.is_settled(now) {
            self.0.insert(path, (look, matcher.clone()));
        }
        Some(matcher)
    }
}

/// Every file of the snapshot with how it looks, in no particular order. `tracked` are files that stay in
/// even where they are ignored.
pub fn look_over<'a>(
    root: &Path,
    ignores: &mut IgnoreCache,
    tracked: impl Iterator<Item = &'a Vec<u8>>,
) -> Vec<(Vec<u8>, Look)> {
    let mut scan = Scan { ignores, found: Vec::new(), skipped_any: false };
    scan.directory(root, &mut Vec::new(), &mut Vec::new());
    let Scan { mut found, skipped_any, .. } = scan;
    if skipped_any {
        let seen: HashSet<&[u8]> = found.iter().map(|(path, _)| path.as_slice()).collect();
        let missing: Vec<&Vec<u8>> = tracked.filter(|path| !seen.contains(path.as_slice())).collect();
        let ignored: Vec<(Vec<u8>, Look)> = missing
            .into_iter()
            .filter_map(|path| Some((path.clone(), look_without_links(root, path)?)))
            .collect();
        found.extend(ignored);
    }
    found
}

/// How one file looks, if it is a file or a link and no directory on the way is a link.
fn look_without_links(root: &Path, path: &[u8]) -> Option<Look> {
    let mut at = root.to_owned();
    let mut names = path.split(|byte| *byte == b'/').peekable();
    while let Some(name) = names.next() {
        at.push(std::ffi::OsStr::from_bytes(name));
        let metadata = fs::symlink_metadata(&at).ok()?;
        match names.peek() {
            Some(_) if metadata.is_dir() => {}
            None if metadata.is_file() || metadata.is_symlink() => return Some(Look::of(&metadata)),
            _ => return None,
        }
    }
    None
}

struct Scan<'c> {
    ignores: &'c mut IgnoreCache,
    found: Vec<(Vec<u8>, Look)>,
    /// Something was ignored, so that tracked files may hide there.
    skipped_any: bool,
}

impl Scan<'_> {
    fn directory(&mut self, directory: &Path, relative: &mut Vec<u8>, matchers: &mut Vec<Arc<Gitignore>>) {
        // What cannot be listed cannot be kept either.
        let Ok(listing) = fs::read_dir(directory) else { return };
        let mut entries: Vec<fs::DirEntry> = listing.flatten().collect();
        let own = entries
            .iter()
            .any(|entry| entry.file_name() == ".gitignore")
            .then(|| self.ignores.in_directory(directory))
            .flatten();
        let pushed = own.map(|matcher| matchers.push(matcher)).is_some();
        entries.retain(|entry| {
            let name = entry.file_name();
            !(name.eq_ignore_ascii_case(".git") || relative.is_empty() && name == ".fwai")
        });
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            if !kind.is_dir() && !kind.is_file() && !kind.is_symlink() {
                continue;
            }
            if !matchers.is_empty() {
                let path = entry.path();
                let verdict = matchers
                    .iter()
                    .rev()
                    .map(|matcher| matcher.matched(&path, kind.is_dir()))
                    .find(|matched| !matched.is_none());
                if verdict.is_some_and(|matched| matched.is_ignore()) {
                    self.skipped_any = true;
                    continue;
                }
            }
            let length = relative.len();
            if length > 0 {
                relative.push(b'/');
            }
            let name = entry.file_name().into_vec();
            relative.extend_from_slice(&name);
            if kind.is_dir() {
                self.directory(&entry.path(), relative, matchers);
            } else if let Ok(metadata) = entry.metadata() {
                self.found.push((relative.clone(), Look::of(&metadata)));
            }
            relative.truncate(length);
        }
        if pushed {
            matchers.pop();
        }
    }
}
