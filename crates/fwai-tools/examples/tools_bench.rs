//! Measures what the file tools cost, as JSON on standard output: `grep` beside ripgrep on a 1 GB tree,
//! `edit_file` on a 5 MB file, and snapshots of a 20,000-file tree (the first one and those that follow).
//!
//! `tools_bench [MEGABYTES [FILES]]`. Everything is made in a temporary directory and removed.

#[path = "../tests/plain_tools/mod.rs"]
mod plain_tools;

use fwai_agent::{outcome::ToolOutcome, registry::Registry};
use fwai_schema::config::Config;
use fwai_tools::snapshots::Snapshots;
use plain_tools::{context, tools_of};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command, time::Instant};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible<()> {
    let number = |index: usize, otherwise: usize| {
        std::env::args().nth(index).map_or(Ok(otherwise), |text| text.parse())
    };
    let (megabytes, files) = (number(1, 1024)?, number(2, 20_000)?);
    let result = json!({
        "grep": grep(megabytes)?,
        "edit_file": edit()?,
        "undo": undo(files, false)?,
        "undo_in_repository": undo(files, true)?,
    });
    println!("{result}");
    Ok(())
}

fn call(
    runtime: &tokio::runtime::Runtime,
    registry: &Registry,
    root: &Path,
    tool: &str,
    arguments: Value,
) -> Fallible<ToolOutcome> {
    let tool = registry.get(tool).ok_or("no such tool")?;
    runtime.block_on(tool.run(arguments, context(root))).map_err(|error| error.what.into())
}

/// Both search the same files for the same rare word, in turns, so that load hits both alike.
fn grep(megabytes: usize) -> Fallible<Value> {
    let directory = tempfile::tempdir()?;
    let root = directory.path();
    let line =
        "static const uint32_t register_offset = 0x40021000; /* clock control, see reference manual */\n";
    let text = line.repeat(256 * 1024 / line.len());
    for index in 0..megabytes * 4 {
        let folder = root.join(format!("module{}", index / 64));
        fs::create_dir_all(&folder)?;
        let marked = if index % 100 == 0 { format!("{text}int needle_in_haystack;\n") } else { text.clone() };
        fs::write(folder.join(format!("file{index}.c")), marked)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let registry = tools_of(root, Config::default());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let rounds = 7;
    for _ in 0..rounds {
        let begin = Instant::now();
        let outcome = call(&runtime, &registry, root, "grep", json!({"pattern": "needle_\\w+"}))?;
        ours.push(begin.elapsed().as_secs_f64() * 1e3);
        let found = outcome.text().lines().filter(|line| line.contains("needle_in_haystack")).count();
        let begin = Instant::now();
        let output =
            Command::new("rg").args(["-n", "--no-heading", "needle_\\w+", "."]).current_dir(root).output()?;
        theirs.push(begin.elapsed().as_secs_f64() * 1e3);
        let expected = String::from_utf8_lossy(&output.stdout).lines().count();
        if found != expected {
            return Err(format!("grep found {found} lines, ripgrep {expected}").into());
        }
    }
    let (ours, theirs) = (Figures::of(ours), Figures::of(theirs));
    Ok(json!({
        "megabytes": megabytes,
        "fwai_ms": ours.json(),
        "ripgrep_ms": theirs.json(),
        "ratio_of_medians": ours.median / theirs.median,
        "ratio_of_minima": ours.least / theirs.least,
        "goal_ratio": 1.2,
    }))
}

fn edit() -> Fallible<Value> {
    let directory = tempfile::tempdir()?;
    let root = directory.path();
    let line = "    { 0x20, 0x4002, \"a row of a large generated table\" },\n";
    let mut text = line.repeat(5 * 1024 * 1024 / line.len());
    text.insert_str(text.len() / 2, "\nint value_0;\n");
    fs::write(root.join("table.c"), &text)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let registry = tools_of(root, Config::default());
    let mut times = Vec::new();
    for round in 0..21 {
        let arguments = json!({
            "path": "table.c",
            "edits": [{"old": format!("int value_{round};"), "new": format!("int value_{};", round + 1)}],
        });
        let begin = Instant::now();
        let outcome = call(&runtime, &registry, root, "edit_file", arguments)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        if !outcome.success {
            return Err(outcome.text().into());
        }
    }
    let mut figures = Figures::of(times).json();
    figures["goal"] = json!(20.0);
    Ok(figures)
}

fn undo(files: usize, in_repository: bool) -> Fallible<Value> {
    let directory = tempfile::tempdir()?;
    let root = directory.path();
    for index in 0..files {
        let folder = root.join(format!("src/module{}", index / 20));
        if index % 20 == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(
            folder.join(format!("file{index}.c")),
            format!("int value_{index} = {index};\n").repeat(40),
        )?;
    }
    if in_repository {
        for arguments in [&["init", "-q"][..], &["add", "."]] {
            Command::new("git").args(arguments).current_dir(root).status()?;
        }
    }
    let timed = |work: &mut dyn FnMut() -> Fallible<()>| -> Fallible<f64> {
        let begin = Instant::now();
        work()?;
        Ok(begin.elapsed().as_secs_f64() * 1e3)
    };
    // Files must be settled, as those of a project are.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let mut first = Vec::new();
    let mut opened = None;
    for _ in 0..9 {
        drop(opened.take());
        let _ = fs::remove_dir_all(root.join(".fwai"));
        first.push(timed(&mut || {
            let snapshots = Snapshots::open(root)?;
            snapshots.take()?;
            opened = Some(snapshots);
            Ok(())
        })?);
    }
    let snapshots = opened.ok_or("not taken")?;
    let (mut unchanged, mut changed) = (Vec::new(), Vec::new());
    for round in 0..15 {
        unchanged.push(timed(&mut || Ok(snapshots.take().map(drop)?))?);
        fs::write(root.join("src/module7/file140.c"), format!("int changed = {round};\n"))?;
        changed.push(timed(&mut || Ok(snapshots.take().map(drop)?))?);
    }
    drop(snapshots);
    let again = timed(&mut || Ok(Snapshots::open(root)?.take().map(drop)?))?;
    Ok(json!({
        "files": files,
        "first_ms": Figures::of(first).json(),
        "next_session_ms": again,
        "unchanged_ms": Figures::of(unchanged).json(),
        "one_file_changed_ms": Figures::of(changed).json(),
        "goal_ms": 150.0,
    }))
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

    fn json(&self) -> Value {
        json!({"min": self.least, "median": self.median, "p90": self.p90})
    }
}
