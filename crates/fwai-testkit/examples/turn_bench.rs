//! Measures the real program against a scripted model on loopback: start to first request, time between an
//! answer and the next request with a shell tool in between, memory, and bytes of the first request.
//!
//! `turn_bench PROGRAM [STEPS]` prints one JSON object. Times between requests include the server's own
//! answer, so that they are upper bounds of fwai's own time.

use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().expect("turn_bench PROGRAM [STEPS]");
    let steps: usize = arguments.next().map_or(210, |text| text.parse().expect("a number of steps"));
    let directory = tempfile::tempdir().expect("a temporary directory");

    let starts: Vec<Duration> = (0..15).map(|_| first_request(&program, directory.path())).collect();
    let (gaps, memory_kb, first_bytes) = session(&program, directory.path(), steps);
    let around = |at: usize| median(&gaps[at.saturating_sub(5)..(at + 5).min(gaps.len())]);
    let (tenth, last) = (around(10), around(gaps.len().saturating_sub(6)));
    println!(
        "{}",
        json!({
            "start_to_first_request_ms": ms(median(&starts)),
            "between_requests_ms": {"median": ms(median(&gaps)), "10th": ms(tenth), "last": ms(last), "steps": gaps.len()},
            "last_over_10th": last.as_secs_f64() / tenth.as_secs_f64(),
            "peak_memory_mb": memory_kb as f64 / 1024.0,
            "first_request_bytes": first_bytes,
        })
    );
}

fn fwai(program: &str, directory: &Path, server: &ModelServer) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(directory)
        .args(["exec", "--json", "--mode", "auto", "--max-turns", "10000", "go"])
        .env("FWAI_HOME", directory.join("user"))
        .env("FWAI_PROVIDER", "anthropic")
        .env("FWAI_BASE_URL", server.url())
        .env("ANTHROPIC_API_KEY", ["sk", "bench", "0123456789"].join("-"))
        .env_remove("CI")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn first_request(program: &str, directory: &Path) -> Duration {
    let arrived = Arc::new(Mutex::new(None));
    let seen = arrived.clone();
    let server = ModelServer::answering(move |_| {
        seen.lock().expect("one thread").get_or_insert_with(Instant::now);
        Turn::text("done")
    });
    let begin = Instant::now();
    fwai(program, directory, &server).status().expect("the program starts");
    let arrived = arrived.lock().expect("the server has ended").expect("a request came");
    arrived - begin
}

/// Gaps between requests, the peak of resident memory, and the size of the first request.
fn session(program: &str, directory: &Path, steps: usize) -> (Vec<Duration>, u64, usize) {
    let arrivals = Arc::new(Mutex::new(Vec::new()));
    let seen = arrivals.clone();
    let server = ModelServer::answering(move |_| {
        let mut seen = seen.lock().expect("one thread");
        seen.push(Instant::now());
        match seen.len() {
            count if count <= steps => Turn::tool("bash", json!({"command": format!("echo {count}")})),
            _ => Turn::text("done"),
        }
    });
    let mut child = fwai(program, directory, &server).spawn().expect("the program starts");
    let mut peak = 0;
    while child.try_wait().expect("our own child").is_none() {
        peak = peak.max(tree_memory(child.id()));
        std::thread::sleep(Duration::from_millis(20));
    }
    let first = server.requests().first().map_or(0, |request| request.body.to_string().len());
    let arrivals = arrivals.lock().expect("the server has ended");
    (arrivals.windows(2).map(|pair| pair[1] - pair[0]).collect(), peak, first)
}

/// Resident kilobytes of a process and its children.
fn tree_memory(root: u32) -> u64 {
    let mut sum = 0;
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        sum += resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0);
        for task in fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            open.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
    }
    sum
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
