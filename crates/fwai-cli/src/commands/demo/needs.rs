//! What the demo cannot do without, looked for before anything is made: a recording that goes on while no compiler
//! is there would tell a tale.

use crate::failure::Failure;
use fwai_app::doctor::programs;
use std::path::Path;

/// As the doctor names them.
const PROGRAMS: &[&str] = &["git", "arm-none-eabi-gcc", "gdb-multiarch", "cmake", "ninja"];
const QEMU: (&str, &str) = ("qemu-system-arm", "sudo apt install qemu-system-arm");

/// Fails with the names of what is missing and the one command that brings it.
pub fn check() -> Result<(), Failure> {
    // The project is not made yet, so no directory of it can be on the path.
    let nowhere = Path::new("/nonexistent");
    let mut missing = programs::missing(PROGRAMS, nowhere);
    if programs::find(QEMU.0, nowhere).is_none() {
        missing.push(QEMU);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    let packages: Vec<&str> =
        missing.iter().map(|(_, install)| install.trim_start_matches("sudo apt install ")).collect();
    let message = format!("the demo needs programs that are not installed: {}", names.join(", "));
    Err(Failure::failed(message).hint(format_args!("sudo apt install {}", packages.join(" "))))
}
