//! Looks over the project before a sandbox opens it: files with further names elsewhere (a write to them
//! would be a write outside), repositories inside it, and what the user's globs protect.
//!
//! Each directory's answer is kept and used again while the directory is unchanged, so that a second look at
//! a large project costs one `lstat` per directory.

use fwai_policy::protect::Protection;
use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::{DirEntryExt, MetadataExt},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, SystemTime},
};

/// What was found; paths are absolute.
#[derive(Debug, Default)]
pub struct Survey {
    /// Files that have a name outside the writable tree, or a protected one.
    pub linked: Vec<PathBuf>,
    /// `.git` and `.fwai` below the project's root.
    pub nested: Vec<PathBuf>,
    /// Directories that git would take for a repository although they are not called `.git`.
    pub bare: Vec<PathBuf>,
    /// Matches of the user's globs; nothing below a match is listed.
    pub protected: Vec<PathBuf>,
}

/// Directories seen before.
#[derive(Debug, Default)]
pub struct SurveyCache {
    directories: Mutex<HashMap<PathBuf, Seen>>,
}

#[derive(Debug, Clone)]
struct Seen {
    modified: (i64, i64),
    inode: u64,
    at: SystemTime,
    entries: std::sync::Arc<Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    name: std::ffi::OsString,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Directory,
    File,
    /// Device, inode and number of names.
    Linked(u64, u64, u64),
    Other,
}

/// A directory that changed this recently may change again within the same tick of its clock.
const SETTLED: Duration = Duration::from_millis(50);

impl SurveyCache {
    /// Look over `root`. `protection` holds the user's globs; `with_globs` says whether there are any.
    pub fn survey(&self, root: &Path, protection: &Protection, with_globs: bool) -> io::Result<Survey> {
        let mut survey = Survey::default();
        // Names of each linked file inside the project, and how many there are in all.
        let mut links: HashMap<(u64, u64), (u64, Vec<PathBuf>)> = HashMap::new();
        let mut waiting = vec![(root.to_owned(), String::new())];
        while let Some((directory, relative)) = waiting.pop() {
            let Some(entries) = self.entries(&directory)? else { continue };
            if ["objects", "refs"].iter().all(|name| entries.iter().any(|entry| entry.name == *name)) {
                survey.bare.push(directory.clone());
            }
            for entry in entries.iter() {
                let path = directory.join(&entry.name);
                let name = entry.name.to_string_lossy();
                let below = if relative.is_empty() { name.to_string() } else { format!("{relative}/{name}") };
                let special = name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case(".fwai");
                if special {
                    if !relative.is_empty() {
                        survey.nested.push(path);
                    }
                    continue;
                }
                if with_globs && protection.is_protected_by_glob(&below) {
                    if let Kind::Linked(device, inode, names) = entry.kind {
                        // One name short, so that the others can never all be inside.
                        links.entry((device, inode)).or_insert((names + 1, Vec::new()));
                    }
                    survey.protected.push(path);
                    continue;
                }
                match entry.kind {
                    Kind::Directory => waiting.push((path, below)),
                    Kind::Linked(device, inode, names) => {
                        links.entry((device, inode)).or_insert((names, Vec::new())).1.push(path)
                    }
                    Kind::File | Kind::Other => {}
                }
            }
        }
        survey.linked = links
            .into_values()
            .filter(|(names, paths)| *names > paths.len() as u64)
            .flat_map(|(_, paths)| paths)
            .collect();
        survey.linked.sort();
        survey.nested.sort();
        survey.protected.sort();
        Ok(survey)
    }

    fn entries(&self, directory: &Path) -> io::Result<Option<std::sync::Arc<Vec<Entry>>>> {
        let metadata = match fs::symlink_metadata(directory) {
            Ok(metadata) if metadata.is_dir() => metadata,
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        let mut known = self.directories.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(seen) = known.get(directory)
            && seen.modified == modified
            && seen.inode == metadata.ino()
            && metadata.modified().is_ok_and(|modified| modified + SETTLED < seen.at)
        {
            return Ok(Some(seen.entries.clone()));
        }
        let at = SystemTime::now();
        let listing = match fs::read_dir(directory) {
            Ok(listing) => listing,
            // What fwai cannot list, the command cannot write.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry?;
            let kind = match entry.file_type() {
                Ok(kind) if kind.is_dir() => Kind::Directory,
                Ok(kind) if kind.is_file() => match entry.metadata() {
                    Ok(metadata) if metadata.nlink() > 1 => {
                        Kind::Linked(metadata.dev(), entry.ino(), metadata.nlink())
                    }
                    _ => Kind::File,
                },
                _ => Kind::Other,
            };
            entries.push(Entry { name: entry.file_name(), kind });
        }
        let entries = std::sync::Arc::new(entries);
        known.insert(
            directory.to_owned(),
            Seen { modified, inode: metadata.ino(), at, entries: entries.clone() },
        );
        Ok(Some(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::policy::Policy;

    #[test]
    fn a_file_with_a_name_outside_is_found_and_a_pair_inside_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("project");
        fs::create_dir_all(root.join("src/sub/.git")).unwrap();
        fs::write(directory.path().join("outside"), "x").unwrap();
        fs::write(root.join("src/a"), "x").unwrap();
        fs::write(root.join("key.pem"), "x").unwrap();
        fs::hard_link(root.join("src/a"), root.join("src/b")).unwrap();
        fs::hard_link(directory.path().join("outside"), root.join("src/planted")).unwrap();
        fs::hard_link(root.join("key.pem"), root.join("src/alias")).unwrap();
        let policy = Policy { protected_paths: vec!["*.pem".into()], ..Policy::default() };
        let protection = Protection::of(&policy).unwrap();
        let cache = SurveyCache::default();
        for _ in 0..2 {
            let survey = cache.survey(&root, &protection, true).unwrap();
            assert_eq!(survey.linked, [root.join("src/alias"), root.join("src/planted")]);
            assert_eq!(survey.nested, [root.join("src/sub/.git")]);
            assert_eq!(survey.protected, [root.join("key.pem")]);
        }
        fs::hard_link(directory.path().join("outside"), root.join("src/later")).unwrap();
        let survey = cache.survey(&root, &protection, true).unwrap();
        assert_eq!(survey.linked.len(), 3, "a new name changes the directory, and that is seen");
    }
}
