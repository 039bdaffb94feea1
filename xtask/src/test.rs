//! `cargo xtask test`: the whole suite, in the order in which a mistake is cheapest to hear of.

use crate::{
    codegen, places, setup,
    shell::{self, command, find},
    tidy, wasm,
};
use anyhow::Result;
use std::time::Instant;

pub fn run(arguments: &[String]) -> Result<()> {
    let fast = arguments.iter().any(|argument| argument == "--fast");
    let start = Instant::now();
    let step = |name: &str, work: &mut dyn FnMut() -> Result<()>| -> Result<()> {
        let begin = Instant::now();
        eprintln!("== {name}");
        work()?;
        eprintln!("== {name}: {:.1} s", begin.elapsed().as_secs_f32());
        Ok(())
    };
    if !fast {
        step("setup", &mut setup::for_tests)?;
    }
    step("format", &mut || shell::run(&mut command("cargo", &["fmt", "--all", "--check"])))?;
    step("tidy", &mut || tidy::run(&[]))?;
    step("codegen", &mut || codegen::run(&["--check".to_owned()]))?;
    step("lints", &mut || {
        shell::run(&mut command(
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
        ))
    })?;
    step("tests", &mut rust_tests)?;
    if !fast {
        step("browser", &mut || wasm::run(&[]))?;
    }
    eprintln!("== everything: {:.1} s", start.elapsed().as_secs_f32());
    Ok(())
}

/// With nextest where it is installed, which runs every test in a process of its own.
fn rust_tests() -> Result<()> {
    let nextest = find("cargo-nextest").is_some()
        || std::env::home_dir().is_some_and(|home| home.join(".cargo/bin/cargo-nextest").exists());
    let arguments: &[&str] = if nextest {
        &["nextest", "run", "--workspace", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--quiet", "--no-fail-fast"]
    };
    shell::run(command("cargo", arguments).env("FWAI_DEV_CACHE", places::cache()))
}
