//! The crash matrix: a writer is killed, or told of an I/O error, at every single file system call; then an
//! ordinary writer comes by. Whatever was acknowledged must be there, and everything must verify, without a
//! manual step. `strace` injects the faults into a real process: this program, started again as the writer.

mod scene;

use std::{
    collections::BTreeMap,
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use fwai_evidence::{
    log::Log,
    runs::{RunOptions, RunStore, ToolRecord, load_evidence},
    signer::Signer,
    verify::{Verification, verify_all},
};
use fwai_schema::evidence::RunStatus;
use scene::copy_tree;

/// What one process of the matrix writes.
#[derive(Clone, Copy, PartialEq)]
enum Job {
    /// A run, from `create_run` to `end`.
    Run,
    /// One leaf at the place where a tile becomes full.
    Leaf,
}

const WRITER: &str = "FWAI_CRASH_WRITER";
const CALLS: &str = "openat,read,pread64,write,pwrite64,statx,fstat,newfstatat,stat,lstat,lseek,getdents64,fsync,\
fdatasync,rename,renameat,renameat2,link,linkat,mkdir,mkdirat,unlink,unlinkat,rmdir,ftruncate,flock,close";

/// Calls that change what is on the disk, or wait for it.
const CHANGING: [&str; 16] = [
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "unlink",
    "unlinkat",
    "rmdir",
    "ftruncate",
];

fn main() -> ExitCode {
    // What test runners ask before they run anything.
    if env::args().any(|argument| argument == "--list") {
        if env::args().all(|argument| argument != "--ignored") {
            println!("crash_matrix: test");
        }
        return ExitCode::SUCCESS;
    }
    if let Ok(job) = env::var(WRITER) {
        let place = PathBuf::from(env::args().nth(1).expect("the writer is told where to write"));
        let times = env::args().nth(2).map_or(1, |count| count.parse().expect("a number of runs"));
        let work = || if job == "run" { write_run(&place) } else { write_leaf(&place) };
        return (0..times)
            .map(|_| work())
            .find(|code| *code != ExitCode::SUCCESS)
            .unwrap_or(ExitCode::SUCCESS);
    }
    ten_writers();
    let mut cases = 0;
    for (name, job, prepare) in [
        ("a first run", Job::Run, (|_: &Path| {}) as fn(&Path)),
        ("a further run", Job::Run, |place| assert!(write_run(place) == ExitCode::SUCCESS)),
        ("the leaf that fills a tile", Job::Leaf, |place| fill_log(place, 255)),
        ("the first leaf of a tile", Job::Leaf, |place| fill_log(place, 256)),
    ] {
        let done = matrix(name, job, prepare);
        println!("{name}: {done} faults, nothing lost");
        cases += done;
    }
    assert!(cases > 400, "only {cases} faults were tried");
    ExitCode::SUCCESS
}

/// Ten processes at once, each with its own runs: nothing is lost and the log is one.
fn ten_writers() {
    let scratch = tempfile::tempdir().unwrap();
    let writers: Vec<_> = (0..10)
        .map(|_| {
            let mut writer = Command::new(env::current_exe().unwrap());
            writer.arg(scratch.path()).arg("8").env(WRITER, "run").stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut acked = std::collections::BTreeSet::new();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        acked.extend(said.lines().filter_map(|line| line.strip_prefix("acked ")).map(str::to_owned));
    }
    let what = Verification::new(&scratch.path().join("project"), &scratch.path().join("home"), &[]).unwrap();
    let report = verify_all(&what);
    assert!(report.ok, "{report:#?}");
    assert_eq!((acked.len(), report.runs, report.log.unwrap().size), (80, 80, 80));
    println!("ten processes at once: 80 runs, one log");
}

fn store(place: &Path) -> RunStore {
    RunStore::open(place.join("project"), RunOptions::new(place.join("home"))).unwrap()
}

fn signer() -> Signer {
    Signer::from_seed(&[5; 32])
}

fn write_run(place: &Path) -> ExitCode {
    let written = || -> Result<String, Box<dyn std::error::Error>> {
        fs::create_dir_all(place.join("project"))?;
        let mut run = store(place).create_run("crash")?;
        run.begin("crash")?;
        say("began", run.id())?;
        run.begin_tool("make", "make all")?;
        run.add_tool(ToolRecord::new("make", "make all", Some(0)), Some(b"output\n"))?;
        Ok(run.end(RunStatus::Success)?.run_id)
    };
    match written() {
        Ok(id) if say("acked", &id).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn write_leaf(place: &Path) -> ExitCode {
    match Log::at(place.join("log")).append(&[b"the new leaf"], &signer()) {
        Ok(appended) if say("acked", &appended.first.to_string()).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn fill_log(place: &Path, count: u32) {
    let entries: Vec<[u8; 4]> = (0..count).map(u32::to_be_bytes).collect();
    Log::at(place.join("log")).append(&entries, &signer()).unwrap();
}

fn say(what: &str, id: &str) -> std::io::Result<()> {
    if env::var_os(WRITER).is_none() {
        return Ok(());
    }
    std::io::stdout().write_all(format!("{what} {id}\n").as_bytes())
}

/// Tries every fault at every call of `job` in the state that `prepare` makes; returns how many.
fn matrix(name: &str, job: Job, prepare: fn(&Path)) -> usize {
    let scratch = tempfile::tempdir().unwrap();
    let base = scratch.path().join("base");
    fs::create_dir(&base).unwrap();
    prepare(&base);
    let calls = count_calls(job, &base, scratch.path());
    let mut cases = Vec::new();
    for (call, numbers) in &calls {
        let changes = CHANGING.contains(&call.as_str());
        for (position, number) in numbers.iter().enumerate() {
            // A process killed while it reads leaves what it had written; the next writing call covers that.
            let faults: &[&str] =
                if changes { &["signal=KILL", "error=EIO", "error=ENOSPC"] } else { &["error=EIO"] };
            // The same loop reads hundreds of times; its beginning, its end and a sample stand for it.
            let sampled = changes || position < 12 || position + 12 > numbers.len() || position % 16 == 0;
            if sampled {
                cases.extend(faults.iter().map(|fault| format!("{call}:{fault}:when={number}")));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (cases, next, failures, base) = (&cases, &next, &failures, &base);
            let place = scratch.path().join(format!("worker{worker}"));
            scope.spawn(move || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _ = fs::remove_dir_all(&place);
                    copy_tree(base, &place);
                    let said = run_writer(job, &place, Some(case), None);
                    if let Err(why) = recover(job, &place, &said) {
                        failures.lock().unwrap().push(format!("{case}: {why}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{name}: {} of {} faults lost something:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
    cases.len()
}

/// Which calls the writer makes once it has reached its place, by name and number, when nothing goes wrong.
fn count_calls(job: Job, base: &Path, scratch: &Path) -> BTreeMap<String, Vec<usize>> {
    let (place, trace) = (scratch.join("counted"), scratch.join("trace"));
    copy_tree(base, &place);
    let said = run_writer(job, &place, None, Some(&trace));
    assert!(said.contains("acked"), "the writer works when nothing goes wrong: {said}");
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let mut calls: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut arrived = false;
    for line in fs::read_to_string(&trace).unwrap().lines() {
        let call = line.split('(').next().unwrap().rsplit(' ').next().unwrap().to_owned();
        if !call.chars().all(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        arrived |= line.contains("/counted");
        let number = made.entry(call.clone()).or_default();
        *number += 1;
        if arrived {
            calls.entry(call).or_default().push(*number);
        }
    }
    calls
}

fn run_writer(job: Job, place: &Path, inject: Option<&str>, trace: Option<&Path>) -> String {
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-e", &format!("trace={CALLS}"), "-e", "signal=none"]);
    strace.arg("-o").arg(trace.unwrap_or(Path::new("/dev/null")));
    if let Some(inject) = inject {
        strace.args(["-e", &format!("inject={inject}")]);
    }
    strace.arg(env::current_exe().unwrap()).arg(place);
    strace.env(WRITER, if job == Job::Run { "run" } else { "leaf" }).stderr(Stdio::null());
    let output = strace.output().expect("strace is installed by `cargo xtask setup`");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An ordinary writer follows; then everything acknowledged must be there and verify.
fn recover(job: Job, place: &Path, said: &str) -> Result<(), String> {
    let acked: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("acked ")).collect();
    match job {
        Job::Leaf => recover_leaf(place, &acked),
        Job::Run => recover_run(place, said, &acked),
    }
}

fn recover_leaf(place: &Path, acked: &[&str]) -> Result<(), String> {
    let log = Log::at(place.join("log"));
    let before = log.size().map_err(|error| error.to_string())?;
    if let Some(index) = acked.first()
        && before <= index.parse().unwrap()
    {
        return Err(format!("leaf {index} was acknowledged, the log has {before}"));
    }
    log.append(&[b"the leaf after"], &signer()).map_err(|error| error.to_string())?;
    let snapshot = log.snapshot().map_err(|error| error.to_string())?.ok_or("the log is gone")?;
    let entries: Vec<Vec<u8>> = (0..snapshot.size()).map(|index| snapshot.entry(index).unwrap()).collect();
    if entries.last().map(Vec::as_slice) != Some(b"the leaf after") {
        return Err("the last leaf is another one".into());
    }
    if acked.is_empty() != entries.iter().all(|entry| entry != b"the new leaf") && !acked.is_empty() {
        return Err("the acknowledged leaf is gone".into());
    }
    let root = fwai_evidence::merkle::tree_root(&entries);
    let from_tiles = snapshot.root_at(snapshot.size()).map_err(|error| error.to_string())?;
    if root != snapshot.signed.checkpoint.root || from_tiles != root {
        return Err("tiles, entries and checkpoint disagree".into());
    }
    Ok(())
}

fn recover_run(place: &Path, said: &str, acked: &[&str]) -> Result<(), String> {
    let verify = || {
        let what =
            Verification::new(&place.join("project"), &place.join("home"), &[]).map_err(|e| e.to_string())?;
        Ok::<_, String>(verify_all(&what))
    };
    fs::create_dir_all(place.join("project")).map_err(|error| error.to_string())?;
    let before = verify()?;
    if !before.ok {
        return Err(format!("an alarm before the repair: {:?}", before.problems));
    }
    let next = store(place).create_run("next").and_then(|run| run.end(RunStatus::Success));
    let next = next.map_err(|error| error.to_string())?;
    let after = verify()?;
    let left: Vec<_> = [&after.interrupted, &after.pending, &after.live].into_iter().flatten().collect();
    if !after.ok || !left.is_empty() {
        return Err(format!("after the repair: {:?} {left:?}", after.problems));
    }
    for id in acked.iter().copied().chain([next.run_id.as_str()]) {
        let evidence = load_evidence(&place.join("project"), id).map_err(|error| error.to_string())?;
        if evidence.status != RunStatus::Success {
            return Err(format!("{id} was acknowledged and is now {:?}", evidence.status));
        }
    }
    // What had begun is on record, however it ended.
    for id in said.lines().filter_map(|line| line.strip_prefix("began ")) {
        let evidence =
            load_evidence(&place.join("project"), id).map_err(|error| format!("{id} had begun: {error}"))?;
        if !matches!(evidence.status, RunStatus::Success | RunStatus::Interrupted) {
            return Err(format!("{id} had begun and is {:?}", evidence.status));
        }
    }
    Ok(())
}
