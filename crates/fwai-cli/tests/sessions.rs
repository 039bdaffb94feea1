//! Sessions through the real binary: killed, resumed, forked, listed, and walled in by plan mode.

use fwai_testkit::{
    bench::Bench,
    model_server::{ModelServer, Turn},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

fn bench(turns: Vec<Turn>) -> Bench {
    Bench::new(turns).file("src/uart.c", "#define BAUD 9600\n")
}

/// Every file below a directory and its bytes, but for what fwai itself keeps.
fn tree(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                if !path.ends_with(".fwai") {
                    open.push(path);
                }
            } else {
                found
                    .push((path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn sessions_are_listed_shown_forked_resumed_and_removed() {
    let bench = bench(vec![
        Turn::text("first answer"),
        Turn::text("second answer"),
        Turn::text("another answer"),
        Turn::text("forked answer"),
    ]);
    assert_eq!(bench.json(&["sessions", "list"]), json!({"sessions": []}));
    bench.run(&["exec", "first question"]).succeeded();
    bench.run(&["exec", "--resume", "last", "second question"]).succeeded();
    bench.run(&["exec", "another session"]).succeeded();

    let listed = bench.json(&["sessions", "list"]);
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    assert_eq!((&sessions[0]["title"], &sessions[0]["turns"]), (&json!("another session"), &json!(1)));
    assert_eq!((&sessions[1]["title"], &sessions[1]["turns"]), (&json!("first question"), &json!(2)));
    let id = sessions[1]["id"].as_str().unwrap();

    let shown = bench.run(&["sessions", "show", id]).out;
    assert!(shown.contains("> first question\nfirst answer\n"), "{shown}");
    let whole = bench.json(&["sessions", "show", id]);
    assert_eq!(whole["events"].as_array().unwrap()[0]["type"], "session_started");

    let forked = bench.json(&["sessions", "fork", id, "--turn", "1"]);
    let fork = forked["id"].as_str().unwrap();
    assert_eq!(forked["forked_from"], json!({"session": id, "turn": 1}));
    bench.run(&["exec", "--resume", fork, "go another way"]).succeeded();
    let request = bench.server.requests().pop().unwrap().body["messages"].to_string();
    assert!(request.contains("first answer") && !request.contains("second"), "{request}");

    assert_eq!(bench.run(&["sessions", "fork", id, "--turn", "9"]).code, Some(2));
    assert_eq!(bench.run(&["sessions", "rm", "no-such"]).code, Some(2));
    assert_eq!(bench.run(&["sessions", "show", "../../etc"]).code, Some(2));
    bench.run(&["sessions", "rm", id, fork]).succeeded();
    assert_eq!(bench.json(&["sessions", "list"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn killed_after_any_event_a_session_goes_on() {
    let script = || {
        vec![
            Turn::text("Look.").and_tool("read_file", json!({"path": "src/uart.c"})),
            Turn::text("Change.").and_tool(
                "edit_file",
                json!({"path": "src/uart.c", "edits": [{"old": "9600", "new": "115200"}]}),
            ),
            Turn::text("Done."),
        ]
    };
    let whole = bench(script());
    let heard = whole.run(&["exec", "--json", "set the baud rate"]).succeeded().events().len();
    assert!(heard > 12);
    for kill_after in 1..heard {
        let mut script = script();
        script.push(Turn::text("Resumed."));
        let bench = bench(script);
        let mut child = bench
            .fwai(&["exec", "--json", "set the baud rate"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged: Vec<Value> = Vec::new();
        for _ in 0..kill_after {
            acknowledged
                .extend(lines.next().and_then(Result::ok).map(|line| serde_json::from_str(&line).unwrap()));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = bench.json(&["sessions", "show", "last"]);
        let kept = kept["events"].as_array().unwrap();
        for event in &acknowledged {
            let transient = event["type"] == "text_delta" || event["type"] == "tool_output";
            assert!(transient || kept.contains(event), "lost after {kill_after} events: {event}");
        }
        // What is left of the script depends on how far it came; the model always answers something, and the
        // server refuses a conversation whose calls and answers do not match.
        let after = bench.run(&["exec", "--json", "--resume", "last", "go on"]).events();
        let last = after.last().unwrap();
        assert_eq!(last["type"], "turn_ended", "killed after {kill_after} events");
        assert_eq!(last["stop_reason"], "end_turn", "killed after {kill_after} events: {last}");
    }
}

#[test]
fn two_programs_cannot_write_one_session() {
    let bench =
        bench(vec![Turn::text("first"), Turn::tool("bash", json!({"command": "touch started; sleep 30"}))]);
    bench.run(&["exec", "first"]).succeeded();
    let mut child = bench
        .fwai(&["exec", "--json", "--resume", "last", "wait"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let began = lines.map_while(Result::ok).find(|line| line.contains("tool_call_start"));
    assert!(began.is_some());
    let second = bench.run(&["exec", "--resume", "last", "me too"]);
    assert!(second.code != Some(0) && second.err.contains("in use by another fwai"), "{}", second.err);
    assert_eq!(bench.run(&["sessions", "rm", "last"]).code, Some(1));
    child.kill().unwrap();
    child.wait().unwrap();
    bench.run(&["sessions", "rm", "last"]).succeeded();
}

#[test]
fn plan_mode_with_a_hostile_model_changes_nothing_but_the_plan() {
    let write = |path: &str| Turn::tool("write_file", json!({"path": path, "content": "owned"}));
    let shell = |command: &str| Turn::tool("bash", json!({"command": command}));
    let mut bench = bench(vec![
        write("src/uart.c"),
        write("src/new.c"),
        write(".fwai/policy.yaml"),
        write(".fwai/sessions/../x.md"),
        write("../outside.txt"),
        Turn::tool("edit_file", json!({"path": "src/uart.c", "edits": [{"old": "9600", "new": "1"}]})),
        shell("echo owned > src/uart.c"),
        shell("cd src && rm -f uart.c; mv uart.c x; chmod 777 uart.c; ln -s /etc/passwd p; true"),
        shell("python3 -c \"open('src/uart.c','w').write('owned')\"; true"),
        shell("sh -c 'exec 3>src/uart.c; echo owned >&3'; true"),
        shell("touch ../outside.txt $HOME/outside.txt /tmp/fwai-plan-escape; true"),
        shell("cp src/uart.c src/copy.c; mkdir -p build; git init; true"),
        shell("(sleep 1; echo late > src/late.c) & true"),
        Turn::text("I could not."),
    ]);
    let before = tree(bench.directory.path());
    let said = bench.run(&["exec", "--json", "--yes", "--mode", "plan", "change everything"]);
    let events = said.events();
    assert_eq!(events.last().unwrap()["final_text"], "I could not.", "{}", said.err);
    let ends = events.iter().filter(|event| event["type"] == "tool_call_end").count();
    assert_eq!(ends, 13);
    let changed: Vec<PathBuf> = tree(bench.directory.path())
        .into_iter()
        .filter(|entry| !before.contains(entry) && !entry.0.starts_with("user"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(changed, [] as [PathBuf; 0]);
    assert!(!Path::new("/tmp/fwai-plan-escape").exists());
    assert!(!bench.project().join(".fwai/policy.yaml").exists());
    assert!(!bench.project().join(".fwai/x.md").exists());

    // The plan itself can be written.
    let session = bench.json(&["sessions", "list"])["sessions"][0]["id"].as_str().unwrap().to_owned();
    assert!(!bench.project().join(format!(".fwai/sessions/{session}/plan.md")).exists());
    let plan = "# Plan\nIn `src/uart.c` set the baud rate to 115200 and build it again.\n";
    bench.server = ModelServer::start(vec![
        Turn::tool(
            "write_file",
            json!({"path": format!(".fwai/sessions/{session}/plan.md"), "content": plan}),
        ),
        Turn::text("Planned."),
    ]);
    bench.run(&["exec", "--resume", "last", "write the plan"]).succeeded();
    let written =
        fs::read_to_string(bench.project().join(format!(".fwai/sessions/{session}/plan.md"))).unwrap();
    assert_eq!(written, plan);
}

#[test]
fn the_first_request_with_every_default_tool_is_small() {
    let bench = bench(vec![Turn::text("hello")]);
    bench.run(&["exec", "hello"]).succeeded();
    let request = bench.server.requests().pop().unwrap().body;
    let bytes = request.to_string().len();
    let tools = request["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["bash", "read_file", "edit_file", "grep", "todo_write", "task", "submit_plan", "skill"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(bytes <= 20_000, "{bytes} bytes with {} tools", names.len());
}

#[test]
fn decisions_are_told_and_kept_and_can_be_silenced() {
    let script =
        || vec![Turn::text("Look for it.").and_tool("grep", json!({"pattern": "BAUD"})), Turn::text("Here.")];
    let bench = bench(script());
    let told = bench.run(&["exec", "where?"]).err;
    assert!(told.contains("[Decision] Step 1: Thought: Look for it. | Plan steps: 1"), "{told}");
    let bench = self::bench(script()).variable("AGENTS_DECISION_TRACE", "0");
    let told = bench.run(&["exec", "where?"]).err;
    assert!(!told.contains("[Decision]"), "{told}");
    let kept = bench.json(&["sessions", "show", "last"]).to_string();
    assert!(kept.contains("Look for it."));
}
