//! Puts files back as a snapshot has them. A background job may be at work in the same tree, so every path
//! is reached by descriptors that follow no symlink, and a file appears whole or not at all.

use super::stat::git_mode;
use crate::safe_path::{PathError, ProjectDir, SafePath};
use rustix::fs::{self as sys, AtFlags, Mode};
use std::{
    ffi::OsStr,
    io::{self, Write},
    os::unix::ffi::OsStrExt,
};

/// Makes `path` a file, an executable or a link with this content, whatever stands there now.
pub fn write(project: &ProjectDir, path: &SafePath, mode: u32, content: &[u8]) -> Result<(), PathError> {
    let io = |source: io::Error| PathError::Io { path: path.to_string(), source };
    let (parent, target) = project.descend(path, true)?;
    project.still_beneath(&parent, path)?;
    let temporary;
    let put = if mode == 0o120_000 {
        temporary = crate::safe_path::new_name();
        sys::symlinkat(OsStr::from_bytes(content), &parent, &temporary).map_err(io::Error::from)
    } else {
        let (name, mut file) = crate::safe_path::new_file(&parent).map_err(io)?;
        temporary = name;
        let usual = if mode == 0o100_755 { 0o755 } else { 0o644 };
        // A snapshot knows only whether a file can be executed; what else it may be stays as it is now.
        let kept = sys::statat(&parent, &target, AtFlags::SYMLINK_NOFOLLOW)
            .ok()
            .filter(|now| git_mode(now.st_mode) == mode && now.st_mode & libc::S_IFMT == libc::S_IFREG)
            .map_or(usual, |now| now.st_mode & 0o777);
        file.write_all(content).and_then(|()| Ok(sys::fchmod(&file, Mode::from_raw_mode(kept))?))
    };
    let put = put.and_then(|()| {
        // A directory that only the undone step made is empty by now.
        let _ = sys::unlinkat(&parent, &target, AtFlags::REMOVEDIR);
        Ok(sys::renameat(&parent, &temporary, &parent, &target)?)
    });
    if put.is_err() {
        let _ = sys::unlinkat(&parent, &temporary, AtFlags::empty());
    }
    put.map_err(io)
}

/// Removes a file, and the directories that are empty without it.
pub fn remove(project: &ProjectDir, path: &SafePath) -> Result<(), PathError> {
    let (parent, name) = match project.descend(path, false) {
        Err(PathError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    project.still_beneath(&parent, path)?;
    match sys::unlinkat(&parent, &name, AtFlags::empty()) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => {}
        Err(errno) => return Err(PathError::Io { path: path.to_string(), source: errno.into() }),
    }
    let mut above = path.parent();
    while let Some(directory) = above {
        let Ok((parent, name)) = project.descend(&directory, false) else { break };
        if project.still_beneath(&parent, &directory).is_err()
            || sys::unlinkat(&parent, &name, AtFlags::REMOVEDIR).is_err()
        {
            break;
        }
        above = directory.parent();
    }
    Ok(())
}
