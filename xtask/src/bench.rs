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
    println!("\nThe engines, one object each:");
    let cache = places::cache().join("bench");
    std::fs::create_dir_all(&cache)?;
    let (program, cache) = (program.display().to_string(), cache.display().to_string());
    for (package, example, arguments) in [
        ("fwai-testkit", "turn_bench", vec![program.as_str()]),
        ("fwai-llm", "bench_decode", vec![]),
        ("fwai-app", "session_bench", vec![]),
        ("fwai-tools", "sandbox_bench", vec![]),
        ("fwai-policy", "secret_scan_speed", vec![]),
        ("fwai-firmware", "bench_firmware", vec![cache.as_str()]),
        ("fwai-evidence", "evidence_bench", vec![]),
    ] {
        println!("\n{package}, {example}:");
        let fixed =
            ["run", "--quiet", "--profile", "quick", "--package", package, "--example", example, "--"];
        shell::run(command("cargo", &fixed).args(arguments))?;
    }
    Ok(())
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
