//! `cargo xtask bench`: measures the numbers of the design with the release binary.
//!
//! Figures are medians of many runs, each beside a measure of the machine itself (an empty process), since
//! machines differ and are noisy.

use crate::{
    places, setup,
    shell::{self, command},
};
use anyhow::{Context, Result};
use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Crate and example of each bench, and what it is told. `FWAI`, `CACHE`, `AGENTS` and `BENCH_BIN` stand for
/// the release binary and directories that setup fills.
const ENGINES: &[(&str, &str, &[&str])] = &[
    ("fwai-testkit", "agents_bench", &["FWAI", "--agents", "AGENTS"]),
    ("fwai-llm", "bench_decode", &[]),
    ("fwai-app", "session_bench", &[]),
    ("fwai-app", "secret_scan_table", &["BENCH_BIN"]),
    ("fwai-tools", "sandbox_bench", &[]),
    ("fwai-tools", "tools_bench", &[]),
    ("fwai-policy", "secret_scan_speed", &[]),
    ("fwai-firmware", "bench_firmware", &["CACHE"]),
    ("fwai-firmware", "board_bench", &["FWAI"]),
    ("fwai-evidence", "evidence_bench", &[]),
];

/// `cargo xtask bench [NAME …]`: all of them, or those whose names contain one of these words.
pub fn run(arguments: &[String]) -> Result<()> {
    let wanted =
        |name: &str| arguments.is_empty() || arguments.iter().any(|word| name.contains(word.as_str()));
    if !ENGINES.iter().any(|(_, name, _)| wanted(name)) && !wanted("start") {
        let names: Vec<&str> = ENGINES.iter().map(|(_, name, _)| *name).collect();
        anyhow::bail!("no bench has such a name; there are: start {}", names.join(" "));
    }
    setup::for_bench()?;
    shell::run(&mut command("cargo", &["build", "--release", "--package", "fwai-cli"]))?;
    let program = places::target().join("release/fwai");
    if wanted("start") {
        start(&program)?;
    }
    let cache = places::cache().join("bench");
    std::fs::create_dir_all(&cache)?;
    for (package, example, words) in ENGINES.iter().filter(|(_, name, _)| wanted(name)) {
        println!("\n{package}, {example}:");
        let told = words.iter().map(|word| match *word {
            "FWAI" => program.clone(),
            "CACHE" => cache.clone(),
            "AGENTS" => places::cache().join("agents"),
            "BENCH_BIN" => places::cache().join("bench-venv/bin"),
            other => other.into(),
        });
        let fixed =
            ["run", "--quiet", "--profile", "quick", "--package", package, "--example", example, "--"];
        shell::run(command("cargo", &fixed).args(told))?;
    }
    Ok(())
}

/// What a person waits for before anything happens.
fn start(program: &Path) -> Result<()> {
    let size = std::fs::metadata(program)?.len();
    println!("| what | figure | goal |\n|---|---|---|");
    println!("| release binary | {:.1} MB | ≤ 25 MB |", size as f64 / 1e6);
    let empty = median(Path::new("/bin/true"), &[])?;
    println!("| an empty process on this machine | {} | |", shown(empty));
    for (arguments, goal) in
        [(&["--version"][..], "≤ 10 ms"), (&["config", "show"], "≤ 20 ms"), (&["--help"], "")]
    {
        let took = median(program, arguments)?;
        println!("| `fwai {}` | {} | {goal} |", arguments.join(" "), shown(took));
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
