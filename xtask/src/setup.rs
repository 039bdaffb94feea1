//! `cargo xtask setup`: installs what the demo and the tests need and this machine lacks.
//!
//! Programs come from Debian's packages, as root or through sudo; Python and npm packages go to a cache
//! directory of our own, never into the system.

use crate::{
    places,
    shell::{self, command, find},
};
use anyhow::{Result, bail};
use std::{fs, path::Path, process::Command};

/// A program or file that shows whether a Debian package is needed.
struct Need {
    /// Looked for on `PATH`, or as a path where it begins with `/`.
    sign: &'static str,
    package: &'static str,
    why: &'static str,
}

const fn need(sign: &'static str, package: &'static str, why: &'static str) -> Need {
    Need { sign, package, why }
}

/// What the demo needs.
const DEMO: &[Need] = &[
    need("arm-none-eabi-gcc", "gcc-arm-none-eabi", "compiles firmware"),
    need("/usr/lib/arm-none-eabi/newlib/libc.a", "libnewlib-arm-none-eabi", "C library for firmware"),
    need("gdb-multiarch", "gdb-multiarch", "debugs firmware"),
    need("qemu-system-arm", "qemu-system-arm", "virtual boards"),
    need("cmake", "cmake", "builds firmware"),
    need("ninja", "ninja-build", "builds firmware"),
    need("make", "make", "builds firmware"),
    need("git", "git", "work trees and undo"),
];

/// What the tests need beside that.
const TEST: &[Need] = &[
    need("openocd", "openocd", "boards behind a probe"),
    need("g++", "g++", "images of this machine, to compare memory figures with"),
    need("strace", "strace", "faults at every system call"),
    need("bwrap", "bubblewrap", "another sandbox to compare with"),
    need("tmux", "tmux", "terminals for REPL tests"),
    need("openssl", "openssl", "foreign verifier of signatures"),
    need("jq", "jq", "commands of the guide"),
    need("ssh-keygen", "openssh-client", "tags that git signs"),
    need("kill", "procps", "signals to programs under test"),
    need("python3", "python3", "foreign verifiers"),
    need("npm", "npm", "foreign validators and servers"),
];

/// What the browser check needs where rustup has no wasm32 target.
const WASM: &[Need] = &[
    need("/usr/bin/rustc", "rustc-web", "compiler with a wasm32 target"),
    need("/usr/bin/cargo", "cargo-web", "builds with it"),
    need("/usr/share/doc/rust-web-src", "rust-web-src", "standard library for wasm32"),
    need("wasm-ld-19", "lld-19", "linker for wasm32"),
];

/// Foreign verifiers in Python.
const PYTHON: &[&str] = &[
    "cryptography",
    "securesystemslib",
    "in-toto-attestation",
    "pymerkle",
    "cyclonedx-python-lib[json-validation]",
];

/// Foreign servers and validators in JavaScript.
const NPM: &[&str] = &["@copilotkit/aimock", "@microsoft/sarif-multitool"];

/// What the benches need beside that.
const BENCH: &[Need] = &[need("rg", "ripgrep", "a search to compare with")];

/// Scanners to compare with.
const PYTHON_BENCH: &[&str] = &["detect-secrets", "kingfisher-bin"];

/// Agents to compare with.
const AGENTS: &[&str] = &["@openai/codex", "@anthropic-ai/claude-code", "@mariozechner/pi-coding-agent"];

pub fn run(_arguments: &[String]) -> Result<()> {
    for_tests()
}

/// Everything that `cargo xtask demo` needs.
pub fn for_demo() -> Result<()> {
    packages(&[DEMO])
}

/// Everything that `cargo xtask test` needs.
pub fn for_tests() -> Result<()> {
    let wasm: &[Need] = if crate::wasm::rustup_has_target() { &[] } else { WASM };
    packages(&[DEMO, TEST, wasm])?;
    python("venv", PYTHON)?;
    npm("npm", NPM)
}

/// Everything that `cargo xtask bench` needs: the tools that fwai is compared with, in places of their own.
pub fn for_bench() -> Result<()> {
    packages(&[DEMO, TEST, BENCH])?;
    python("bench-venv", PYTHON_BENCH)?;
    npm("agents", AGENTS)
}

fn packages(lists: &[&[Need]]) -> Result<()> {
    let missing: Vec<&Need> =
        lists.iter().flat_map(|list| list.iter()).filter(|need| !is_there(need.sign)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|need| need.package).collect();
    for need in &missing {
        eprintln!("missing: {} ({})", need.package, need.why);
    }
    if find("apt-get").is_none() {
        bail!(
            "this system has no apt-get; install with its own package manager what Debian calls:\n  {}",
            names.join(" ")
        );
    }
    let root = shell::output(&mut command("id", &["-u"]))?.trim() == "0";
    let install = |arguments: &[&str]| -> Result<()> {
        let mut apt = if root { Command::new("apt-get") } else { Command::new("sudo") };
        if !root {
            if find("sudo").is_none() {
                bail!("run as root: apt-get install {}", names.join(" "));
            }
            apt.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        }
        shell::run(apt.env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
    };
    install(&["update", "-qq"])?;
    install(&[&["install", "-y", "-qq", "--no-install-recommends"], names.as_slice()].concat())
}

fn is_there(sign: &str) -> bool {
    if sign.starts_with('/') { Path::new(sign).exists() } else { find(sign).is_some() }
}

fn python(name: &str, list: &[&str]) -> Result<()> {
    let venv = places::cache().join(name);
    if is_stamped(&venv, list) {
        return Ok(());
    }
    fs::create_dir_all(places::cache())?;
    let venv_text = venv.to_string_lossy().into_owned();
    if !venv.join("bin/pip").exists() {
        let made = shell::run(&mut command("python3", &["-m", "venv", "--clear", &venv_text]));
        if made.is_err() {
            packages(&[&[need("/nonexistent", "python3-venv", "isolated Python packages")]])?;
            shell::run(&mut command("python3", &["-m", "venv", "--clear", &venv_text]))?;
        }
    }
    let pip = venv.join("bin/pip");
    let fixed = ["install", "--quiet", "--disable-pip-version-check"];
    shell::run(Command::new(pip).args(fixed).args(list))?;
    stamp(&venv, list)
}

fn npm(name: &str, list: &[&str]) -> Result<()> {
    let directory = places::cache().join(name);
    if is_stamped(&directory, list) {
        return Ok(());
    }
    fs::create_dir_all(&directory)?;
    let fixed = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--no-save", "--prefix"];
    shell::run(command("npm", &fixed).arg(&directory).args(list))?;
    stamp(&directory, list)
}

/// Installing takes seconds even when nothing is to do; the stamp makes the second run free.
fn is_stamped(directory: &Path, list: &[&str]) -> bool {
    fs::read_to_string(directory.join("fwai-setup")).is_ok_and(|text| text == list.join("\n"))
}

fn stamp(directory: &Path, list: &[&str]) -> Result<()> {
    fs::write(directory.join("fwai-setup"), list.join("\n"))?;
    Ok(())
}
