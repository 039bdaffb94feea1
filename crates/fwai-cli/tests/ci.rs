//! `fwai exec` where nobody watches: a CI system, a watchdog, signals. The real program, a scripted model.

use fwai_testkit::{bench::Bench, model_server::Turn};
use serde_json::{Value, json};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A job of a CI system that shows a page.
fn job(turns: Vec<Turn>) -> Bench {
    let bench = Bench::new(turns).variable("CI", "true").variable("GITHUB_ACTIONS", "true");
    let page = page(&bench).display().to_string();
    bench.variable("GITHUB_STEP_SUMMARY", &page)
}

fn page(job: &Bench) -> PathBuf {
    job.directory.path().join("page.md")
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
    let job = job(vec![
        Turn::tool("write_file", json!({"path": "a.txt", "content": "x"})),
        Turn::text("Done. <img src=x> ![p](http://example.com/p.png)"),
    ]);
    job.run(&["exec", "write a.txt"]).succeeded();
    let page = fs::read_to_string(page(&job)).unwrap();
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
    let job = job(turns);
    let said = job.run(&["exec", "--mode", "ask", "--json", "write a.txt"]);
    assert_eq!(said.code, Some(4), "{}", said.err);
    assert!(said.err.contains("::error title=fwai::needs a person: permission to"), "{}", said.err);
    assert!(said.err.contains("a.txt"), "{}", said.err);
    assert_eq!(said.events().last().unwrap()["stop_reason"], "needs_person");
    assert!(fs::read_to_string(page(&job)).unwrap().contains("needs a person"));
    assert_eq!(
        turns_tool(&job),
        json!(["write_file", "denied", true]),
        "it never ran, and that is on record"
    );
}

/// Name, outcome and harmlessness of the first tool in the newest turn's record.
fn turns_tool(job: &Bench) -> Value {
    let record = job.run(&["evidence", "show", "turn", "--json"]).succeeded().out;
    let record: Value = serde_json::from_str(&record).unwrap();
    let tool = &record["tools"][0];
    json!([tool["tool"], tool["status"], tool["read_only"]])
}

#[test]
fn the_watchdog_closes_the_turn_and_ends_what_runs() {
    let job =
        job(vec![Turn::tool("bash", json!({"command": "sh -c 'sleep 86405; true'"})), Turn::text("no")]);
    let said = job.run(&["exec", "--json", "--watchdog", "2", "wait"]);
    assert_eq!(said.code, Some(124), "{}", said.err);
    let events = said.events();
    assert_eq!(events.last().unwrap()["type"], "turn_ended", "also then the last event is the end");
    assert_eq!(events.last().unwrap()["stop_reason"], "interrupted");
    assert!(!runs("sleep 86405"));
    assert_eq!(turns_tool(&job), json!(["bash", "interrupted", null]), "it had begun");
    job.run(&["audit", "verify", "--all"]).succeeded();
}

#[test]
fn sigterm_ends_a_turn_in_good_order() {
    let job =
        job(vec![Turn::tool("bash", json!({"command": "sh -c 'sleep 86406; true'"})), Turn::text("no")]);
    let child = job
        .fwai(&["exec", "--json", "wait"])
        .stdin(Stdio::null())
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
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let events: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.iter().find(|event| event["type"] == "tool_call_end").unwrap();
    assert_eq!(end["success"], false);
    assert_eq!(events.last().unwrap()["type"], "turn_ended");
    assert!(!runs("sleep 86406"));
}
