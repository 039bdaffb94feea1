//! File access that stays beneath the project, whatever a path says and whoever swaps what meanwhile.
//!
//! Every access starts from one descriptor of the project's root and goes down by descriptors: reading asks
//! the kernel to stay beneath (`openat2`), writing follows no symlink at all. The text of a path is folded
//! first, in [`ProjectDir::resolve`]; `fwai_policy::paths` is the same for callers without a disk.

use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags, ResolveFlags};
use std::{
    ffi::{OsStr, OsString},
    fmt,
    fs::{self, File},
    io::{self, Write},
    os::fd::OwnedFd,
    path::{Component, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use thiserror::Error;

/// A path that cannot be used.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum PathError {
    #[error("{path} lies outside the project; only files below {root} can be changed")]
    Outside { path: String, root: String },
    #[error("{path} is a symbolic link; change its target instead")]
    Symlink { path: String },
    #[error("{path} has several hard links, and a change would reach all of them")]
    HardLink { path: String },
    #[error("{path} is not a regular file")]
    NotAFile { path: String },
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error("a path may not be empty or hold a NUL byte")]
    Empty,
}

/// A path beneath the project, relative to its root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SafePath(PathBuf);

impl SafePath {
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// The directory that holds it; `None` for the project's root and what lies directly in it.
    pub(crate) fn parent(&self) -> Option<SafePath> {
        let parent = self.0.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.map(|parent| SafePath(parent.to_owned()))
    }

    /// A path as a look over the project found it: names with `/` between them, none of them special.
    pub(crate) fn from_scan(path: &[u8]) -> Option<SafePath> {
        let path = Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(path));
        let plain = path.components().all(|component| matches!(component, Component::Normal(_)));
        (plain && path.components().next().is_some()).then(|| SafePath(path.to_owned()))
    }
}

impl fmt::Display for SafePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.as_os_str().is_empty() { f.write_str(".") } else { self.0.display().fmt(f) }
    }
}

/// The project's root directory.
#[derive(Debug, Clone)]
pub struct ProjectDir {
    root: PathBuf,
    directory: Arc<OwnedFd>,
}

