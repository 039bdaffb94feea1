//! `fwai exec` where nobody watches: a CI system, a watchdog, signals. The real program, a scripted model.

use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

struct Job {
    folder: tempfile::TempDir,
    server: ModelServer,
}

impl Job {
    fn new(turns: Vec<Turn>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("project")).unwrap();
        Self { folder, server: ModelServer::start(turns) }
    }

    fn page(&self) -> PathBuf {
        self.folder.path().join("page.md")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
        command
            .current_dir(self.folder.path().join("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("FWAI_HOME", self.folder.path().join("home"))
            .env("FWAI_PROVIDER", "anthropic")
            .env("FWAI_BASE_URL", self.server.url())
            .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"))
            .env("CI", "true")
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_STEP_SUMMARY", self.page())
            .stdin(Stdio::null())
            .args(arguments);
        command
    }
}

fn events(output: &[u8]) -> Vec<Value> {
    String::from_utf8_lossy(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn runs(words: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.into_iter().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    })
}

#[test]
fn the_job_page_has_the_answer_and_the_evidence() {
    let job = Job::new(vec![
        Turn::tool("write_file", json!({"path": "a.txt", "content": "x"})),
        Turn::text("Done. <img src=x> ![p](http://example.com/p.png)"),
    ]);
    let output = job.command(&["exec", "write a.txt"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(job.page()).unwrap();
    assert!(page.contains("### fwai exec: end_turn") && page.contains("Done."), "{page}");
    assert!(page.contains("-turn: success"), "{page}");
    assert!(
        !page.contains("<img") && !page.contains("![p]"),
        "a model writes no tags and fetches nothing: {page}"
    );
}

#[test]
fn a_permission_that_nobody_gives_is_exit_4_and_named() {
    let turns = vec![Turn::tool("write_file", json!({"path": "a.txt", "content": "x"})), Turn::text("no")];
    let job = Job::new(turns);
    let output = job.command(&["exec", "--mode", "ask", "--json", "write a.txt"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("::error title=fwai::needs a person: permission to"), "{said}");
    assert!(said.contains("a.txt"), "{said}");
    assert_eq!(events(&output.stdout).last().unwrap()["stop_reason"], "needs_person");
    assert!(fs::read_to_string(job.page()).unwrap().contains("needs a person"));
}

#[test]
fn the_watchdog_closes_the_turn_and_ends_what_runs() {
    let job =
        Job::new(vec![Turn::tool("bash", json!({"command": "sh -c 'sleep 86405; true'"})), Turn::text("no")]);
    let output = job.command(&["exec", "--json", "--watchdog", "2", "wait"]).output().unwrap();
    assert_eq!(output.status.code(), Some(124), "{}", String::from_utf8_lossy(&output.stderr));
    let events = events(&output.stdout);
    assert_eq!(events.last().unwrap()["type"], "turn_ended", "also then the last event is the end");
    assert_eq!(events.last().unwrap()["stop_reason"], "interrupted");
    assert!(!runs("sleep 86405"));
    let verified = job.command(&["audit", "verify", "--all"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn sigterm_ends_a_turn_in_good_order() {
    let job =
        Job::new(vec![Turn::tool("bash", json!({"command": "sh -c 'sleep 86406; true'"})), Turn::text("no")]);
    let child = job
        .command(&["exec", "--json", "wait"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !runs("sleep 86406") {
        assert!(began.elapsed() < Duration::from_secs(60), "the sleep never came");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let events = events(&output.stdout);
    let end = events.iter().find(|event| event["type"] == "tool_call_end").unwrap();
    assert_eq!(end["success"], false);
    assert_eq!(events.last().unwrap()["type"], "turn_ended");
    assert!(!runs("sleep 86406"));
}
