//! The sandbox as a launcher of firmware work: streams, time limits, grants, and processes that stay.

use fwai_firmware::launch::{Grants, LaunchError, LaunchSpec, Launcher, Stream};
use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::{Sandbox, SandboxLauncher, SandboxSpec};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tokio::io::AsyncReadExt;

fn project() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = directory.path().canonicalize().unwrap().join("project");
    fs::create_dir_all(root.join(".fwai/boards/virtual")).unwrap();
    (directory, root)
}

fn launcher(root: &Path) -> SandboxLauncher {
    SandboxLauncher::new(Sandbox::new(SandboxWalls::Required).unwrap(), SandboxSpec::new(root))
}

#[tokio::test]
async fn output_comes_in_order_and_the_exit_code_with_it() {
    let (_directory, root) = project();
    let spec = LaunchSpec::shell("echo out; echo err >&2; echo $NAME; exit 5", &root)
        .env("NAME", "value")
        .streams(Stream::Null, Stream::Piped, Stream::WithStdout);
    let mut child = launcher(&root).launch(spec).await.unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).await.unwrap();
    assert_eq!(output, "out\nerr\nvalue\n");
    assert_eq!(child.wait().await.unwrap().code, Some(5));
}

#[tokio::test]
async fn a_time_limit_ends_it_and_an_interrupt_is_heard() {
    let (_directory, root) = project();
    let spec = LaunchSpec::shell("sleep 100", &root).timeout(Duration::from_millis(100));
    let exit = launcher(&root).launch(spec).await.unwrap().wait().await.unwrap();
    assert!(exit.timed_out && !exit.success());

    let line = "trap 'exit 9' INT; echo ready; while :; do sleep 0.05; done";
    let spec = LaunchSpec::shell(line, &root).streams(Stream::Null, Stream::Piped, Stream::Null);
    let mut child = launcher(&root).launch(spec).await.unwrap();
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).await.unwrap();
    child.interrupt().unwrap();
    assert_eq!(child.wait().await.unwrap().code, Some(9));
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let (_directory, root) = project();
    let missing = launcher(&root).launch(LaunchSpec::argv(["no-such-tool"], &root)).await.err().unwrap();
    assert!(matches!(missing, LaunchError::NotFound { program } if program == "no-such-tool"));
    let nowhere =
        launcher(&root).launch(LaunchSpec::shell("true", root.join("nowhere"))).await.err().unwrap();
    assert!(matches!(nowhere, LaunchError::NoDirectory { .. }));
}

#[tokio::test]
async fn grants_open_exactly_what_they_name() {
    let (_directory, root) = project();
    let keeper = tempfile::NamedTempFile::new().unwrap();
    let board = root.join(".fwai/boards/virtual");
    let line = format!(
        "echo x > .fwai/boards/virtual/log && echo y > {} && ! echo z > .fwai/other",
        keeper.path().display()
    );
    let grants = Grants { write: vec![board.clone(), keeper.path().to_owned()], ..Grants::default() };
    let mut child = launcher(&root).launch(LaunchSpec::shell(line, &root).grants(grants)).await.unwrap();
    assert!(child.wait().await.unwrap().success());
    assert_eq!(fs::read_to_string(keeper.path()).unwrap(), "y\n");
    assert_eq!(fs::read_to_string(board.join("log")).unwrap(), "x\n");
    assert!(!root.join(".fwai/other").exists());
}

#[tokio::test]
async fn a_detached_process_stays_and_is_reached_by_its_socket() {
    let (_directory, root) = project();
    let board = root.join(".fwai/boards/virtual");
    let socket = board.join("qmp.sock");
    let server = "import socket; s = socket.socket(socket.AF_UNIX); s.bind('.fwai/boards/virtual/qmp.sock'); s.listen(); c, _ = s.accept(); c.sendall(b'hello'); c.recv(1)";
    let grants = Grants { write: vec![board], ..Grants::default() };
    let spec = LaunchSpec::argv(["python3", "-c", server], &root).grants(grants).detached();
    let child = launcher(&root).launch(spec).await.unwrap();
    let pid = child.pid().unwrap();
    drop(child);
    let start = Instant::now();
    let mut stream = loop {
        match tokio::net::UnixStream::connect(&socket).await {
            Ok(stream) => break stream,
            Err(error) if start.elapsed() > Duration::from_secs(20) => panic!("{error}"),
            Err(_) => tokio::task::yield_now().await,
        }
    };
    let mut greeting = [0; 5];
    stream.read_exact(&mut greeting).await.unwrap();
    assert_eq!(&greeting, b"hello");
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(stream.read(&mut greeting).await.unwrap_or(0), 0, "all of it ends with its first process");
}

#[tokio::test]
async fn a_committing_git_may_write_its_files_and_nothing_else_may() {
    let (_directory, root) = project();
    for arguments in [&["init", "-q"][..], &["config", "user.email", "a@b.c"], &["config", "user.name", "A"]]
    {
        assert!(
            std::process::Command::new("git").args(arguments).current_dir(&root).status().unwrap().success()
        );
    }
    let run = async |line: &str| {
        let spec = LaunchSpec::argv(["/bin/bash", "-c", line], &root);
        launcher(&root).launch(spec).await.unwrap().wait().await.unwrap().success()
    };
    assert!(run("git commit -q --allow-empty -m 'one thing'\ncode=$?; exit $code").await);
    assert!(!run("touch x; git commit -q --allow-empty -m two; python3 -c 'open(\".git/x\", \"w\")'").await);
    assert!(!run("git commit -q --allow-empty -m two && git config core.fsmonitor ./evil").await);
    // Without a shell it is the same.
    let run = async |words: &[&str]| {
        launcher(&root).launch(LaunchSpec::argv(words, &root)).await.unwrap().wait().await.unwrap().success()
    };
    assert!(run(&["git", "commit", "-q", "--allow-empty", "-m", "three; touch x"]).await);
    assert!(!run(&["git", "config", "core.fsmonitor", "./evil"]).await);
    assert!(!run(&["touch", ".git/x"]).await);
}
