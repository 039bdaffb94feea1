//! Compilers, debuggers, build tools and git, with their versions.

use super::{Check, Patient, Status};
use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A program that firmware work may need.
struct Program {
    name: &'static str,
    /// Other names under which it is found.
    also: &'static [&'static str],
    version: &'static str,
    what_for: &'static str,
    install: &'static str,
    need: Need,
}

/// When its absence matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nearly every project.
    Usual,
    /// Projects of this build system.
    System(&'static str),
    /// Projects whose compiler is this one.
    Compiler,
    /// Only worth a line where it is installed.
    Extra,
}

macro_rules! program {
    ($name:literal $(| $also:literal)*, $version:literal, $need:expr, $what:literal, $install:literal) => {
        Program { name: $name, also: &[$($also),*], version: $version, what_for: $what, install: $install, need: $need }
    };
}

const PROGRAMS: &[Program] = &[
    program!("git", "--version", Need::Usual, "history and undo", "sudo apt install git"),
    program!(
        "arm-none-eabi-gcc",
        "--version",
        Need::Usual,
        "compiling for Arm Cortex-M",
        "sudo apt install gcc-arm-none-eabi libnewlib-arm-none-eabi"
    ),
    program!(
        "gdb-multiarch" | "arm-none-eabi-gdb",
        "--version",
        Need::Usual,
        "debugging",
        "sudo apt install gdb-multiarch"
    ),
    program!("cmake", "--version", Need::Usual, "CMake projects", "sudo apt install cmake"),
    program!(
        "ninja" | "ninja-build",
        "--version",
        Need::Usual,
        "CMake and Meson projects",
        "sudo apt install ninja-build"
    ),
    program!("make", "--version", Need::Usual, "Makefile projects", "sudo apt install make"),
    program!(
        "openocd",
        "--version",
        Need::Usual,
        "flashing and debugging through a probe",
        "sudo apt install openocd"
    ),
    program!(
        "avr-gcc",
        "--version",
        Need::Compiler,
        "compiling for AVR",
        "sudo apt install gcc-avr avr-libc"
    ),
    program!("avrdude", "-?", Need::Extra, "flashing AVR", "sudo apt install avrdude"),
    program!(
        "riscv32-esp-elf-gcc",
        "--version",
        Need::Compiler,
        "compiling for RISC-V ESP32",
        "idf.py install, see ESP-IDF's export.sh"
    ),
    program!(
        "xtensa-esp32-elf-gcc",
        "--version",
        Need::Compiler,
        "compiling for ESP32",
        "./install.sh in ESP-IDF, then . ./export.sh"
    ),
    program!(
        "riscv64-unknown-elf-gcc",
        "--version",
        Need::Compiler,
        "compiling for RISC-V",
        "sudo apt install gcc-riscv64-unknown-elf"
    ),
    program!(
        "cargo",
        "--version",
        Need::System("cargo"),
        "Rust projects",
        "curl https://sh.rustup.rs -sSf | sh"
    ),
    program!(
        "rustc",
        "--version",
        Need::System("cargo"),
        "Rust projects",
        "curl https://sh.rustup.rs -sSf | sh"
    ),
    program!(
        "probe-rs",
        "--version",
        Need::Extra,
        "flashing through a probe",
        "cargo install probe-rs-tools --locked"
    ),
    program!("meson", "--version", Need::System("meson"), "Meson projects", "sudo apt install meson"),
    program!(
        "pio" | "platformio",
        "--version",
        Need::System("platformio"),
        "PlatformIO projects",
        "pipx install platformio"
    ),
    program!("west", "--version", Need::System("zephyr"), "Zephyr projects", "pipx install west"),
    program!("idf.py", "--version", Need::System("esp-idf"), "ESP-IDF projects", ". $IDF_PATH/export.sh"),
    program!(
        "arduino-cli",
        "version",
        Need::System("arduino"),
        "Arduino sketches",
        "see https://arduino.github.io/arduino-cli/latest/installation/"
    ),
    program!(
        "mbed" | "mbed-tools",
        "--version",
        Need::System("mbed"),
        "Mbed projects",
        "pipx install mbed-cli"
    ),
    program!("scons", "--version", Need::System("scons"), "SCons projects", "sudo apt install scons"),
    program!(
        "st-flash",
        "--version",
        Need::Extra,
        "flashing through an ST-Link",
        "sudo apt install stlink-tools"
    ),
    program!("dfu-util", "--version", Need::Extra, "flashing over USB", "sudo apt install dfu-util"),
    program!("esptool" | "esptool.py", "version", Need::Extra, "flashing ESP chips", "pipx install esptool"),
];

