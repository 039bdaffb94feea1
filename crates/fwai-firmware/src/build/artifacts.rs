//! What a build made: found by content and time, and never an old file in place of a new one.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

use fwai_schema::evidence::Artifact;
use sha2::{Digest, Sha256};

use crate::elf::{ElfImage, Machine};

/// Directories that hold no artefacts of interest, only parts and tools.
const SKIPPED: &[&str] = &[
    ".git",
    ".fwai",
    ".svn",
    ".hg",
    "node_modules",
    "CMakeFiles",
    "libdeps",
    "deps",
    "incremental",
    ".fingerprint",
    ".cache",
    ".vscode",
    ".idea",
    "__pycache__",
    ".venv",
    "venv",
    "_deps",
];
const SOURCES: &[&str] =
    &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "s", "S", "asm", "rs", "ld", "lds", "ino", "icf", "sct"];
/// The machine that fwai itself runs on.
const HOST: Machine = if cfg!(target_arch = "aarch64") { Machine::AARCH64 } else { Machine::X86_64 };
const MOST_ENTRIES: usize = 300_000;
const DEEPEST: usize = 16;

/// A file's state at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    size: u64,
}

/// The files of a project that may be artefacts, as they were at one moment.
pub struct Snapshot {
    candidates: HashMap<PathBuf, Stamp>,
    newest_source: Option<(SystemTime, PathBuf)>,
}

impl Snapshot {
    /// Look at the project now.
    pub fn take(root: &Path) -> Self {
        let mut snapshot = Self { candidates: HashMap::new(), newest_source: None };
        let mut budget = MOST_ENTRIES;
        snapshot.walk(root, 0, false, &mut budget);
        snapshot
    }

    fn walk(&mut self, directory: &Path, depth: usize, in_build: bool, budget: &mut usize) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        let in_build = in_build
            || ["CMakeCache.txt", "build.ninja", ".ninja_log"]
                .iter()
                .any(|name| directory.join(name).exists());
        for entry in entries.flatten() {
            let Some(left) = budget.checked_sub(1) else { return };
            *budget = left;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let hidden = name.starts_with('.') && name != ".pio" && name != ".build";
                if depth < DEEPEST && !hidden && !SKIPPED.contains(&&*name) {
                    let build =
                        in_build || matches!(&*name, "build" | "out" | "target" | ".pio" | "_build" | "dist");
                    self.walk(&entry.path(), depth + 1, build, budget);
                }
            } else if kind.is_file() {
                self.file(&entry, &name, in_build);
            }
        }
    }

    fn file(&mut self, entry: &fs::DirEntry, name: &str, in_build: bool) {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_source = !in_build && SOURCES.contains(&extension);
        let may_be = matches!(
            extension.to_ascii_lowercase().as_str(),
            "" | "elf"
                | "axf"
                | "out"
                | "abs"
                | "bin"
                | "hex"
                | "ihex"
                | "map"
                | "uf2"
                | "srec"
                | "s19"
                | "dfu"
                | "img"
        ) || !is_source && !extension.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_source && !may_be {
            return;
        }
        let Ok(facts) = entry.metadata() else { return };
        let modified = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if is_source {
            if self.newest_source.as_ref().is_none_or(|(newest, _)| modified > *newest) {
                self.newest_source = Some((modified, entry.path()));
            }
        } else if facts.len() > 0 {
            self.candidates.insert(entry.path(), Stamp { modified, size: facts.len() });
        }
    }
}

/// One artefact with what is needed to put the list in order.
#[derive(Debug, Clone)]
struct Found {
    path: PathBuf,
    kind: &'static str,
    fresh: bool,
    stamp: Stamp,
    machine: Option<Machine>,
}

/// What the search for artefacts knows.
pub struct Search<'a> {
    pub root: &'a Path,
    /// Before the build.
    pub before: &'a Snapshot,
    pub succeeded: bool,
    /// The ELF that the project file names.
    pub elf: Option<&'a Path>,
    pub project_name: &'a str,
    /// What this very command made before: path to SHA-256. A build tool that finds nothing to do
    /// is believed about these, even when some source that is no part of the image is newer.
    pub made_before: &'a BTreeMap<String, String>,
}

/// Artefacts, the main ELF first, and what is odd about them.
#[derive(Debug, Default)]
pub struct Artifacts {
    pub list: Vec<Artifact>,
    /// Whether any of them was made by this build; else all was up to date already.
    pub any_fresh: bool,
    pub problems: Vec<String>,
}

