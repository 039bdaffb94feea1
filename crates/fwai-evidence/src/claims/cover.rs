//! Which files a claim speaks of, with their digests.

use std::{
    collections::BTreeMap,
    io,
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
/// Outside a repository there is no such list.
pub fn project_files(root: &Path) -> io::Result<Vec<String>> {
    let arguments =
        ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", "."];
    let output = git_command(root).args(arguments).arg(":(exclude).fwai").stderr(Stdio::null()).output()?;
    let names = output.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
    Ok(names.filter(|name| root.join(name).is_file()).collect())
}
