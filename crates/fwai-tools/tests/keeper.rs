//! A session keeps one sandbox ready. It must be used, be replaced when something is wrong with it, and be
//! gone when fwai is. (That its walls are the same, the escape suite shows.)

use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::{Finished, Sandbox, SandboxCommand, SandboxSpec, ready};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A second filter for the test harness, which matches nothing.
const SERVE: &str = "serve-as-keeper";
const COME_AND_GO: &str = "come-and-go";

fn is_asked(what: &str) -> bool {
    std::env::args().any(|argument| argument == what)
}

/// Not a test: the body of the keeper's process, when this program is started as one.
#[test]
fn keeper_process() {
    if is_asked(SERVE) {
        ready::serve();
    }
}

struct Ground {
    /// One test at a time, since each looks at the children of this process.
    _alone: MutexGuard<'static, ()>,
    _directory: tempfile::TempDir,
    root: PathBuf,
    sandbox: Sandbox,
}

impl Ground {
    /// Its keeper is running.
    fn new() -> Self {
        ready::offer_keeper(|| {
            let mut command = Command::new("/proc/self/exe");
            command.args(["--exact", "keeper_process", SERVE, "--nocapture"]);
            command
        });
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = directory.path().canonicalize().unwrap();
        let sandbox = Sandbox::new(SandboxWalls::Required).unwrap();
        sandbox.keep_ready();
        let ground = Self { _alone: alone, _directory: directory, root, sandbox };
        assert!(ground.run(SandboxCommand::new("true")).status.success());
        ground
    }

    fn spawn(&self, command: SandboxCommand) -> fwai_tools::sandbox::Sandboxed {
        self.sandbox.spawn(&SandboxSpec::new(&self.root), command).unwrap()
    }

    fn run(&self, command: SandboxCommand) -> Finished {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            self.spawn(command).finish(4 << 20, Some(Duration::from_secs(60))).await.unwrap()
        })
    }

    fn says(&self, line: &str) -> String {
        let finished = self.run(SandboxCommand::shell(line));
        assert!(finished.status.success(), "{finished:?}");
        String::from_utf8_lossy(&finished.stdout).trim().to_owned()
    }

    /// The first process that waits for a command.
    fn waiting(&self) -> i32 {
        until("a sandbox is ready", || {
            // It has its channel and nothing else; those of running and of ended commands have more or none.
            let open = |pid: i32| fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
            children().into_iter().find(|pid| name(*pid) == "fwai-sandbox" && open(*pid) == 1)
        })
    }
}

fn children() -> Vec<i32> {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<i32>>())
        .collect()
}

fn name(pid: i32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned()
}

fn state(pid: i32) -> char {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().and_then(|rest| rest.chars().next()).unwrap_or('?')
}

fn keeper() -> i32 {
    let command = |pid: i32| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    until("the keeper runs", || children().into_iter().find(|pid| command(*pid).contains(SERVE)))
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let limit = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < limit, "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    until("it is dead", || matches!(state(pid.as_raw_nonzero().get()), 'Z' | '?').then_some(()));
}

#[test]
fn the_next_command_runs_in_the_sandbox_that_waited() {
    let ground = Ground::new();
    let waiting = ground.waiting();
    let mut running = ground.spawn(SandboxCommand::shell("exit 7"));
    assert_eq!(running.pid(), waiting.unsigned_abs());
    assert_eq!(running.wait_blocking().unwrap().code, Some(7));
    // And the one after it in another.
    let next = ground.waiting();
    assert_ne!(next, waiting);
    let mut last = ground.spawn(SandboxCommand::new("true"));
    assert_eq!(last.pid(), next.unsigned_abs());
    assert!(last.wait_blocking().unwrap().success());
}

#[test]
fn commands_work_when_the_waiting_sandbox_or_the_keeper_was_killed() {
    let ground = Ground::new();
    kill(ground.waiting());
    assert_eq!(ground.says("echo one"), "one");
    assert_eq!(ground.says("echo two"), "two");
    kill(keeper());
    assert_eq!(ground.says("echo three"), "three");
    assert_eq!(ground.says("echo four"), "four");
}

