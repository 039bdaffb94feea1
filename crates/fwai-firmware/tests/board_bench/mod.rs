//! What the board tests share: firmware compiled on the spot, and a project whose QEMU always ends.

#![allow(dead_code)]

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use fwai_firmware::{
    boards::{self, Board, BoardContext, Catalogue},
    launch::PlainLauncher,
};
use fwai_schema::{board::BoardDef, project::Project};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/firmware");

/// A temporary project. Dropping it ends every QEMU that was started for it, also when a test panics.
pub struct Bench {
    pub folder: tempfile::TempDir,
    pub project: Project,
}

impl Bench {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), project: Project::default() }
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn context(&self) -> BoardContext {
        BoardContext {
            root: self.root().to_path_buf(),
            project: self.project.clone(),
            launcher: Arc::new(PlainLauncher),
        }
    }

    pub fn def(&self, board: &str) -> BoardDef {
        Catalogue::load(self.root()).find(board).unwrap().clone()
    }

    pub fn board(&self, name: &str) -> Box<dyn Board> {
        boards::open(&self.def(name), &self.context()).unwrap()
    }

    /// Compile the test firmware for a board; `defines` choose its variant.
    pub fn firmware(&self, board: &str, defines: &[&str]) -> PathBuf {
        let def = self.def(board);
        let region = |name: &str| {
            let region = def.regions.iter().find(|region| region.name == name).unwrap();
            format!("ORIGIN = {:#x}, LENGTH = {:#x}", region.origin, region.length)
        };
        let script = std::fs::read_to_string(format!("{SOURCES}/link.ld")).unwrap();
        let script = script.replace("@FLASH@", &region("FLASH")).replace("@RAM@", &region("RAM"));
        let name = format!("{board}{}", defines.concat().replace(|c: char| !c.is_alphanumeric(), "-"));
        let script_path = self.root().join(format!("{name}.ld"));
        std::fs::write(&script_path, script).unwrap();
        let elf = self.root().join(format!("{name}.elf"));
        let macro_name = board.to_uppercase().replace('-', "_");
        let output = Command::new("arm-none-eabi-gcc")
            .current_dir(SOURCES)
            .args([
                &format!("-mcpu={}", def.arch),
                "-mthumb",
                "-Og",
                "-g",
                "-ffreestanding",
                "-nostdlib",
                "-Wl,--build-id",
            ])
            .arg(format!("-Wl,-T,{}", script_path.display()))
            .arg(format!("-DBOARD_{macro_name}"))
            .args(defines.iter().map(|define| format!("-D{define}")))
            .args(["start.c", "main.c", "-o"])
            .arg(&elf)
            .output()
            .expect("arm-none-eabi-gcc is installed by `cargo xtask setup`");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        elf
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let Ok(entries) = std::fs::read_dir(self.root().join(".fwai/boards")) else { return };
        for entry in entries.flatten() {
            if let Some(pid) = qemu_pid(&entry.path()) {
                let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            }
        }
    }
}

/// The QEMU in a board's directory, if it is really that board's.
pub fn qemu_pid(directory: &Path) -> Option<u32> {
    let state: serde_json::Value =
        serde_json::from_slice(&std::fs::read(directory.join("state.json")).ok()?).ok()?;
    let pid = u32::try_from(state["process"]["pid"].as_u64()?).ok()?;
    let command = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let directory = directory.as_os_str().as_encoded_bytes();
    command.windows(directory.len()).any(|window| window == directory).then_some(pid)
}
