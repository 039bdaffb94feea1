//! Versions, from headers and manifests below a component's root.

use std::path::{Path, PathBuf};

use super::component_rules::VersionPlace;

/// How deep below the root a header is looked for.
const DEPTH: usize = 5;
/// A root with more files than this is no vendored component but a whole disk.
const MOST_FILES: usize = 20_000;

pub(super) fn find(root: &Path, places: &[VersionPlace]) -> Option<String> {
    let mut files = Vec::new();
    list(root, DEPTH, &mut files);
    files.sort();
    places.iter().find_map(|place| {
        let fits = |path: &&PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| place.file.is_match(name))
        };
        files.iter().filter(fits).find_map(|file| read(file, place))
    })
}

fn list(directory: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if files.len() >= MOST_FILES {
            return;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 && entry.file_name() != ".git" => {
                list(&entry.path(), depth - 1, files);
            }
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

pub(super) fn read(file: &Path, place: &VersionPlace) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    if let Some(pattern) = &place.pattern {
        let version = pattern.captures(&text)?.get(1)?.as_str();
        return Some(version.trim().replace(", ", ".").replace(',', "."));
    }
    let part = |pattern: &regex::Regex| {
        let digits = pattern.captures(&text)?.get(1)?.as_str();
        let number = u64::from_str_radix(digits, place.radix.unwrap_or(10)).ok()?;
        Some(number.to_string())
    };
    let parts: Option<Vec<String>> = place.parts.iter().map(part).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("."))
}