impl Search<'_> {
    /// Look at what is there after the build.
    pub fn run(&self) -> Artifacts {
        let after = Snapshot::take(self.root);
        let mut found: Vec<Found> = Vec::new();
        for (path, stamp) in &after.candidates {
            let Some((kind, machine)) = kind_of(path) else { continue };
            let fresh = self.before.candidates.get(path) != Some(stamp);
            found.push(Found { path: path.clone(), kind, fresh, stamp: *stamp, machine });
        }
        let mut artifacts = Artifacts {
            any_fresh: found.iter().any(|found| found.fresh && found.kind == "elf"),
            ..Artifacts::default()
        };
        self.drop_stale(&mut found, &after, &mut artifacts);
        // Build scripts and code generators are programs for this machine, not the firmware.
        let is_host = |found: &Found| matches!(found.machine, Some(machine) if machine == HOST);
        if found.iter().any(|found| found.kind == "elf" && !is_host(found)) {
            found.retain(|found| !is_host(found));
        }
        let main = self.main_elf(&found).map(|main| main.path.clone());
        found.sort_by_key(|found| self.order(found, main.as_deref()));
        for found in &found {
            match describe(self.root, found) {
                Ok(artifact) => artifacts.list.push(artifact),
                Err(error) => artifacts
                    .problems
                    .push(format!("cannot read {}: {error}", relative(self.root, &found.path))),
            }
        }
        if let Some(elf) = self.elf.filter(|_| self.succeeded) {
            let wanted = self.root.join(elf);
            if !wanted.is_file() {
                artifacts.problems.push(format!(
                    "the build succeeded but did not make {}, which project.yaml names as build.elf",
                    elf.display()
                ));
            }
        }
        artifacts
    }

    fn drop_stale(&self, found: &mut Vec<Found>, after: &Snapshot, artifacts: &mut Artifacts) {
        if !self.succeeded || artifacts.any_fresh {
            // Something was linked now (or nothing can be trusted): what did not change is from another time.
            found.retain(|found| found.fresh);
            return;
        }
        // An image with a debugger's or converter's output only: nothing was relinked, so what is there must
        // be newer than every source to count as up to date.
        let Some((newest, source)) = &after.newest_source else { return };
        let mut stale = Vec::new();
        found.retain(|found| {
            let current =
                found.fresh || found.stamp.modified >= *newest || self.is_as_made_before(&found.path);
            if !current && found.kind == "elf" {
                stale.push(relative(self.root, &found.path));
            }
            current
        });
        if !found.iter().any(|found| found.kind == "elf") && !stale.is_empty() {
            stale.sort();
            artifacts.problems.push(format!(
                "the build command made nothing new, and {} is older than {}; is it the right build command?",
                stale.join(", "),
                relative(self.root, source)
            ));
        }
    }

    fn is_as_made_before(&self, path: &Path) -> bool {
        let Some(expected) = self.made_before.get(&relative(self.root, path)) else { return false };
        fs::read(path).is_ok_and(|bytes| hex::encode(Sha256::digest(&bytes)) == *expected)
    }

    fn main_elf<'f>(&self, found: &'f [Found]) -> Option<&'f Found> {
        let named = self.elf.map(|elf| self.root.join(elf));
        found.iter().filter(|found| found.kind == "elf").max_by_key(|found| {
            let stem = found.path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            let path = relative(self.root, &found.path).to_ascii_lowercase();
            let by_the_way = ["_pre0", "_pre1", "_pre", "bootloader", "mcuboot", "test", "unity", "example"]
                .iter()
                .any(|word| stem.contains(word) || path.contains(&format!("{word}/")));
            (
                named.as_ref() == Some(&found.path),
                found.fresh,
                found.machine != Some(HOST),
                !by_the_way,
                !self.project_name.is_empty() && stem == self.project_name.to_ascii_lowercase(),
                found.stamp.modified,
                std::cmp::Reverse(found.path.clone()),
            )
        })
    }

    fn order(&self, found: &Found, main: Option<&Path>) -> (u8, u8, PathBuf) {
        let stem_of = |path: &Path| path.with_extension("");
        let belongs = match main {
            Some(main) if main == found.path => 0,
            Some(main) if stem_of(main) == stem_of(&found.path) => 1,
            Some(main) if main.parent() == found.path.parent() => 2,
            _ => 3,
        };
        let kind = ["elf", "bin", "hex", "uf2", "srec", "map"]
            .iter()
            .position(|kind| *kind == found.kind)
            .unwrap_or(9);
        (belongs, kind as u8, found.path.clone())
    }
}

/// What a file is, by its contents; `None` for what is no artefact.
fn kind_of(path: &Path) -> Option<(&'static str, Option<Machine>)> {
    let mut start = Vec::new();
    fs::File::open(path).ok()?.take(4096).read_to_end(&mut start).ok()?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if ElfImage::looks_like_elf(&start) {
        let order = |low: usize| {
            let pair = [*start.get(low)?, *start.get(low + 1)?];
            Some(if start.get(5) == Some(&2) { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
        };
        let is_program = matches!(order(16)?, 2 | 3) && extension != "so" && extension != "o";
        return is_program.then_some(("elf", Some(Machine(order(18)?))));
    }
    if start.starts_with(b"UF2\n") {
        return Some(("uf2", None));
    }
    let text = || {
        std::str::from_utf8(&start)
            .or_else(|error| std::str::from_utf8(&start[..error.valid_up_to()]))
            .unwrap_or_default()
    };
    match extension.as_str() {
        "bin" | "img" | "dfu" => Some(("bin", None)),
        "hex" | "ihex" => text().starts_with(':').then_some(("hex", None)),
        "srec" | "s19" => text().starts_with('S').then_some(("srec", None)),
        "map" => {
            let signs = [
                "Archive member",
                "Discarded input sections",
                "Memory Configuration",
                "Linker script",
                "LMA",
                "IAR ELF Linker",
                "Image Symbol Table",
                "Component:",
                "Allocating common",
            ];
            signs.iter().any(|sign| text().contains(sign)).then_some(("map", None))
        }
        _ => None,
    }
}

fn describe(root: &Path, found: &Found) -> io::Result<Artifact> {
    let bytes = fs::read(&found.path)?;
    let sha256 = hex::encode(Sha256::digest(&bytes));
    let size = bytes.len() as u64;
    let build_id = match found.kind {
        "elf" => ElfImage::parse(&found.path, bytes).ok().map(|image| image.build_id().hex),
        _ => None,
    };
    Ok(Artifact { path: relative(root, &found.path), kind: found.kind.to_string(), sha256, size, build_id })
}

pub(super) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}
