//! `cargo xtask bench`: measures the numbers of the design with the release binary.
//!
//! Figures are medians of many runs, each beside a measure of the machine itself (an empty process), since
//! machines differ and are noisy.

use crate::{
    places,
    shell::{self, command},
};
use anyhow::{Context, Result};
use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

pub fn run(_arguments: &[String]) -> Result<()> {
    shell::run(&mut command("cargo", &["build", "--release", "--package", "fwai-cli"]))?;
    let program = places::target().join("release/fwai");
    let size = std::fs::metadata(&program)?.len();
    println!("| what | figure | goal |\n|---|---|---|");
    println!("| release binary | {:.1} MB | ≤ 25 MB |", size as f64 / 1e6);
    let empty = median(Path::new("/bin/true"), &[])?;
    println!("| an empty process on this machine | {} | |", shown(empty));
    for (arguments, goal) in
        [(&["--version"][..], "≤ 10 ms"), (&["config", "show"], "≤ 20 ms"), (&["--help"], "")]
    {
        let took = median(&program, arguments)?;
        println!("| `fwai {}` | {} | {goal} |", arguments.join(" "), shown(took));
    }
    println!("\nModel traffic, one object a line:");
    let example =
        ["run", "--quiet", "--profile", "quick", "--package", "fwai-llm", "--example", "bench_decode"];
    shell::run(&mut command("cargo", &example))
}

fn median(program: &Path, arguments: &[&str]) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..51 {
        let begin = Instant::now();
        Command::new(program)
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("cannot start {}", program.display()))?;
        times.push(begin.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