impl ProjectDir {
    pub fn open(root: &Path) -> Result<Self, PathError> {
        let io = |source| PathError::Io { path: root.display().to_string(), source };
        let real = root.canonicalize().map_err(io)?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = sys::open(&real, flags, Mode::empty()).map_err(|errno| io(errno.into()))?;
        Ok(Self { root: real, directory: Arc::new(directory) })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path as a model wrote it, seen from `cwd` (absolute, inside the project).
    pub fn resolve(&self, cwd: &Path, path: &str) -> Result<SafePath, PathError> {
        if path.is_empty() || path.contains('\0') {
            return Err(PathError::Empty);
        }
        let outside = || PathError::Outside { path: path.to_owned(), root: self.root.display().to_string() };
        let mut clean = PathBuf::new();
        for component in cwd.join(path).components() {
            match component {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                other => clean.push(other),
            }
        }
        clean.strip_prefix(&self.root).map(|relative| SafePath(relative.to_owned())).map_err(|_| outside())
    }

    pub fn absolute(&self, path: &SafePath) -> PathBuf {
        self.root.join(&path.0)
    }

    /// Open for reading. A symlink is followed only while it stays beneath the project.
    pub fn open_read(&self, path: &SafePath) -> Result<File, PathError> {
        // Without NONBLOCK a pipe that somebody put there would hold fwai for ever.
        let file = File::from(self.open_beneath(path, OFlags::RDONLY | OFlags::NONBLOCK)?);
        let metadata = file.metadata().map_err(|source| PathError::Io { path: path.to_string(), source })?;
        if metadata.is_file() || metadata.is_dir() {
            Ok(file)
        } else {
            Err(PathError::NotAFile { path: path.to_string() })
        }
    }

    pub fn metadata(&self, path: &SafePath) -> Result<fs::Metadata, PathError> {
        let file = File::from(self.open_beneath(path, OFlags::PATH)?);
        file.metadata().map_err(|source| PathError::Io { path: path.to_string(), source })
    }

    fn open_beneath(&self, path: &SafePath, flags: OFlags) -> Result<OwnedFd, PathError> {
        let relative = if path.0.as_os_str().is_empty() { Path::new(".") } else { &path.0 };
        let flags = flags | OFlags::CLOEXEC;
        let how = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        // EAGAIN: a rename somewhere in the tree made the kernel unsure.
        for _ in 0..64 {
            match sys::openat2(&self.directory, relative, flags, Mode::empty(), how) {
                Ok(fd) => return Ok(fd),
                Err(rustix::io::Errno::AGAIN) => {}
                Err(rustix::io::Errno::XDEV) => return Err(self.outside(path)),
                Err(rustix::io::Errno::NOSYS) => break,
                Err(errno) => return Err(PathError::Io { path: path.to_string(), source: errno.into() }),
            }
        }
        let (parent, name) = self.descend(path, false)?;
        sys::openat(parent, name, flags | OFlags::NOFOLLOW, Mode::empty())
            .map_err(|errno| Self::refusal(path, errno))
    }

    /// Open for reading where no name on the way is a symlink, however quickly somebody swaps them.
    pub(crate) fn open_plain(&self, path: &SafePath, flags: OFlags) -> Result<OwnedFd, PathError> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match sys::openat2(&self.directory, &path.0, flags, Mode::empty(), how) {
            Ok(fd) => Ok(fd),
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::AGAIN) => {
                let (parent, name) = self.descend(path, false)?;
                sys::openat(parent, name, flags, Mode::empty()).map_err(|errno| Self::refusal(path, errno))
            }
            Err(errno) => Err(Self::refusal(path, errno)),
        }
    }

    /// The root itself.
    pub(crate) fn open_root(&self, flags: OFlags) -> Result<OwnedFd, PathError> {
        sys::openat(&self.directory, ".", flags | OFlags::CLOEXEC, Mode::empty())
            .map_err(|errno| Self::refusal(&SafePath(PathBuf::new()), errno))
    }

    fn outside(&self, path: &SafePath) -> PathError {
        PathError::Outside { path: path.to_string(), root: self.root.display().to_string() }
    }

    fn refusal(path: &SafePath, errno: rustix::io::Errno) -> PathError {
        match errno {
            rustix::io::Errno::LOOP => PathError::Symlink { path: path.to_string() },
            errno => PathError::Io { path: path.to_string(), source: errno.into() },
        }
    }

    /// The directory that holds the path's last name, reached without following any symlink.
    pub(crate) fn descend(&self, path: &SafePath, create: bool) -> Result<(OwnedFd, OsString), PathError> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut names: Vec<&OsStr> = path.0.iter().collect();
        let name = names.pop().map_or_else(|| OsString::from("."), OsStr::to_owned);
        let mut at = sys::openat(&self.directory, ".", flags, Mode::empty())
            .map_err(|errno| Self::refusal(path, errno))?;
        for directory in names {
            let mut next = sys::openat(&at, directory, flags, Mode::empty());
            if create && matches!(next, Err(rustix::io::Errno::NOENT)) {
                match sys::mkdirat(&at, directory, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                    Err(errno) => return Err(Self::refusal(path, errno)),
                }
                next = sys::openat(&at, directory, flags, Mode::empty());
            }
            at = match next {
                Ok(fd) => fd,
                // O_DIRECTORY says "not a directory" of a symlink too.
                Err(rustix::io::Errno::NOTDIR) if is_symlink(&at, directory) => {
                    return Err(PathError::Symlink { path: path.to_string() });
                }
                Err(errno) => return Err(Self::refusal(path, errno)),
            };
        }
        Ok((at, name))
    }

    /// Replaces or creates a file so that a crash leaves the old one or the new one. Symlinks, and files that
    /// have further names, are refused.
    pub fn write_atomic(&self, path: &SafePath, bytes: &[u8]) -> Result<(), PathError> {
        let io = |source: io::Error| PathError::Io { path: path.to_string(), source };
        if path.0.as_os_str().is_empty() {
            return Err(PathError::NotAFile { path: path.to_string() });
        }
        let (parent, name) = self.descend(path, true)?;
        self.still_beneath(&parent, path)?;
        let mode = match sys::statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(rustix::io::Errno::NOENT) => 0o644,
            Err(errno) => return Err(Self::refusal(path, errno)),
            Ok(old) => match FileType::from_raw_mode(old.st_mode) {
                FileType::Symlink => return Err(PathError::Symlink { path: path.to_string() }),
                FileType::RegularFile if old.st_nlink > 1 => {
                    return Err(PathError::HardLink { path: path.to_string() });
                }
                FileType::RegularFile => old.st_mode & 0o1777,
                _ => return Err(PathError::NotAFile { path: path.to_string() }),
            },
        };
        let (temporary, mut file) = new_file(&parent).map_err(io)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| Ok(sys::fchmod(&file, Mode::from_raw_mode(mode))?))
            .and_then(|()| file.sync_data())
            .and_then(|()| Ok(sys::renameat(&parent, &temporary, &parent, &name)?));
        if written.is_err() {
            let _ = sys::unlinkat(&parent, &temporary, AtFlags::empty());
        }
        written.map_err(io)
    }

    /// A directory that was carried out of the project while we went down to it is not ours to write.
    pub(crate) fn still_beneath(&self, directory: &OwnedFd, path: &SafePath) -> Result<(), PathError> {
        use std::os::fd::AsRawFd;
        match fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd())) {
            Ok(place) if !place.starts_with(&self.root) => Err(self.outside(path)),
            _ => Ok(()),
        }
    }
}

