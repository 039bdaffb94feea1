//! `cargo xtask picture`: draws docs/pictures/repl.svg anew, from the real program on a virtual board.

use crate::{
    setup,
    shell::{self, command},
};
use anyhow::Result;

pub fn run(_arguments: &[String]) -> Result<()> {
    setup::for_demo()?;
    shell::run(&mut command("cargo", &["build", "--package", "fwai-cli", "--quiet"]))?;
    let example =
        ["run", "--quiet", "--package", "fwai-testkit", "--example", "picture", "docs/pictures/repl.svg"];
    shell::run(&mut command("cargo", &example))
}
