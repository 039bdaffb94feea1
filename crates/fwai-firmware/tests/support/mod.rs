//! A small firmware project, copied where a test may break it, and real tools to compare with.

#![allow(dead_code, reason = "every test binary uses its own part")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// A project of its own in a directory that goes away.
pub struct TestProject {
    dir: tempfile::TempDir,
}

impl TestProject {
    /// `tests/projects/blinky`, not yet built.
    pub fn blinky() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/blinky");
        for entry in std::fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
        }
        Self { dir }
    }

    /// The same, built with make.
    pub fn built_blinky() -> Self {
        let project = Self::blinky();
        project.sh("make -s");
        project
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn elf(&self) -> PathBuf {
        self.join("build/blinky.elf")
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Replaces text that must be there.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.join(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, text.replace(from, to));
    }

    /// A shell command in the project that must succeed; its standard output.
    pub fn sh(&self, line: &str) -> String {
        shell(self.path(), line)
    }
}

/// A shell command that must succeed; its standard output.
pub fn shell(dir: &Path, line: &str) -> String {
    let output = Command::new("sh").arg("-c").arg(line).current_dir(dir).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