#[test]
fn a_server_of_one_command_is_reached_by_the_next_and_nothing_else_is() {
    let ground = Ground::new();
    let outside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let serve = "import http.server as h; s = h.HTTPServer(('127.0.0.1', 8123), h.BaseHTTPRequestHandler); \
                 open('ready', 'w').close(); s.serve_forever()";
    let mut server = ground.spawn(SandboxCommand::new("python3").args(["-c", serve]));
    until("the server listens", || ground.root.join("ready").exists().then_some(()));
    let knock = |port: u16| {
        let line = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo open || echo closed");
        ground.says(&line)
    };
    assert_eq!(knock(8123), "open");
    assert_eq!(knock(outside.local_addr().unwrap().port()), "closed");
    server.kill().unwrap();
    server.wait_blocking().unwrap();
    assert_eq!(knock(8123), "closed");
}

#[test]
fn many_commands_at_once_each_have_their_own() {
    let ground = Ground::new();
    let mut running: Vec<_> =
        (0..12).map(|code| ground.spawn(SandboxCommand::shell(format!("exit {code}")))).collect();
    let mut pids: Vec<u32> = running.iter().map(|one| one.pid()).collect();
    for (code, one) in running.iter_mut().enumerate() {
        assert_eq!(one.wait_blocking().unwrap().code, Some(code as i32));
    }
    pids.sort_unstable();
    pids.dedup();
    assert_eq!(pids.len(), 12);
}

#[test]
fn arguments_and_environment_of_any_size_arrive_whole() {
    let ground = Ground::new();
    ground.waiting();
    // More than a socket takes at once; one argument may have 128 KiB.
    let long = "x".repeat(100_000);
    let mut command =
        SandboxCommand::new("bash").arg("-c").arg("echo $# $(( ${#A0} + ${#A9} )) \"$ODD\"; pwd");
    command.args.extend(std::iter::repeat_n(long.clone().into(), 6));
    for index in 0..10 {
        command = command.env(format!("A{index}"), long.clone());
    }
    let finished = ground.run(command.env("ODD", "ä\n漢 "));
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    assert_eq!(said, format!("5 200000 ä\n漢 \n{}\n", ground.root.display()));
}

#[test]
fn what_is_mounted_while_a_sandbox_waits_is_there() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let ground = Ground::new();
    let point = ground.root.join("drive");
    fs::create_dir(&point).unwrap();
    ground.waiting();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "none"]).arg(&point).status().unwrap();
    assert!(mounted.success());
    fs::write(point.join("file"), "on the drive").unwrap();
    let said = ground.run(SandboxCommand::shell("cat drive/file"));
    let unmounted = Command::new("umount").arg(&point).status().unwrap();
    assert!(unmounted.success());
    assert_eq!(String::from_utf8_lossy(&said.stdout), "on the drive");
}

/// A program that goes from session to session collects what each of them left.
#[test]
fn nothing_of_a_session_stays_when_the_next_one_runs() {
    let mut ground = Ground::new();
    let left = [ground.waiting(), keeper()];
    ground.sandbox = Sandbox::new(SandboxWalls::Required).unwrap();
    until("they are collected", || {
        assert_eq!(ground.says("echo next"), "next");
        left.iter().all(|pid| !Path::new(&format!("/proc/{pid}")).exists()).then_some(())
    });
}

#[test]
fn a_waiting_sandbox_and_the_keeper_end_with_their_program() {
    if is_asked(COME_AND_GO) {
        let ground = Ground::new();
        println!("processes {} {}", ground.waiting(), keeper());
        // No destructor runs.
        std::process::exit(0);
    }
    let name = "a_waiting_sandbox_and_the_keeper_end_with_their_program";
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, COME_AND_GO, "--nocapture"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find_map(|line| line.split("processes ").nth(1)).expect("two processes");
    for pid in line.split(' ') {
        until("it ended", || (!Path::new(&format!("/proc/{pid}")).exists()).then_some(()));
    }
}
