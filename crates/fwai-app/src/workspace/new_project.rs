//! A new project from a template: complete at once in a new directory, or file by file in an empty one.

use super::{WorkspaceError, project_values, staging::Staging, write};
use crate::atomic;
use fwai_firmware::{
    detect::{Detection, Limits, detect},
    template::{Template, project_name},
};
use std::path::{Path, PathBuf};

/// A project that was just made.
#[derive(Debug)]
pub struct NewProject {
    pub root: PathBuf,
    pub detection: Detection,
    /// Relative to `root`.
    pub written: Vec<String>,
}

/// Makes a project called `name` in `root`. Existing files are never overwritten.
pub fn new_project(template: &Template, name: &str, root: &Path) -> Result<NewProject, WorkspaceError> {
    let name = project_name(name)?;
    let files = template.render(name);
    let fail = |path: &str| {
        let path = path.to_owned();
        move |source| WorkspaceError::Write { path, source }
    };
    if root.symlink_metadata().is_err() {
        let shown = root.display().to_string();
        if let Some(parent) = root.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(fail(&shown))?;
        }
        let staging = Staging::beside(root).map_err(fail(&shown))?;
        for file in &files {
            staging.add(&file.path, file.text.as_bytes()).map_err(fail(&file.path))?;
        }
        let detection = described(staging.path(), name)?;
        let made = write(staging.path(), &project_values(&detection, &[], Some(template)))?;
        staging.publish(root).map_err(fail(&shown))?;
        let written = files.into_iter().map(|file| file.path).chain(made.written).collect();
        return Ok(NewProject { root: root.to_owned(), detection, written });
    }
    if !root.is_dir() {
        return Err(WorkspaceError::NotADirectory { path: root.display().to_string() });
    }
    let mut missing = Vec::new();
    for file in &files {
        let path = root.join(&file.path);
        match std::fs::read(&path) {
            // An interrupted run is finished by the next one.
            Ok(bytes) if bytes == file.text.as_bytes() => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push(file),
            _ => return Err(WorkspaceError::Exists { path: file.path.clone() }),
        }
    }
    let mut done: Vec<PathBuf> = Vec::new();
    for file in &missing {
        let path = root.join(&file.path);
        if let Err(source) = atomic::write(&path, file.text.as_bytes()) {
            for path in done {
                let _ = std::fs::remove_file(path);
            }
            return Err(fail(&file.path)(source));
        }
        done.push(path);
    }
    let detection = described(root, name)?;
    let made = write(root, &project_values(&detection, &[], Some(template)))?;
    let written = missing.iter().map(|file| file.path.clone()).chain(made.written).collect();
    Ok(NewProject { root: root.to_owned(), detection, written })
}

fn described(root: &Path, name: &str) -> Result<Detection, WorkspaceError> {
    let mut detection = detect(root, Limits::default())?;
    for guess in &mut detection.guesses {
        if guess.key == "name" {
            guess.value = name.to_owned();
        }
    }
    Ok(detection)
}
