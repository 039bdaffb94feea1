//! Attempts to live longer, be more, write more or hold more than allowed.

use super::{Ground, text};
use fwai_firmware::launch::Bound;
use fwai_tools::sandbox::{SandboxCommand, Stdio};
use std::{
    fs,
    os::fd::AsRawFd,
    time::{Duration, Instant},
};

/// Whether any process of the machine has this text in its command line.
fn lives(marker: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let command_line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let own = entry.file_name().to_string_lossy() == std::process::id().to_string();
        !own && String::from_utf8_lossy(&command_line).contains(marker)
    })
}

fn gone(marker: &str) -> bool {
    let start = Instant::now();
    while lives(marker) {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

#[test]
fn background_processes_end_with_the_call() {
    let ground = Ground::new();
    let marker = format!("31{}.25", std::process::id());
    ground.works(&format!(
        "sleep {marker} & nohup sleep {marker} >/dev/null 2>&1 & setsid sleep {marker} & (setsid sh -c 'sleep {marker} & sleep {marker}' &) ; python3 -c \"
import os
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    for fd in range(3): os.close(fd)
    os.execvp('sleep', ['sleep', '{marker}'])
  os._exit(0)
os.wait()\"; true"
    ));
    assert!(gone(&marker), "something outlived the call");
}

#[test]
fn a_dropped_handle_ends_the_tree() {
    let ground = Ground::new();
    let marker = format!("32{}.25", std::process::id());
    let line = format!("trap '' TERM INT HUP; sleep {marker} & echo ready; sleep {marker}; wait");
    let mut child = ground.sandbox.spawn(&ground.spec, SandboxCommand::shell(line)).unwrap();
    let mut ready = [0; 5];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    assert!(lives(&marker));
    drop(child);
    assert!(gone(&marker));
}

#[test]
fn a_time_limit_ends_the_tree() {
    let ground = Ground::new();
    let marker = format!("33{}.25", std::process::id());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let finished = runtime.block_on(async {
        let line = format!("exec >&- 2>&-; sleep {marker} & sleep {marker}");
        let child = ground.sandbox.spawn(&ground.spec, SandboxCommand::shell(line)).unwrap();
        child.finish(1000, Some(Duration::from_millis(300))).await.unwrap()
    });
    assert!(finished.timed_out);
    assert_eq!(finished.status.signal, Some(libc::SIGKILL));
    assert!(gone(&marker));
}

#[test]
fn a_fork_bomb_stays_small() {
    let mut ground = Ground::new();
    ground.spec.limits.processes = 64;
    let finished = ground.python(
        "import os, time
count = 0
try:
  for _ in range(5000):
    if os.fork() == 0: time.sleep(30); os._exit(0)
    count += 1
except OSError: pass
print(count)
os._exit(0)",
    );
    let count: u32 = String::from_utf8_lossy(&finished.stdout)
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("{}", text(&finished)));
    assert!(count < 400, "{count} processes were started");
    ground.shell("f() { f | f & }; f; sleep 0.3");
}

#[test]
fn ten_gigabytes_of_output() {
    let ground = Ground::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let finished = runtime.block_on(async {
        let child = ground
            .sandbox
            .spawn(&ground.spec, SandboxCommand::shell("head -c 10000000000 /dev/zero"))
            .unwrap();
        child.finish(1 << 20, Some(Duration::from_secs(60))).await.unwrap()
    });
    assert!(finished.too_much_output);
    assert_eq!(finished.stdout.len(), 1 << 20);
}

#[test]
fn memory_files_and_time_are_bounded() {
    let mut ground = Ground::new();
    ground.spec.limits.memory_mb = 256;
    ground.spec.limits.file_mb = 8;
    ground.spec.limits.cpu_s = Some(1);
    ground.blocked("python3 -c 'x = bytearray(1 << 30)'");
    ground.blocked("head -c 20M /dev/zero > big");
    ground.blocked("head -c 300M /dev/zero > /tmp/big");
    ground.blocked("while :; do :; done");
}

#[test]
fn descriptors_are_not_inherited() {
    let ground = Ground::new();
    let treasure =
        fs::OpenOptions::new().read(true).write(true).open(ground.outside.join("treasure")).unwrap();
    // As a careless library would leave it: open across exec.
    rustix::io::fcntl_setfd(&treasure, rustix::io::FdFlags::empty()).unwrap();
    let directory = fs::File::open(&ground.outside).unwrap();
    rustix::io::fcntl_setfd(&directory, rustix::io::FdFlags::empty()).unwrap();
    let open = ground.works("ls /proc/self/fd | sort -n | tr '\\n' ' '");
    // The fourth is ls' own, for the directory that it lists.
    assert_eq!(open.trim(), "0 1 2 3");
    ground.blocked(&format!("echo evil >&{}", treasure.as_raw_fd()));
    ground.blocked(&format!("echo evil > /proc/self/fd/{}/new", directory.as_raw_fd()));
}

#[test]
fn processes_outside_cannot_be_signalled() {
    let ground = Ground::new();
    let mut bystander = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    ground.blocked(&format!("kill -9 {}", bystander.id()));
    ground.blocked(&format!("kill -9 {}", std::process::id()));
    ground.shell("kill -9 -1");
    ground.shell("kill -9 1");
    assert!(bystander.try_wait().unwrap().is_none(), "the bystander lives");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn exit_codes_and_signals_come_through() {
    let ground = Ground::new();
    assert_eq!(ground.shell("exit 7").status.code, Some(7));
    assert_eq!(ground.shell("kill -TERM $$").status.signal, Some(libc::SIGTERM));
    assert_eq!(ground.python("import os; os.abort()").status.signal, Some(libc::SIGABRT));
    let missing = ground.sandbox.spawn(&ground.spec, SandboxCommand::new("no-such-program")).unwrap_err();
    assert!(missing.to_string().contains("`no-such-program` was not found"), "{missing}");
    let not_executable = ground.sandbox.spawn(&ground.spec, SandboxCommand::new("./src/main.c")).unwrap_err();
    assert!(not_executable.to_string().contains("cannot be executed"), "{not_executable}");
}

#[test]
fn input_reaches_the_command_and_its_end_too() {
    let ground = Ground::new();
    let mut child =
        ground.sandbox.spawn(&ground.spec, SandboxCommand::new("cat").stdin(Stdio::Piped)).unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"hello").unwrap();
    drop(child.stdin.take());
    let mut output = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut output).unwrap();
    assert_eq!(output, "hello");
    assert!(child.wait_blocking().unwrap().success());
}

