//! A terminal that is closed from under the program: it ends by itself, and the session is saved.

use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Turn},
    terminal::Terminal,
};
use serde_json::json;
use std::time::{Duration, Instant};

fn wait_for_file(path: &std::path::Path) -> String {
    let start = Instant::now();
    loop {
        match std::fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => assert!(start.elapsed() < Duration::from_secs(30), "{} never came", path.display()),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn runs(words: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.into_iter().any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    })
}

#[test]
fn at_the_prompt() {
    let bench = Bench::new(vec![Turn::text("noted")]);
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.command("remember this");
    terminal.vanish();
    assert_eq!(terminal.wait_for_exit(), 129);
    let sessions = bench.json(&["sessions", "list"]);
    assert_eq!(sessions["sessions"][0]["title"], "remember this", "{sessions}");
    assert_eq!(bench.json(&["audit", "verify", "--all"])["ok"], true);
}

#[test]
fn in_the_middle_of_a_turn() {
    let command = "echo begun; sleep 86407";
    let bench = Bench::new(vec![Turn::tool("bash", json!({"command": command})), Turn::text("gone on")]);
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("wait\r");
    terminal.wait_for("│ begun");
    terminal.vanish();
    assert_eq!(terminal.wait_for_exit(), 129);
    assert!(!runs("sleep 86407"), "nothing that it started lives on");
    let events = bench.json(&["sessions", "show", "last"])["events"].clone();
    let kinds: Vec<&str> =
        events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"tool_call_end") && kinds.last() == Some(&"turn_ended"), "{kinds:?}");
    let said = bench.run(&["exec", "--resume", "last", "go on"]).succeeded();
    assert_eq!(said.out, "gone on\n");
}

/// A program of another session than the terminal's gets no signal; it sees only that there is nothing to read.
#[test]
fn without_a_signal() {
    for during_work in [false, true] {
        let slow = Turn::text("an answer").fault(Fault::Delay { ms: 600_000 });
        let bench = Bench::new(vec![slow]);
        let script = "trap '' HUP; setsid --wait $FWAI; echo $? > code";
        let mut terminal = Terminal::with_script(&bench, 80, 24, script);
        terminal.wait_for_prompt();
        if during_work {
            terminal.type_in("think\r");
            terminal.wait_for("thinking");
        }
        terminal.vanish();
        let code = wait_for_file(&bench.project().join("code"));
        assert_eq!(code, "129\n", "{during_work}");
        if during_work {
            let sessions = bench.json(&["sessions", "list"]);
            assert_eq!(sessions["sessions"][0]["title"], "think", "{sessions}");
        }
    }
}
