//! Which files a claim speaks of, with their digests.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path},
    process::Stdio,
};

use crate::runs::{attest::sha256_of, git_command};

/// SHA-256 of each file, by its path relative to the project.
pub fn cover_files<P: AsRef<Path>>(root: &Path, files: &[P]) -> io::Result<BTreeMap<String, String>> {
    let mut covers = BTreeMap::new();
    for file in files {
        let relative = file.as_ref().strip_prefix(root).unwrap_or(file.as_ref());
        if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            let text = format!("{} lies outside the project", relative.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        covers.insert(relative.to_string_lossy().into_owned(), sha256_of(&root.join(relative))?);
    }
    Ok(covers)
}

/// The files of a project that a build can depend on: what git tracks or would track, without fwai's records.
/// Outside a repository every file counts that does not lie in a hidden directory or one that builds fill.
pub fn project_files(root: &Path) -> io::Result<Vec<String>> {
    let arguments =
        ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", "."];
    let output = git_command(root).args(arguments).arg(":(exclude).fwai").stderr(Stdio::null()).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        let mut files = Vec::new();
        walk(root, root, &mut files)?;
        files.sort();
        return Ok(files);
    };
    let names = output.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
    Ok(names.filter(|name| root.join(name).is_file()).collect())
}

/// Directories that builds and package managers fill.
const RESULTS: [&str; 7] = ["build", "target", "out", "dist", "_build", "node_modules", "__pycache__"];
/// Deeper or larger than this is no source tree that a claim could name file by file.
const MOST_FILES: usize = 20_000;

fn walk(root: &Path, directory: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        // Links are not followed: what they lead to may lie anywhere.
        if kind.is_dir() && !RESULTS.contains(&name) {
            walk(root, &entry.path(), files)?;
        } else if kind.is_file()
            && let Ok(relative) = entry.path().strip_prefix(root)
        {
            files.push(relative.to_string_lossy().into_owned());
        }
        if files.len() > MOST_FILES {
            return Err(io::Error::other(format!("more than {MOST_FILES} files and no git repository")));
        }
    }
    Ok(())
}
