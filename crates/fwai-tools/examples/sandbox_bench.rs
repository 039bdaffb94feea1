//! Measures what the walls cost: a sandboxed `true` against a bare spawn, as JSON on standard output; once as
//! in a session, where one sandbox is kept ready, and once made for a single command.

use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::{Sandbox, SandboxCommand, SandboxSpec, Stdio, ready};
use std::{process, time::Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if ready::serve_as_keeper() {
        return Ok(());
    }
    let rounds: usize = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    // Memory like that of a long session, since a fork copies page tables.
    let ballast_mb: usize = std::env::args().nth(2).map_or(Ok(32), |text| text.parse())?;
    let ballast: Vec<u8> = (0..ballast_mb * 1024 * 1024).map(|index| index as u8).collect();
    let project = tempfile::tempdir()?;
    std::fs::create_dir_all(project.path().join(".git/hooks"))?;
    std::fs::create_dir_all(project.path().join(".fwai"))?;
    let single = Sandbox::new(SandboxWalls::Required)?;
    let sandbox = Sandbox::new(SandboxWalls::Required)?;
    sandbox.keep_ready();
    let spec = SandboxSpec::new(project.path());
    let reading = SandboxSpec { only_reads: true, ..spec.clone() };
    let walled = |sandbox: &Sandbox, spec: &SandboxSpec| -> Fallible<()> {
        let command = SandboxCommand::new("/bin/true").stdout(Stdio::Null).stderr(Stdio::Null);
        match sandbox.spawn(spec, command)?.wait_blocking()?.success() {
            true => Ok(()),
            false => Err("true failed".into()),
        }
    };
    let bare = || -> Fallible<()> {
        match process::Command::new("/bin/true").stdin(process::Stdio::null()).status()?.success() {
            true => Ok(()),
            false => Err("true failed".into()),
        }
    };
    // In turns, so that whatever else the machine does hits all of them alike.
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        times[0].push(timed(bare)?);
        times[1].push(timed(|| walled(&sandbox, &spec))?);
        times[2].push(timed(|| walled(&sandbox, &reading))?);
        times[3].push(timed(|| walled(&single, &spec))?);
    }
    let [bare, walled, reading, single] = times.map(Figures::of);
    println!(
        "{}",
        serde_json::json!({
            "rounds": rounds,
            "ballast_mb": ballast.len() >> 20,
            "bare_ms": bare.json(),
            "sandboxed_ms": walled.json(),
            "sandboxed_only_reads_ms": reading.json(),
            "sandboxed_single_ms": single.json(),
            "cost_ms": walled.median - bare.median,
            "cost_of_minima_ms": walled.least - bare.least,
            "cost_only_reads_ms": reading.median - bare.median,
            "cost_single_ms": single.median - bare.median,
            "goal_ms": 3.0,
        })
    );
    Ok(())
}

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Milliseconds.
fn timed(run: impl FnOnce() -> Fallible<()>) -> Fallible<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}

struct Figures {
    least: f64,
    median: f64,
    p90: f64,
}

impl Figures {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { least: times[0], median: times[times.len() / 2], p90: times[times.len() * 9 / 10] }
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({"min": self.least, "median": self.median, "p90": self.p90})
    }
}