fn is_symlink(parent: &OwnedFd, name: &OsStr) -> bool {
    sys::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
}

/// A name that nobody else uses.
pub(crate) fn new_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!(".fwai-new-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn new_file(parent: &OwnedFd) -> io::Result<(String, File)> {
    loop {
        let name = new_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match sys::openat(parent, &name, flags, Mode::from_raw_mode(0o600)) {
            Ok(fd) => return Ok((name, File::from(fd))),
            Err(rustix::io::Errno::EXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn project() -> (tempfile::TempDir, ProjectDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(directory.path().join("treasure"), "untouched").unwrap();
        (directory, ProjectDir::open(&root).unwrap(), root)
    }

    fn write(project: &ProjectDir, path: &str) -> Result<(), PathError> {
        let path = project.resolve(project.root(), path)?;
        project.write_atomic(&path, b"new")
    }

    #[test]
    fn a_plain_file_is_never_reached_through_a_link() {
        let (directory, project, root) = project();
        symlink(directory.path(), root.join("way")).unwrap();
        symlink(directory.path().join("treasure"), root.join("src/link")).unwrap();
        fs::write(root.join("src/plain"), "x").unwrap();
        let open =
            |path: &str, flags| project.open_plain(&SafePath::from_scan(path.as_bytes()).unwrap(), flags);
        assert!(open("src/plain", OFlags::RDONLY).is_ok());
        assert!(open("way/treasure", OFlags::RDONLY).is_err());
        assert!(open("src/link", OFlags::RDONLY).is_err());
        assert!(open("src/link", OFlags::PATH).is_ok(), "the link itself can be looked at");
        assert!(
            SafePath::from_scan(b"../treasure").is_none() && SafePath::from_scan(b"/etc/passwd").is_none()
        );
    }

    #[test]
    fn files_are_made_and_replaced_with_their_mode() {
        let (_directory, project, root) = project();
        write(&project, "deep/er/new.c").unwrap();
        assert_eq!(fs::read(root.join("deep/er/new.c")).unwrap(), b"new");
        fs::write(root.join("run.sh"), "old").unwrap();
        fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
        write(&project, "src/../run.sh").unwrap();
        assert_eq!(fs::metadata(root.join("run.sh")).unwrap().permissions().mode() & 0o7777, 0o750);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 3, "nothing temporary is left");
    }

    #[test]
    fn links_of_every_kind_are_refused() {
        let (directory, project, root) = project();
        symlink(directory.path(), root.join("out")).unwrap();
        symlink("../treasure", root.join("link")).unwrap();
        fs::hard_link(directory.path().join("treasure"), root.join("hard")).unwrap();
        assert!(matches!(write(&project, "out/treasure"), Err(PathError::Symlink { .. })));
        assert!(matches!(write(&project, "out/new"), Err(PathError::Symlink { .. })));
        assert!(matches!(write(&project, "link"), Err(PathError::Symlink { .. })));
        assert!(matches!(write(&project, "hard"), Err(PathError::HardLink { .. })));
        assert!(matches!(write(&project, "../treasure"), Err(PathError::Outside { .. })));
        assert!(matches!(write(&project, "src"), Err(PathError::NotAFile { .. })));
        let read = |path: &str| project.open_read(&project.resolve(&root, path).unwrap());
        assert!(matches!(read("link"), Err(PathError::Outside { .. })));
        assert!(matches!(read("out/treasure"), Err(PathError::Outside { .. })));
        fs::write(root.join("src/a"), "inside").unwrap();
        symlink("src/a", root.join("fine")).unwrap();
        assert_eq!(io::read_to_string(read("fine").unwrap()).unwrap(), "inside");
        assert_eq!(fs::read_to_string(directory.path().join("treasure")).unwrap(), "untouched");
    }

    #[test]
    fn a_directory_swapped_for_a_symlink_meanwhile_leads_nowhere() {
        let (directory, project, root) = project();
        let outside = directory.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let _ = fs::create_dir(root.join("d"));
                    let _ = fs::rename(root.join("d"), root.join("away"));
                    let _ = symlink(&outside, root.join("d"));
                    let _ = fs::remove_file(root.join("d"));
                    let _ = fs::rename(root.join("away"), root.join("d"));
                }
            });
            for _ in 0..2000 {
                let _ = write(&project, "d/file");
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}
