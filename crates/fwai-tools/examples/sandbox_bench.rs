//! Measures what the walls cost: a sandboxed `true` against a bare spawn, as JSON on standard output.

use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::{Sandbox, SandboxCommand, SandboxSpec, Stdio};
use std::{process, time::Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    // Memory like that of a long session, since a fork copies page tables.
    let ballast_mb: usize = std::env::args().nth(2).map_or(Ok(32), |text| text.parse())?;
    let ballast: Vec<u8> = (0..ballast_mb * 1024 * 1024).map(|index| index as u8).collect();
    let project = tempfile::tempdir()?;
    std::fs::create_dir_all(project.path().join(".git/hooks"))?;
    std::fs::create_dir_all(project.path().join(".fwai"))?;
    let sandbox = Sandbox::new(SandboxWalls::Required)?;
    let spec = SandboxSpec::new(project.path());
    let bare = measure(rounds, || {
        let status = process::Command::new("/bin/true").stdin(process::Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err("true failed".into()) }
    })?;
    let walled = measure(rounds, || {
        let command = SandboxCommand::new("/bin/true").stdout(Stdio::Null).stderr(Stdio::Null);
        let status = sandbox.spawn(&spec, command)?.wait_blocking()?;
        if status.success() { Ok(()) } else { Err("true failed".into()) }
    })?;
    println!(
        "{}",
        serde_json::json!({
            "rounds": rounds,
            "ballast_mb": ballast.len() >> 20,
            "bare_ms": { "median": bare.0, "p90": bare.1 },
            "sandboxed_ms": { "median": walled.0, "p90": walled.1 },
            "cost_ms": walled.0 - bare.0,
            "goal_ms": 3.0,
        })
    );
    Ok(())
}

/// Median and 90th percentile in milliseconds.
fn measure(
    rounds: usize,
    mut run: impl FnMut() -> Result<(), Box<dyn std::error::Error>>,
) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], times[times.len() * 9 / 10]))
}
