//! What the last build said and made, so that new warnings stand out and an image that is up to
//! date is known as such.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::{
    BuildOutcome, BuildRequest,
    diagnostic::{Diagnostic, Severity},
};

/// Warnings by file, as of the last build of each file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct History {
    /// Seconds since 1970 of the last build.
    #[serde(default)]
    built_at: u64,
    /// File (empty for none) to code and message of each warning.
    #[serde(default)]
    warnings: BTreeMap<String, Vec<String>>,
    /// The last command that succeeded.
    #[serde(default)]
    command: String,
    /// What it made: path to SHA-256.
    #[serde(default)]
    artifacts: BTreeMap<String, String>,
    /// Nothing was ever built here, so nothing is new.
    #[serde(skip)]
    empty: bool,
}

impl Default for History {
    fn default() -> Self {
        Self {
            built_at: 0,
            warnings: BTreeMap::new(),
            command: String::new(),
            artifacts: BTreeMap::new(),
            empty: true,
        }
    }
}

impl History {
    /// The history under a cache directory; an unreadable one is an empty one.
    pub fn load(directory: &Path) -> Self {
        let read = fs::read(file(directory)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        read.unwrap_or_default()
    }

    /// What this command made last time.
    pub fn made_by(&self, command: &str) -> BTreeMap<String, String> {
        if self.command == command { self.artifacts.clone() } else { BTreeMap::new() }
    }

    /// Mark what was not there last time. The first build has nothing to compare with.
    pub fn mark_new(&self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.severity == Severity::Warning)
        {
            let known = self.warnings.get(diagnostic.file.as_deref().unwrap_or_default());
            diagnostic.new = !self.empty && !known.is_some_and(|known| known.contains(&key(diagnostic)));
        }
    }

    /// Remember this build. A file that was not compiled this time (nobody changed it) keeps its
    /// warnings; a changed one has those of this build.
    pub fn remember(
        mut self,
        outcome: &BuildOutcome,
        request: &BuildRequest,
        directory: &Path,
    ) -> io::Result<()> {
        let (root, diagnostics) = (&request.root, &outcome.diagnostics);
        self.command.clone_from(&request.command);
        self.artifacts = outcome
            .artifacts
            .iter()
            .map(|artifact| (artifact.path.clone(), artifact.sha256.clone()))
            .collect();
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning) {
            let list = now.entry(diagnostic.file.clone().unwrap_or_default()).or_default();
            list.push(key(diagnostic));
        }
        let built_at = self.built_at;
        self.warnings.retain(|file, _| {
            !now.contains_key(file) && !file.is_empty() && !changed_since(&root.join(file), built_at)
        });
        self.warnings.extend(now);
        self.built_at = seconds(SystemTime::now());
        fs::create_dir_all(directory)?;
        let path = file(directory);
        let scratch = path.with_extension(format!("{}.tmp", std::process::id()));
        fs::write(&scratch, serde_json::to_vec(&self).map_err(io::Error::other)?)?;
        fs::rename(&scratch, &path)
    }
}

fn file(directory: &Path) -> PathBuf {
    directory.join("build-warnings.json")
}

/// Without line numbers: a line added above does not make a warning new.
fn key(diagnostic: &Diagnostic) -> String {
    format!("{} {}", diagnostic.code.as_deref().unwrap_or_default(), diagnostic.message)
}

fn changed_since(path: &Path, then: u64) -> bool {
    fs::metadata(path).and_then(|facts| facts.modified()).map_or(true, |modified| seconds(modified) >= then)
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
