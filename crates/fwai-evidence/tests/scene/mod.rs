//! A project with evidence in it, and the user who wrote it.
#![allow(dead_code)]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use fwai_evidence::{
    keys::UserKeys,
    public_key::PublicKey,
    runs::{EndedRun, RunOptions, RunStore, ToolRecord},
    verify::{Report, Verification, verify_all, verify_run},
};
use fwai_schema::evidence::*;

pub struct Scene {
    _directory: tempfile::TempDir,
    pub root: PathBuf,
    pub home: PathBuf,
}

impl Scene {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("project");
        let home = directory.path().join("home");
        fs::create_dir_all(&root).unwrap();
        Self { _directory: directory, root, home }
    }

    pub fn with_runs(count: usize) -> Self {
        let scene = Self::new();
        for number in 0..count {
            scene.run(&format!("job{number}"));
        }
        scene
    }

    pub fn store(&self) -> RunStore {
        RunStore::open(&self.root, RunOptions::new(&self.home)).unwrap()
    }

    /// A run with a log, an image and a claim.
    pub fn run(&self, label: &str) -> EndedRun {
        let mut run = self.store().create_run(label).unwrap();
        run.begin(label).unwrap();
        run.add_tool(
            ToolRecord::new("build", "make all", Some(0)).duration_ms(5),
            Some(format!("made {label}\n").as_bytes()),
        )
        .unwrap();
        run.add_artifact(Artifact {
            path: "build/firmware.elf".into(),
            kind: "elf".into(),
            sha256: "ab".repeat(32),
            size: 4,
            build_id: None,
        })
        .unwrap();
        run.end(RunStatus::Success).unwrap()
    }

    pub fn verification(&self) -> Verification {
        Verification::new(&self.root, &self.home, &[]).unwrap()
    }

    pub fn verify(&self) -> Report {
        verify_all(&self.verification())
    }

    pub fn verify_run(&self, run_id: &str) -> Report {
        verify_run(&self.verification(), run_id)
    }

    pub fn key(&self) -> PublicKey {
        UserKeys::of(&self.home).current().unwrap().unwrap()
    }

    pub fn fwai(&self, path: &str) -> PathBuf {
        self.root.join(".fwai").join(path)
    }

    pub fn run_ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = fs::read_dir(self.fwai("runs"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.starts_with('.'))
            .collect();
        ids.sort();
        ids
    }

    /// Copies `.fwai` aside, lets `change` work on it, verifies, and puts the copy back.
    pub fn after(&self, change: impl FnOnce(&Self)) -> Report {
        let (live, kept) = (self.root.join(".fwai"), self.root.join(".kept"));
        copy_tree(&live, &kept);
        change(self);
        let report = self.verify();
        if live.exists() {
            fs::remove_dir_all(&live).unwrap();
        }
        fs::rename(&kept, &live).unwrap();
        report
    }
}

pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Every file under a directory.
pub fn files_under(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_under(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The interpreter with the foreign verifiers.
pub fn python() -> PathBuf {
    let cache = env::var_os("FWAI_DEV_CACHE").map(PathBuf::from).unwrap_or_else(|| {
        let base = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        base.unwrap_or_else(|| env::home_dir().unwrap().join(".cache")).join("fwai-dev")
    });
    let python = cache.join("venv/bin/python");
    assert!(python.exists(), "{} is missing; `cargo xtask setup` installs it", python.display());
    python
}
