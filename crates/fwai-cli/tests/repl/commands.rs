//! Every slash command, typed at a real terminal in a project with a virtual board.

use fwai_testkit::{bench::Bench, model_server::Turn, terminal::Terminal};
use serde_json::json;
use std::collections::BTreeSet;

/// What is typed, and what must be on the screen then. One line at least for every name that `/help` lists,
/// in an order in which each finds what it needs.
const TYPED: &[(&str, &str)] = &[
    ("/help", "Anything else is said to the agent"),
    ("/help build", "--clean"),
    ("/doctor", "gcc"),
    ("/init --yes", "build_command"),
    ("/trust --yes", "trust"),
    ("/config", "provider"),
    ("/config get agent.mode", "auto"),
    ("/provider", "* anthropic"),
    ("/policy", "flash_guard"),
    ("/policy check 'git push'", "git push"),
    ("/board", "stm32vldiscovery"),
    ("/build", "built in"),
    ("/memory", "FLASH"),
    ("/sbom", "sbom"),
    ("/flash", "flashed and proven"),
    ("/monitor --until 'boot ok' --for 20s", "boot ok"),
    ("/debug -c 'break main' -c continue", "main"),
    ("/evidence", "flash"),
    ("/evidence show latest", "signed by"),
    ("/audit", "verif"),
    ("/security", "no secrets"),
    ("/agents", "explorer"),
    ("/skills", "build_and_test"),
    ("/run size_report", "size_report"),
    ("/mode", "mode: auto"),
    ("/mode ask", "mode: ask"),
    ("/plan", "mode: plan"),
    ("/act", "mode: auto"),
    ("/todos", "no todos"),
    ("/model", "anthropic/"),
    ("/model another-model", "anthropic/another-model"),
    ("write the file", "it is written"),
    ("/open", "created written.c"),
    ("/open list", "3 ✓ write_file written.c"),
    ("/diff", "+int written;"),
    ("/cost", "tool calls"),
    ("/agent explorer look around", "nothing there"),
    ("/compact", "short"),
    ("/undo --list", "before"),
    ("/undo", "written.c"),
    ("/export conversation.md", "conversation.md"),
    ("/export latest --format csv", "run_id"),
    ("/fork", "a copy of"),
    ("/sessions", "turns"),
    ("/new", "a new conversation"),
    ("/resume", "going on with"),
    ("/ask 'one word, please'", "asked and answered"),
    ("/demo --help", "recording"),
    ("/quti", "did you mean /quit?"),
];

#[test]
fn every_command_works_in_a_session() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "written.c", "content": "int written;\n"})),
        Turn::text("it is written"),
        Turn::text("nothing there"),
        Turn::text("asked and answered"),
        Turn::text("asked and answered"),
    ])
    .with_firmware();
    let mut terminal = Terminal::open(&bench, 120, 50);
    let mut missing: BTreeSet<String> = BTreeSet::new();
    let mut wrong: Vec<String> = Vec::new();
    for (line, expected) in TYPED {
        let shown = terminal.command(line);
        // What was typed is on the screen as well, and proves nothing.
        if !shown.lines().skip(1).any(|line| line.contains(expected)) {
            wrong.push(format!("{line}: no {expected:?} in\n{shown}\n"));
        }
        if *line == "/help" {
            missing = shown
                .lines()
                .filter_map(|line| line.strip_prefix("  /")?.split_whitespace().next().map(str::to_owned))
                .collect();
            assert!(missing.len() > 30, "{missing:?}");
        }
        if let Some(name) = line.strip_prefix('/').and_then(|line| line.split_whitespace().next()) {
            missing.remove(name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
    missing.remove("quit");
    assert!(missing.is_empty(), "these commands are not tried here: {missing:?}");
    terminal.type_in("/quit\r");
    assert_eq!(terminal.wait_for_exit(), 0);
    let requests = bench.server.requests();
    let asked = requests.iter().find(|request| request.body.to_string().contains("write the file")).unwrap();
    assert_eq!(asked.body["model"], "another-model", "/model changes the running session");
    assert_eq!(bench.json(&["audit", "verify", "--all"])["ok"], true);
}

#[test]
fn the_model_of_a_running_session_changes_and_its_words_stay() {
    let bench = Bench::new(vec![Turn::text("first"), Turn::text("second")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.command("remember the number 42");
    terminal.command("/model claude-other");
    terminal.command("which number?");
    let requests = bench.server.requests();
    assert_ne!(requests[0].body["model"], "claude-other");
    assert_eq!(requests[1].body["model"], "claude-other");
    assert!(requests[1].body.to_string().contains("remember the number 42"), "one conversation");
    let sessions = bench.json(&["sessions", "list"]);
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "{sessions}");
    let shown = terminal.command("/model one two");
    assert!(shown.contains("a model is one word"), "{shown}");
    assert!(terminal.command("/model").contains("claude-other"), "and nothing has changed");
}
