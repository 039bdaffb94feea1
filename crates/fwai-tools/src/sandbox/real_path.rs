//! The real path of something that exists, asked of the kernel at once instead of component by component.

use rustix::fs::{CWD, Mode, OFlags};
use std::{
    ffi::OsString,
    io,
    os::{fd::AsRawFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
};

/// As `canonicalize`, for less.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let opened = rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let name = format!("/proc/self/fd/{}", opened.as_raw_fd());
    let real = rustix::fs::readlinkat(CWD, name, Vec::with_capacity(256)).map(|name| name.into_bytes());
    match real {
        // What is removed at this moment gets a remark behind its name.
        Ok(real) if real.starts_with(b"/") && !real.ends_with(b" (deleted)") => {
            Ok(PathBuf::from(OsString::from_vec(real)))
        }
        _ => path.canonicalize(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_canonicalize_says() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        std::fs::create_dir_all(root.join("a/b (deleted)")).unwrap();
        std::fs::write(root.join("a/file"), "").unwrap();
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("broken")).unwrap();
        for name in [
            "a",
            "a/file",
            "link",
            "link/file",
            "a/b (deleted)",
            "a/../link/./file",
            "broken",
            "none",
            "a/file/x",
        ] {
            let path = root.join(name);
            let kind = |error: io::Error| error.kind();
            assert_eq!(real_path(&path).map_err(kind), path.canonicalize().map_err(kind), "{name}");
        }
    }
}