#[test]
fn signals_reach_the_command() {
    let ground = Ground::new();
    let line = "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.05; done";
    let mut child = ground.sandbox.spawn(&ground.spec, SandboxCommand::shell(line)).unwrap();
    let mut ready = [0; 6];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    child.signal(libc::SIGINT).unwrap();
    assert_eq!(child.wait_blocking().unwrap().code, Some(3));
}

#[test]
fn memory_is_bounded_over_the_whole_tree() {
    let mut ground = Ground::new();
    ground.spec.limits.memory_mb = 256;
    // Each process stays below the limit of one; together they do not.
    let finished = ground.python(
        "import os, time
for _ in range(6):
  if os.fork() == 0:
    block = bytearray(80 << 20)
    for at in range(0, len(block), 4096): block[at] = 1
    time.sleep(50)
time.sleep(50)",
    );
    assert!(finished.overran == Some(Bound::Memory) && !finished.timed_out, "{}", super::text(&finished));
    let finished =
        ground.python("block = bytearray(100 << 20); import time; time.sleep(0.5); print(len(block))");
    assert!(finished.status.success(), "{}", super::text(&finished));
}

#[test]
fn memory_that_belongs_to_no_process_is_bounded() {
    let mut ground = Ground::new();
    ground.spec.limits.memory_mb = 256;
    // Shared among processes without being a file.
    let finished = ground.python(
        "import mmap, time
block = mmap.mmap(-1, 600 << 20)
for at in range(0, len(block), 4096): block[at] = 1
time.sleep(50)",
    );
    assert_eq!(finished.overran, Some(Bound::Memory), "{}", text(&finished));
    // Not to be looked at.
    let finished = ground.python(
        "import ctypes, mmap, time
ctypes.CDLL(None).prctl(4, 0)
block = mmap.mmap(-1, 600 << 20)
for at in range(0, len(block), 4096): block[at] = 1
time.sleep(50)",
    );
    assert_eq!(finished.overran, Some(Bound::Memory), "{}", text(&finished));
    // Files and segments that outlive every mapping.
    ground.python_blocked("import os\ntry: os.memfd_create('x')\nexcept OSError: print('blocked')");
    ground.python_blocked(
        "import ctypes
libc = ctypes.CDLL(None)
print('blocked' if libc.shmget(0, 64 << 20, 0o1600) == -1 else 'made')",
    );
    // What many share counts once.
    let finished = ground.python(
        "import mmap, os, time
block = mmap.mmap(-1, 100 << 20)
for at in range(0, len(block), 4096): block[at] = 1
for _ in range(5):
  if os.fork() == 0:
    for at in range(0, len(block), 4096): block[at] = 2
    time.sleep(1.5)
    os._exit(0)
for _ in range(5): os.wait()
print('done')",
    );
    assert!(finished.status.success(), "{}", text(&finished));
}

#[test]
fn processor_time_is_bounded_over_the_whole_tree() {
    let mut ground = Ground::new();
    ground.spec.limits.cpu_s = Some(2);
    // Each process takes less than is allowed; those that ended count, too.
    let finished = ground.shell(
        "while :; do timeout 0.4 sh -c 'while :; do :; done' & timeout 0.4 sh -c 'while :; do :; done'; wait; done",
    );
    assert_eq!(finished.overran, Some(Bound::Processor), "{}", text(&finished));
    let finished = ground.shell("timeout 0.5 sh -c 'while :; do :; done'; echo done");
    assert!(finished.status.success() && finished.overran.is_none(), "{}", text(&finished));
}
