//! One agent on the server: several starts for the first request, one long session for the rest.

use super::agents::Agent;
use fwai_testkit::model_server::{ModelServer, Recorded, Turn};
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

const STARTS: usize = 7;
const LIMIT: Duration = Duration::from_secs(180);

/// The figures of one agent, or why there are none.
pub fn agent(agent: &Agent, steps: usize) -> Result<Value, String> {
    // Not under /tmp, which some agents' walls replace together with their own files in it.
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let here = here.parent().unwrap_or(Path::new("."));
    let directory = tempfile::tempdir_in(here).map_err(|error| error.to_string())?;
    // The first start of an agent makes its own files; it is not counted.
    session(agent, directory.path(), 0)?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(session(agent, directory.path(), 0)?.first_request);
    }
    let long = session(agent, directory.path(), steps)?;
    let gaps = &long.gaps;
    if gaps.len() != steps || steps < 20 {
        return Err(format!("{} of {steps} steps ran; at least 20 are wanted", gaps.len()));
    }
    let around = |at: usize| median(&gaps[at.saturating_sub(5)..(at + 5).min(gaps.len())]);
    let (tenth, last) = (around(10), around(gaps.len().saturating_sub(6)));
    Ok(json!({
        "start_to_first_request_ms": ms(median(&starts)),
        "between_requests_ms": {
            "median": ms(median(gaps)),
            "least": ms(gaps.iter().min().copied().unwrap_or_default()),
            "10th": ms(tenth),
            "last": ms(last),
            "steps": steps,
        },
        "own_ms": {
            "median": ms(median(&long.own)),
            "least": ms(long.own.iter().min().copied().unwrap_or_default()),
            "with_a_shell": ms(median(&of_lines(&long.own, true))),
            "one_program": ms(median(&of_lines(&long.own, false))),
        },
        "last_over_10th": last.as_secs_f64() / tenth.as_secs_f64(),
        "peak_memory_mb": long.peak_kb as f64 / 1024.0,
        "first_request_bytes": long.first_bytes,
        "all_bytes_sent": long.all_bytes,
    }))
}

struct Session {
    first_request: Duration,
    /// From one request to the next.
    gaps: Vec<Duration>,
    /// The same without what the server itself took, which reads and checks each request.
    own: Vec<Duration>,
    peak_kb: u64,
    first_bytes: usize,
    all_bytes: usize,
}

#[derive(Clone, Copy)]
struct Arrival {
    at: Instant,
    bytes: usize,
    /// When the answer was about to be sent.
    answered: Instant,
}

/// Names of the shell tool, and what its argument is called.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "command"),
    ("Bash", "command"),
    ("exec_command", "cmd"),
    ("shell_command", "command"),
    ("shell", "command"),
];

/// The shell that a request offers; a request without one is a side question (a title, a warm-up).
fn shell(request: &Recorded) -> Option<(&'static str, &'static str)> {
    let tools = request.body["tools"].as_array()?;
    let offered =
        |name: &str| tools.iter().any(|tool| tool["name"] == name || tool["function"]["name"] == name);
    SHELLS.into_iter().find(|(name, _)| offered(name))
}

/// Every other line needs a shell; the rest are one program with its arguments. What is printed differs from
/// what is told, so that only a real run shows it.
fn line(step: usize) -> String {
    if needs_shell(step) { format!("echo step-$(({step}))-ran") } else { format!("echo step-''{step}-ran") }
}

fn needs_shell(step: usize) -> bool {
    step % 2 == 1
}

fn session(agent: &Agent, directory: &Path, steps: usize) -> Result<Session, String> {
    let (project, home) = (directory.join("project"), directory.join("home"));
    fs::create_dir_all(&project)
        .and_then(|()| fs::create_dir_all(&home))
        .map_err(|error| error.to_string())?;
    // A repository of its own, so that no agent looks at what lies above it.
    let made = Command::new("git").args(["init", "-q"]).arg(&project).status();
    made.map_err(|error| format!("git: {error}"))?;
    let arrivals = Arc::new(Mutex::new(Vec::<Arrival>::new()));
    let seen = arrivals.clone();
    let server = ModelServer::answering(move |request| {
        let Some((name, argument)) = shell(request) else { return Turn::text("ok") };
        let mut seen = seen.lock().expect("one thread");
        let body = request.body.to_string();
        if !seen.is_empty() && !body.contains(&format!("step-{}-ran", seen.len())) {
            return Turn::text("the command did not run");
        }
        seen.push(Arrival { at: request.at, bytes: body.len(), answered: request.at });
        let command = line(seen.len());
        let command = if name == "shell" { json!(["bash", "-c", command]) } else { json!(command) };
        let turn = match seen.len() {
            count if count <= steps => Turn::tool(name, json!({ argument: command })),
            _ => Turn::text("done"),
        };
        if let Some(last) = seen.last_mut() {
            last.answered = Instant::now();
        }
        turn
    });
    let complaints = fs::File::create(directory.join("complaints")).map_err(|error| error.to_string())?;
    let mut command = agent.command(&project, &home, server.url());
    command.stderr(Stdio::from(complaints));
    let begin = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let mut peak_kb = 0;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if steps > 0 {
            peak_kb = peak_kb.max(tree_memory(child.id()));
        }
        if begin.elapsed() > LIMIT {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Err(format!("did not end within {LIMIT:?}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let arrivals = arrivals.lock().expect("the agent has ended");
    let Some(Arrival { at: first, bytes: first_bytes, .. }) = arrivals.first().copied() else {
        let complaints = fs::read_to_string(directory.join("complaints")).unwrap_or_default();
        let last = complaints.lines().last().unwrap_or("it said nothing").to_owned();
        return Err(format!("no request with a shell came, of {}: {last}", server.requests().len()));
    };
    Ok(Session {
        first_request: first - begin,
        gaps: arrivals.windows(2).map(|pair| pair[1].at - pair[0].at).collect(),
        own: arrivals.windows(2).map(|pair| pair[1].at - pair[0].answered).collect(),
        peak_kb,
        first_bytes,
        all_bytes: arrivals.iter().map(|arrival| arrival.bytes).sum(),
    })
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

/// Of the lines that need a shell, or of the others. The time after the first answer is that of the first line.
fn of_lines(times: &[Duration], with_shell: bool) -> Vec<Duration> {
    let steps = times.iter().enumerate().filter(|(index, _)| needs_shell(index + 1) == with_shell);
    steps.map(|(_, time)| *time).collect()
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
