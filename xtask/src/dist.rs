//! `cargo xtask dist`: the release archive with program, completions, manual pages and checksums.

use crate::{
    places,
    shell::{self, command},
};
use anyhow::{Result, bail};
use std::{fs, process::Command};

/// The release binary stays below this.
const MAX_BYTES: u64 = 25 * 1000 * 1000;

pub fn run(_arguments: &[String]) -> Result<()> {
    shell::run(&mut command("cargo", &["build", "--release", "--package", "fwai-cli"]))?;
    let program = places::target().join("release/fwai");
    let size = fs::metadata(&program)?.len();
    eprintln!("fwai: {:.1} MB", size as f64 / 1e6);
    if size > MAX_BYTES {
        bail!("the release binary is {size} bytes, over the limit of {MAX_BYTES}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let host = shell::output(&mut command("rustc", &["--print", "host-tuple"]))?;
    let name = format!("fwai-{version}-{}", host.trim());
    let dist = places::root().join("dist");
    let stage = dist.join(&name);
    let _ = fs::remove_dir_all(&stage);
    fs::create_dir_all(stage.join("completions"))?;
    fs::copy(&program, stage.join("fwai"))?;
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        fs::copy(places::root().join(file), stage.join(file))?;
    }
    for shell_name in ["bash", "zsh", "fish"] {
        let script = shell::output(Command::new(&program).args(["completions", shell_name]))?;
        fs::write(stage.join("completions").join(format!("fwai.{shell_name}")), script)?;
    }
    shell::run(Command::new(&program).arg("man").arg(stage.join("man")))?;
    let archive = format!("{name}.tar.gz");
    let reproducible = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
    shell::run(Command::new("tar").current_dir(&dist).args(reproducible).args(["-czf", &archive, &name]))?;
    let sums = shell::output(Command::new("sha256sum").current_dir(&dist).arg(&archive))?;
    fs::write(dist.join(format!("{archive}.sha256")), sums)?;
    eprintln!("dist/{archive}");
    Ok(())
}