/// Where a program lies, and what it says of its version.
struct Found {
    path: PathBuf,
    version: Option<String>,
}

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    let build = patient.project.as_ref().and_then(|project| project.build.system.clone());
    let compiler = patient.project.as_ref().and_then(|project| project.toolchain.compiler.clone());
    let found: Vec<(&Program, Option<Found>)> = thread::scope(|scope| {
        let running: Vec<_> = PROGRAMS
            .iter()
            .map(|program| {
                (
                    program,
                    scope.spawn(|| {
                        let path = std::iter::once(&program.name)
                            .chain(program.also)
                            .find_map(|name| find(name, &patient.paths.project))?;
                        let version = version(&path, program.version);
                        Some(Found { path, version })
                    }),
                )
            })
            .collect();
        running.into_iter().map(|(program, thread)| (program, thread.join().ok().flatten())).collect()
    });
    found
        .into_iter()
        .filter_map(|(program, found)| {
            let needed = match program.need {
                Need::System(system) => build.as_deref() == Some(system),
                Need::Compiler => compiler.as_deref() == Some(program.name),
                // What the project's own build system or compiler is, it cannot do without.
                Need::Usual => {
                    compiler.as_deref() == Some(program.name) || build.as_deref() == Some(program.name)
                }
                Need::Extra => false,
            };
            check(program, found, needed)
        })
        .collect()
}

/// Those of the named programs that are not on the `PATH`, each with the command that brings it.
pub fn missing(names: &[&'static str], project: &Path) -> Vec<(&'static str, &'static str)> {
    let named = PROGRAMS.iter().filter(|program| names.contains(&program.name));
    let there = |program: &&Program| {
        std::iter::once(&program.name).chain(program.also).any(|name| find(name, project).is_some())
    };
    named.filter(|program| !there(program)).map(|program| (program.name, program.install)).collect()
}

fn check(program: &Program, found: Option<Found>, needed: bool) -> Option<Check> {
    match found {
        Some(Found { path, version: Some(version) }) => {
            Some(Check::ok(program.name, format!("{version} ({})", path.display())))
        }
        Some(Found { path, version: None }) => Some(Check {
            name: program.name.to_owned(),
            status: if needed { Status::Problem } else { Status::Warning },
            detail: format!("{} does not answer `{}`", path.display(), program.version),
            fix: Some(format!("{} {}", path.display(), program.version)),
        }),
        None if needed => Some(Check::problem(
            program.name,
            format!("not installed; this project needs it for {}", program.what_for),
            program.install,
        )),
        None if program.need == Need::Usual => Some(Check::warning(
            program.name,
            format!("not installed; needed for {}", program.what_for),
            program.install,
        )),
        None => None,
    }
}

/// A program on the `PATH`. Relative entries, and entries inside the project, are passed over: a
/// project must not be able to put its own `git` before the doctor.
pub fn find(name: &str, project: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute() && !dir.starts_with(project))
        .map(|dir| dir.join(name))
        .find(|file| {
            file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
        })
}

/// The first line that a program prints about its version.
pub fn version(path: &Path, argument: &str) -> Option<String> {
    let text = output(path, &[argument], Duration::from_secs(5))?;
    let line = text.lines().map(str::trim).find(|line| has_version(line))?;
    Some(line.chars().take(120).collect())
}

/// `1.2` somewhere; a program that only complains has numbers of other kinds.
fn has_version(line: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = line.as_bytes();
    (1..bytes.len()).any(|at| bytes[at] == b'.' && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1)))
}

/// What a program prints, at most 256 KiB; `None` when it cannot start or takes too long.
pub fn output(path: &Path, arguments: &[&str], limit: Duration) -> Option<String> {
    let mut child = Command::new(path)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let read = |stream: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(stream) = stream {
                let _ = stream.take(256 << 10).read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let stdout = read(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let stderr = read(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
    // OpenOCD prints its version on standard error.
    let mut bytes = stdout.join().ok()?;
    bytes.push(b'\n');
    bytes.extend(stderr.join().ok()?);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn script(dir: &Path, text: &str) -> PathBuf {
        let path = dir.join("tool");
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn versions_come_from_either_stream() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(
            version(&script(dir.path(), "echo Tool; echo tool 1.2.3 >&2"), "-v").as_deref(),
            Some("tool 1.2.3")
        );
        assert_eq!(version(&script(dir.path(), "echo nothing"), "-v"), None);
        let broken = "echo 'error: no toolchain'; echo '0: rustup::main'; exit 1";
        assert_eq!(
            version(&script(dir.path(), broken), "-v"),
            None,
            "a program that cannot work has no version"
        );
    }

    #[test]
    fn a_program_that_hangs_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let tool = script(dir.path(), "exec sleep 600");
        assert_eq!(output(&tool, &[], Duration::from_millis(100)), None);
    }

    #[test]
    fn names_are_unique() {
        let mut seen = std::collections::BTreeSet::new();
        assert!(PROGRAMS.iter().all(|program| seen.insert(program.name)));
    }
}
