//! What a task does: searches, edits, evidence, walls, and the rules that bound it.

use super::bench;
use fwai_testkit::{bench::Bench, model_server::Turn};
use serde_json::{Value, json};
use std::{fs, path::Path};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_search_and_an_answer_are_events_and_the_last_one_ends_the_turn() {
    let bench = bench(vec![
        Turn::tool("grep", json!({"pattern": "BAUD", "path": "src/"})),
        Turn::text("UART is set in src/uart.c:2"),
    ]);
    let said = bench.run(&["exec", "--json", "where is the baud rate?"]).succeeded();
    let events = said.events();
    let last = events.last().unwrap();
    assert_eq!(last["type"], "turn_ended");
    assert_eq!(last["stop_reason"], "end_turn");
    assert_eq!(last["final_text"], "UART is set in src/uart.c:2");
    assert_eq!((&last["tool_calls"], &last["iterations"]), (&json!(1), &json!(2)));
    let (start, end) = (said.event("tool_call_start"), said.event("tool_call_end"));
    assert_eq!(start["id"], end["id"]);
    assert!(end["content"][0]["text"].as_str().unwrap().contains("src/uart.c:2: #define BAUD 9600"));
    said.event("decision");
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/event.schema.json");
    let schema: Value = serde_json::from_str(&read(Path::new(schema))).unwrap();
    for event in &events {
        assert!(jsonschema::is_valid(&schema, event), "not as documented: {event}");
        for field in ["seq", "ts", "session", "turn", "type"] {
            assert!(!event[field].is_null(), "{field} of {event}");
        }
    }
    let second = &bench.server.requests()[1];
    assert!(second.body.to_string().contains("#define BAUD 9600"), "the model reads the result");
}

#[test]
fn an_edit_leaves_evidence_that_verifies_and_can_be_undone() {
    let edits = json!([{"old": "9600", "new": "115200"}]);
    let bench = bench(vec![
        Turn::tool("edit_file", json!({"path": "src/uart.c", "edits": edits})),
        Turn::text("changed"),
    ]);
    let said = bench.run(&["exec", "--json", "use 115200 baud"]).succeeded();
    let file = bench.project().join("src/uart.c");
    assert!(read(&file).contains("115200"));
    let changed = said.event("file_changed");
    assert_eq!((&changed["path"], &changed["lines_added"]), (&json!("src/uart.c"), &json!(1)));
    let written = said.event("evidence_written");
    let evidence: Value =
        serde_json::from_str(&read(&bench.project().join(written["path"].as_str().unwrap()))).unwrap();
    assert_eq!(evidence["status"], "success");
    assert_eq!(evidence["agentic"]["calls"][0]["tool"], "edit_file");
    assert_eq!(evidence["llm"]["calls"].as_array().unwrap().len(), 2);
    bench.run(&["audit", "verify", "--all"]).succeeded();
    assert!(bench.run(&["diff"]).out.contains("+#define BAUD 115200"));
    bench.run(&["undo"]).succeeded();
    assert!(read(&file).contains("9600"));
    assert_eq!(bench.run(&["undo"]).code, Some(1));
}

#[test]
fn a_protected_path_is_denied_and_the_model_hears_why() {
    let bench = bench(vec![
        Turn::tool("write_file", json!({"path": "boot/start.s", "content": "evil"})),
        Turn::text("I may not."),
    ])
    .file(".fwai/policy.yaml", "protected_paths: [boot]\n");
    let said = bench.run(&["exec", "--json", "--mode", "yolo", "change the start-up"]);
    let end = said.event("tool_call_end");
    assert_eq!(end["success"], false);
    assert!(end["content"][0]["text"].as_str().unwrap().contains("boot"), "{end}");
    assert!(!bench.project().join("boot").exists());
}

#[test]
fn a_projects_own_tool_counts_only_once_trusted() {
    let call = || Turn::tool("chip_id", json!({"which": "; touch evil"}));
    let definition = "name: chip_id\ndescription: Read the chip's id.\ncommand: echo \"id of $which is 0x410\"\narguments:\n  which: {type: string, required: true}\nsuccess_patterns: [\"0x[0-9a-f]+\"]\n";
    let bench = bench(vec![call(), Turn::text("a"), call(), Turn::text("b")])
        .file(".fwai/tools/chip_id.yaml", definition);
    let result = |bench: &Bench| {
        let end = bench.run(&["exec", "--json", "--mode", "yolo", "which chip?"]).event("tool_call_end");
        (end["success"] == true, end["content"][0]["text"].as_str().unwrap().to_owned())
    };
    assert!(!result(&bench).0, "nobody trusted this project");
    bench.run(&["trust", "--yes"]).succeeded();
    let (ok, text) = result(&bench);
    assert!(ok && text.contains("id of ; touch evil is 0x410"), "{text}");
    assert!(!bench.project().join("evil").exists(), "an argument is never a command");
}

#[test]
fn the_first_request_stays_small() {
    let bench = bench(vec![Turn::text("hello")]);
    bench.run(&["exec", "hello"]).succeeded();
    let size = bench.server.requests()[0].body.to_string().len();
    assert!(size <= 20_000, "{size} bytes");
}

#[test]
fn commands_run_behind_walls() {
    let bench = bench(vec![
        Turn::tool("bash", json!({"command": "echo inside > ok.txt"})),
        Turn::tool(
            "bash",
            json!({"command": "python3 -c \"open('../outside.txt','w')\"; python3 -c \"print(open('../user/config.yaml').read())\""}),
        ),
        Turn::text("done"),
    ])
    .file("../user/config.yaml", "# private words\n");
    let said = bench.run(&["exec", "--json", "--mode", "yolo", "look around"]);
    assert_eq!(read(&bench.project().join("ok.txt")), "inside\n", "{}", said.out);
    assert!(!bench.directory.path().join("outside.txt").exists());
    assert!(!said.out.contains("private words"), "{}", said.out);
}
