//! Figures of the log as one JSON object: append at 10³ and at 10⁶ leaves, length and time of a proof, and the
//! full verification of 10⁵ signed statements. `cargo run --profile quick --example evidence_bench`; with the
//! argument `verify` only the last.

use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};

use fwai_evidence::{
    log::Log,
    merkle::{inclusion_proof, leaf_hash, verify_inclusion},
    runs::{RunOptions, RunStore, ToolRecord},
    signer::Signer,
    statement::{RUN_PREDICATE, Statement, Subject},
    trust::Trust,
    verify::check_log,
};
use fwai_schema::evidence::RunStatus;
use serde_json::{Map, Value, json};

const SMALL: u64 = 1_000;
const LARGE: u64 = 1_000_000;
const VERIFIED: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let only_verify = std::env::args().nth(1).is_some_and(|argument| argument == "verify");
    let scratch = tempfile::tempdir()?;
    let signer = Signer::from_seed(&[1; 32]);
    let mut figures = Map::new();
    if !only_verify {
        measure_append(scratch.path(), &signer, &mut figures)?;
        figures.insert("whole_run_us".to_owned(), json!(micros(whole_run(scratch.path())?)));
    }
    measure_verification(scratch.path(), &signer, &mut figures)?;
    println!("{}", serde_json::to_string_pretty(&figures)?);
    Ok(())
}

fn measure_append(
    scratch: &Path,
    signer: &Signer,
    figures: &mut Map<String, Value>,
) -> Result<(), Box<dyn Error>> {
    let (small, large) = (scratch.join("small"), scratch.join("large"));
    let entry = statement("20260101-000000-bench", signer);
    fill(&small, SMALL, &entry, signer)?;
    fill(&large, LARGE, &entry, signer)?;
    // In turns, so that a noisy machine disturbs both alike.
    let (mut at_small, mut at_large) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        at_small.push(timed(|| Log::at(&small).append(&[&entry], signer))?);
        at_large.push(timed(|| Log::at(&large).append(&[&entry], signer))?);
    }
    let (at_small, at_large) = (median(at_small), median(at_large));

    let log = Log::at(&large).snapshot()?.ok_or("the log was just written")?;
    let middle = log.size() / 3;
    let begin = Instant::now();
    let proof = inclusion_proof(&log, middle, log.size())?;
    let prove = begin.elapsed();
    let leaf = leaf_hash(&log.entry(middle)?);
    verify_inclusion(&leaf, middle, log.size(), &proof, &log.signed.checkpoint.root)?;
    for (name, value) in [
        ("append_at_1e3_us", json!(micros(at_small))),
        ("append_at_1e6_us", json!(micros(at_large))),
        ("append_ratio", json!(at_large.as_secs_f64() / at_small.as_secs_f64())),
        ("proof_hashes_at_1e6", json!(proof.len())),
        ("proof_us_at_1e6", json!(micros(prove))),
        ("entry_bytes", json!(entry.len())),
    ] {
        figures.insert(name.to_owned(), value);
    }
    Ok(())
}

fn measure_verification(
    scratch: &Path,
    signer: &Signer,
    figures: &mut Map<String, Value>,
) -> Result<(), Box<dyn Error>> {
    let verified = scratch.join("verified");
    let entries: Vec<Vec<u8>> =
        (0..VERIFIED).map(|number| statement(&format!("20260101-000000-run{number}"), signer)).collect();
    Log::at(&verified).append(&entries, signer)?;
    let log = Log::at(&verified).snapshot()?.ok_or("the log was just written")?;
    let trust = Trust::new([signer.public_key()]);
    let mut times = Vec::new();
    let cpu_before = cpu_time();
    for _ in 0..5 {
        let begin = Instant::now();
        let checked = check_log(&log, &trust);
        times.push(begin.elapsed());
        assert!(checked.problems.is_empty() && checked.leaves.len() as u64 == VERIFIED);
    }
    let cpu = micros((cpu_time() - cpu_before) / 5) / 1000.0;
    let threads = std::thread::available_parallelism()?.get();
    for (name, value) in [
        ("verify_1e5_leaves_ms", json!(micros(median(times)) / 1000.0)),
        ("verify_1e5_cpu_ms_per_thread", json!(cpu / threads as f64)),
        ("verify_threads", json!(threads)),
    ] {
        figures.insert(name.to_owned(), value);
    }
    Ok(())
}

/// A statement as a small build leaves it.
fn statement(run_id: &str, signer: &Signer) -> Vec<u8> {
    let subject = ["evidence.json", "journal.jsonl", "build.log"]
        .map(|name| Subject::new(format!(".fwai/runs/{run_id}/{name}"), "0".repeat(64)));
    let evidence = json!({"run_id": run_id, "skill": "build", "status": "success", "tools": [{
        "tool": "build", "command": "cmake --build build", "exit_code": 0, "duration_ms": 2100,
        "log_file": "build.log", "status": "success"}]});
    let predicate = json!({"run_id": run_id, "evidence": evidence});
    Statement::new(RUN_PREDICATE, subject.to_vec(), predicate).seal(&[signer]).to_bytes()
}

fn fill(directory: &Path, count: u64, entry: &[u8], signer: &Signer) -> Result<(), Box<dyn Error>> {
    let mut left = count;
    while left > 0 {
        let now = left.min(65_536);
        Log::at(directory).append(&vec![entry; now as usize], signer)?;
        left -= now;
    }
    Ok(())
}

/// From `create_run` to `end`, with one tool and its log.
fn whole_run(scratch: &Path) -> Result<Duration, Box<dyn Error>> {
    let root = scratch.join("project");
    std::fs::create_dir(&root)?;
    let store = RunStore::open(&root, RunOptions::new(scratch.join("home")))?;
    let mut times = Vec::new();
    for _ in 0..50 {
        let begin = Instant::now();
        let mut run = store.create_run("bench")?;
        run.begin("bench")?;
        run.add_tool(ToolRecord::new("build", "make", Some(0)), Some(b"done\n"))?;
        run.end(RunStatus::Success)?;
        times.push(begin.elapsed());
    }
    Ok(median(times))
}

/// Processor time of this process so far; what a busy machine cannot stretch.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<i64> =
        stat.rsplit(')').next().unwrap_or_default().split(' ').filter_map(|f| f.parse().ok()).collect();
    // After the name: state, then 10 numbers, then user and system time in hundredths of a second.
    let ticks = fields.get(10).unwrap_or(&0) + fields.get(11).unwrap_or(&0);
    Duration::from_millis(10 * ticks.unsigned_abs())
}

fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration, E> {
    let begin = Instant::now();
    work()?;
    Ok(begin.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}
