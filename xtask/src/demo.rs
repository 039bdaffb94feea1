//! `cargo xtask demo`: from a bare machine to the main job, shown on a virtual board.

use crate::{
    places, setup,
    shell::{self, command},
};
use anyhow::Result;
use std::process::Command;

pub fn run(arguments: &[String]) -> Result<()> {
    setup::for_demo()?;
    shell::run(&mut command("cargo", &["build", "--profile", "quick", "--package", "fwai-cli", "--quiet"]))?;
    let program = places::target().join("quick/fwai");
    shell::run(Command::new(program).arg("demo").args(arguments))
}
