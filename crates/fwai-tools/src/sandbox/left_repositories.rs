//! Git repositories that a command leaves in the project. As such they are welcome (build tools fetch
//! sources); what in them makes git run programs is not, since the next `git status` in that place would
//! run them outside the walls.

use fwai_policy::git_config;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// No configuration that git writes is longer.
const LONGEST_CONFIG: u64 = 1 << 20;
/// Submodules of submodules, and so on.
const DEEPEST: usize = 16;

/// What may make git run something at a new `.git`, a directory, a file or a link. Nothing for other names.
pub fn programs_below(path: &Path, root: &Path) -> Vec<PathBuf> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Vec::new() };
    if !path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(".git")) {
        return Vec::new();
    }
    if metadata.is_dir() {
        let mut found = programs_in(path);
        submodules(&path.join("modules"), DEEPEST, &mut found);
        return found;
    }
    // It leads to a directory that is looked at as such, if it lies in the project.
    let stays_inside = target(path, &metadata)
        .and_then(|target| target.canonicalize().ok())
        .is_some_and(|target| target.starts_with(root));
    if stays_inside { Vec::new() } else { vec![path.to_owned()] }
}

fn target(path: &Path, metadata: &fs::Metadata) -> Option<PathBuf> {
    let named = match metadata.is_symlink() {
        true => fs::read_link(path).ok()?,
        false if metadata.is_file() && metadata.len() < 64 << 10 => {
            let text = fs::read_to_string(path).ok()?;
            PathBuf::from(text.strip_prefix("gitdir:")?.trim())
        }
        false => return None,
    };
    Some(path.parent()?.join(named))
}

fn submodules(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let path = entry.path();
            found.extend(programs_in(&path));
            submodules(&path, depth - 1, found);
        }
    }
}

/// What in one git directory may make git run something.
pub fn programs_in(repository: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for name in ["config", "config.worktree"] {
        let path = repository.join(name);
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        let is_plain = metadata.is_file() && metadata.len() <= LONGEST_CONFIG;
        let text = is_plain.then(|| fs::read_to_string(&path).ok()).flatten();
        if text.is_none_or(|text| git_config::may_run(&text).is_some()) {
            found.push(path);
        }
    }
    let hooks = repository.join("hooks");
    match fs::symlink_metadata(&hooks) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => found.push(hooks),
        Err(_) => return found,
    }
    for entry in fs::read_dir(repository.join("hooks")).into_iter().flatten().flatten() {
        let is_sample =
            Path::new(&entry.file_name()).extension().is_some_and(|extension| extension == "sample");
        let is_inert = entry.metadata().is_ok_and(|metadata| {
            metadata.is_dir() || metadata.is_file() && metadata.permissions().mode() & 0o111 == 0
        });
        if !is_sample && !is_inert {
            found.push(entry.path());
        }
    }
    found
}
