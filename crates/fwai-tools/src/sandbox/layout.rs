//! From a spec to mounts: which trees are copied, where they are put, in which order, and what Landlock is
//! told about them.

use super::{
    appeared::Watch,
    hard_links::SurveyCache,
    kernel::{
        init,
        landlock::Rule,
        plan::{Scratch, Step},
        sys::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_NOSUID, MOUNT_ATTR_RDONLY},
    },
    placeholders::Placeholder,
    protected_targets,
    real_path::real_path,
    spec::{Network, SandboxSpec, Tmp},
    walls::SandboxError,
};
use fwai_policy::protect::Protection;
use fwai_schema::policy::Policy;
use std::{
    ffi::CString,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// More mounts than this are a mistake in the globs.
const MAX_MOUNTS: usize = 2000;

/// Directories that every command gets anew.
const SCRATCH: [&str; 4] = ["/tmp", "/var/tmp", "/run", "/var/run"];

/// Steps for the first process, and what must live as long as it does.
#[derive(Default)]
pub struct Layout {
    pub sources: Vec<CString>,
    pub scratch: Vec<Scratch>,
    pub steps: Vec<Step>,
    pub rules: Vec<Rule>,
    pub placeholders: Vec<Placeholder>,
    pub forbidden: Vec<PathBuf>,
    /// Set where globs protect paths that cannot be named beforehand.
    pub watch: Option<Watch>,
}

/// Plan the mounts for a project at `root` (canonical).
pub fn plan(spec: &SandboxSpec, root: &Path, cache: &SurveyCache) -> Result<Layout, SandboxError> {
    let mut layout = Layout::default();
    let writable = existing(&spec.writable);
    let reopened = existing(&spec.reopened);
    let scratch: Vec<PathBuf> =
        SCRATCH.iter().map(PathBuf::from).filter(|path| is_real_directory(path)).collect();
    let mut exposed: Vec<PathBuf> = Vec::new();
    layout.scratch(spec, &scratch, root, &writable, &mut exposed);
    layout.make_points(&reopened, &scratch, &exposed);

    layout.allow(Path::new("/"), false);
    if !spec.read_only && !spec.only_reads {
        match &spec.allowed {
            None => layout.bind(root, root, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, true),
            Some(globs) => {
                for path in allowed_paths(root, globs)? {
                    layout.bind(&path, &path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, true);
                }
            }
        }
        for path in &writable {
            layout.bind(path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, true);
        }
        layout.protect(spec, root, cache)?;
    }
    for path in &reopened {
        layout.bind(path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, true);
    }
    layout.hide(spec, root, &scratch, &exposed, &writable);
    layout.devices(spec)?;
    layout.steps.push(Step::Proc);
    for path in &scratch {
        if spec.read_only || path.ends_with("run") {
            layout.steps.push(Step::ReadOnly(c_path(path)));
        }
    }
    if layout.steps.len() > MAX_MOUNTS {
        return Err(SandboxError::TooManyMounts { count: layout.steps.len() });
    }
    Ok(layout)
}

impl Layout {
    /// Fresh `/tmp` and the like, with what the project needs of the old ones.
    fn scratch(
        &mut self,
        spec: &SandboxSpec,
        scratch: &[PathBuf],
        root: &Path,
        writable: &[PathBuf],
        exposed: &mut Vec<PathBuf>,
    ) {
        for directory in scratch {
            let runtime = directory.ends_with("run");
            match &spec.tmp {
                Tmp::Directory(tmp) if directory == Path::new("/tmp") && !root.starts_with("/tmp") => {
                    self.bind(tmp, directory, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, !spec.read_only);
                    continue;
                }
                _ => {}
            }
            self.in_memory(directory, if runtime { 0o755 } else { 0o1777 });
            if !spec.read_only && !runtime {
                self.allow(directory, true);
            }
        }
        let mut wanted: Vec<PathBuf> = Vec::new();
        for path in writable.iter().map(PathBuf::as_path).chain([root]) {
            let Some(directory) = scratch.iter().find(|directory| path.starts_with(directory)) else {
                continue;
            };
            // The first component below it, so that the project's neighbours are there, and read-only.
            if let Some(first) = path.strip_prefix(directory).ok().and_then(|below| below.components().next())
            {
                wanted.push(directory.join(first));
            }
        }
        wanted.extend(["/run/current-system", "/run/opengl-driver"].map(PathBuf::from));
        if spec.network == Network::Host {
            wanted.extend(
                ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"]
                    .map(PathBuf::from),
            );
        }
        wanted.sort();
        wanted.dedup();
        for path in wanted {
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let Some(directory) = scratch.iter().find(|directory| path.starts_with(directory)) else {
                continue;
            };
            if metadata.is_symlink() {
                if let Ok(target) = fs::read_link(&path) {
                    self.steps.push(Step::Symlink { target: c_path(&target), path: c_path(&path) });
                }
                continue;
            }
            self.make_parents(directory, &path);
            self.steps.push(if metadata.is_dir() {
                Step::MakeDirectory(c_path(&path))
            } else {
                Step::MakeFile(c_path(&path))
            });
            self.bind(&path, &path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, false);
            exposed.push(path);
        }
    }

    /// Places to mount on, for paths that lie where everything was emptied.
    fn make_points(&mut self, paths: &[PathBuf], scratch: &[PathBuf], exposed: &[PathBuf]) {
        for path in paths {
            let Some(directory) =
                scratch.iter().find(|directory| path.starts_with(directory) && path != *directory)
            else {
                continue;
            };
            if exposed.iter().any(|shown| path.starts_with(shown)) {
                continue;
            }
            self.make_parents(directory, path);
            self.steps.push(if path.is_dir() {
                Step::MakeDirectory(c_path(path))
            } else {
                Step::MakeFile(c_path(path))
            });
        }
    }

    fn make_parents(&mut self, above: &Path, path: &Path) {
        let mut parents: Vec<&Path> =
            path.ancestors().skip(1).take_while(|parent| *parent != above).collect();
        parents.reverse();
        for parent in parents {
            self.steps.push(Step::MakeDirectory(c_path(parent)));
        }
    }

    fn protect(&mut self, spec: &SandboxSpec, root: &Path, cache: &SurveyCache) -> Result<(), SandboxError> {
        let policy = Policy { protected_paths: spec.protected.clone(), ..Policy::default() };
        let protection =
            Protection::of(&policy).map_err(|problem| SandboxError::Spec(problem.to_string()))?;
        let survey = |source| SandboxError::Project { path: root.to_owned(), source };
        let found = cache.survey(root, &protection, !spec.protected.is_empty()).map_err(survey)?;
        let targets = protected_targets::collect(spec, root, &found).map_err(survey)?;
        // Only what stands on writable ground needs a mount of its own; a pin elsewhere would open it.
        let allowed = match &spec.allowed {
            None => vec![root.to_owned()],
            Some(globs) => allowed_paths(root, globs)?,
        };
        let on_writable_ground = |path: &Path| allowed.iter().any(|open| path.starts_with(open));
        for path in targets.pinned.iter().filter(|path| on_writable_ground(path)) {
            self.bind(path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, false);
        }
        for path in targets.read_only.iter().filter(|path| on_writable_ground(path)) {
            self.bind(path, path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, false);
        }
        for path in targets.links.iter().filter(|path| on_writable_ground(path)) {
            self.bind(
                Path::new("/dev/null"),
                path,
                MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                false,
            );
        }
        self.placeholders = targets.placeholders;
        self.forbidden = targets.forbidden;
        let with_globs = spec.protected.iter().any(|glob| protected_targets::is_open(glob));
        self.watch = Some(Watch::new(root, protection, with_globs, &found));
        Ok(())
    }

    /// Cover what must not be read.
    fn hide(
        &mut self,
        spec: &SandboxSpec,
        root: &Path,
        scratch: &[PathBuf],
        exposed: &[PathBuf],
        writable: &[PathBuf],
    ) {
        let mut hidden: Vec<PathBuf> =
            spec.unreadable.iter().filter_map(|path| real_path(path).ok()).collect();
        hidden.sort();
        hidden.dedup();
        let mut covered: Vec<PathBuf> = Vec::new();
        let mut nothing = None;
        for path in hidden {
            let opened = root.starts_with(&path) || writable.iter().any(|open| open.starts_with(&path));
            let gone = scratch.iter().any(|directory| path.starts_with(directory))
                && !exposed.iter().any(|shown| path.starts_with(shown));
            if opened
                || gone
                || path.starts_with("/proc")
                || path.starts_with("/dev")
                || covered.iter().any(|above| path.starts_with(above))
            {
                continue;
            }
            if path.is_dir() {
                let nothing = *nothing.get_or_insert_with(|| self.new_scratch("nothing", 0));
                self.steps.push(Step::Scratch {
                    scratch: nothing,
                    target: c_path(&path),
                    attributes: MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC,
                });
            } else {
                self.bind(
                    Path::new("/dev/null"),
                    &path,
                    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                    false,
                );
            }
            covered.push(path);
        }
    }

    /// A `/dev` with the harmless nodes and those that were granted.
    fn devices(&mut self, spec: &SandboxSpec) -> Result<(), SandboxError> {
        let dev = Path::new("/dev");
        self.in_memory(dev, 0o755);
        let harmless = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
        let mut granted: Vec<PathBuf> = Vec::new();
        for device in &spec.devices {
            let real = device
                .canonicalize()
                .map_err(|source| SandboxError::Device { path: device.clone(), source })?;
            if !real.starts_with("/dev") || real == dev {
                return Err(SandboxError::Spec(format!("{} is not below /dev", device.display())));
            }
            if real != *device && device.starts_with("/dev") {
                self.make_parents(dev, device);
                self.steps.push(Step::Symlink { target: c_path(&real), path: c_path(device) });
            }
            granted.push(real);
        }
        granted.sort();
        granted.dedup();
        for path in harmless.iter().map(PathBuf::from).chain(granted) {
            if !path.exists() {
                continue;
            }
            self.make_parents(dev, &path);
            self.steps.push(if path.is_dir() {
                Step::MakeDirectory(c_path(&path))
            } else {
                Step::MakeFile(c_path(&path))
            });
            self.bind(&path, &path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, false);
        }
        for (target, path) in [
            ("/proc/self/fd", "/dev/fd"),
            ("/proc/self/fd/0", "/dev/stdin"),
            ("/proc/self/fd/1", "/dev/stdout"),
            ("/proc/self/fd/2", "/dev/stderr"),
            ("pts/ptmx", "/dev/ptmx"),
        ] {
            self.steps.push(Step::Symlink { target: c_text(target), path: c_text(path) });
        }
        for directory in ["/dev/pts", "/dev/shm"] {
            self.steps.push(Step::MakeDirectory(c_text(directory)));
        }
        self.steps.push(Step::Terminals);
        if !spec.read_only {
            self.in_memory(Path::new("/dev/shm"), 0o1777);
        }
        self.steps.push(Step::ReadOnly(c_path(dev)));
        self.allow(dev, true);
        Ok(())
    }

    /// Put an empty directory in memory on `target`.
    fn in_memory(&mut self, target: &Path, mode: u32) {
        let scratch = self.new_scratch(&self.scratch.len().to_string(), mode);
        self.steps.push(Step::Scratch { scratch, target: c_path(target), attributes: 0 });
    }

    fn new_scratch(&mut self, name: &str, mode: u32) -> usize {
        let path = c_text(&format!("{}/{name}", init::SCRATCH_PLACE.to_string_lossy()));
        self.scratch.push(Scratch { path, mode, fd: -1 });
        self.scratch.len() - 1
    }

    /// Put a copy of `source` on `target`; `writable` tells Landlock.
    fn bind(&mut self, source: &Path, target: &Path, attributes: u64, writable: bool) {
        self.steps.push(Step::Attach { source: self.sources.len(), target: c_path(target), attributes });
        self.sources.push(c_path(source));
        if writable {
            self.allow(target, true);
        }
    }

    fn allow(&mut self, path: &Path, writable: bool) {
        self.rules.push(Rule { path: c_path(path), is_directory: path.is_dir(), writable });
    }
}

/// Existing places that the globs open: directories for `dir/**`, single files for everything else.
fn allowed_paths(root: &Path, globs: &[String]) -> Result<Vec<PathBuf>, SandboxError> {
    let mut open = Vec::new();
    for glob in globs {
        let parts: Vec<&str> = fwai_policy::merge::parts_of(glob).collect();
        let [only] = parts[..] else {
            // Both of two globs: what the first opens, minus what the second does not, is left to single files.
            open.extend(matching_files(root, glob)?);
            continue;
        };
        let only = only.trim_start_matches("./").trim_matches('/');
        let directory = only.strip_suffix("/**").unwrap_or(only);
        if only == "**" || only.is_empty() || only == "." {
            open.push(root.to_owned());
        } else if !directory.contains(['*', '?', '[', '{']) {
            open.extend(root.join(directory).canonicalize().ok().filter(|path| path.starts_with(root)));
        } else {
            open.extend(matching_files(root, glob)?);
        }
    }
    open.sort();
    open.dedup();
    let all = open.clone();
    open.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
    Ok(open)
}

fn matching_files(root: &Path, glob: &str) -> Result<Vec<PathBuf>, SandboxError> {
    let policy = Policy { allowed_paths: Some(vec![glob.to_owned()]), ..Policy::default() };
    let protection = Protection::of(&policy).map_err(|problem| SandboxError::Spec(problem.to_string()))?;
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            if kind.is_dir() && entry.file_name() != ".git" {
                waiting.push(path);
            } else if kind.is_file() && protection.may_write(&relative) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn existing(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = paths.iter().filter_map(|path| real_path(path).ok()).collect();
    found.sort();
    found.dedup();
    found
}

fn is_real_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Paths come from the file system or were checked before, so none contains a NUL.
pub fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

pub fn c_text(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}
