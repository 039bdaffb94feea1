//! The agent's firmware tools, called by a scripted model through `fwai exec` on a real virtual board.

mod board_project;

use board_project::{BoardProject, events, text};
use fwai_testkit::model_server::Turn;
use serde_json::{Value, json};

const SVD: &str = r#"<device schemaVersion="1.3"><name>TEST</name><width>32</width><size>32</size><peripherals>
<peripheral><name>STK</name><baseAddress>0xE000E010</baseAddress><registers>
<register><name>CTRL</name><addressOffset>0</addressOffset><fields>
<field><name>ENABLE</name><bitOffset>0</bitOffset><bitWidth>1</bitWidth></field>
<field><name>TICKINT</name><bitOffset>1</bitOffset><bitWidth>1</bitWidth></field></fields></register>
<register><name>LOAD</name><addressOffset>4</addressOffset><fields>
<field><name>RELOAD</name><bitOffset>0</bitOffset><bitWidth>24</bitWidth></field></fields></register>
</registers></peripheral></peripherals></device>"#;

/// The calls of the scripted model, each with what its answer must say.
struct Script(Vec<(&'static str, Value, Vec<&'static str>)>);

impl Script {
    fn turns(&self) -> Vec<Turn> {
        let calls = self.0.iter().map(|(tool, input, _)| Turn::tool(*tool, input.clone()));
        calls.chain([Turn::text("done")]).collect()
    }

    /// Runs the script and checks every answer: in the events, in what the model was sent, and on record.
    fn play(&self, project: &BoardProject) {
        let output = project.run(&["exec", "--json", "look after the board"]);
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        let ends: Vec<Value> =
            events(&output).into_iter().filter(|event| event["type"] == "tool_call_end").collect();
        assert_eq!(ends.len(), self.0.len());
        let requests = project.server.requests();
        for (number, (tool, input, words)) in self.0.iter().enumerate() {
            let end = &ends[number];
            let answer = end["content"][0]["text"].as_str().unwrap();
            assert_eq!(end["success"], true, "{tool} {input}: {answer}");
            for word in words {
                assert!(answer.contains(word), "{tool} {input} does not say {word:?}:\n{answer}");
            }
            let sent = requests[number + 1].body.to_string();
            let first_line = answer.lines().next().unwrap().replace('"', "\\\"");
            assert!(sent.contains(&first_line), "{tool}: the model is sent the answer");
        }
    }
}

#[test]
fn every_firmware_tool_works_on_a_board_and_leaves_evidence() {
    let script = Script(vec![
        ("build_firmware", json!({}), vec!["build: success", ".elf"]),
        ("flash_board", json!({}), vec!["success", "proof by readback: the image is there"]),
        ("read_console", json!({"wait_for_boot": true}), vec!["boot: success", "boot ok"]),
        (
            "send_console",
            json!({"text": "ping", "until": "ping", "seconds": 20}),
            vec!["boot: success (`", "ping"],
        ),
        ("reset_board", json!({}), vec!["boot: success", "boot ok"]),
        (
            "gdb",
            json!({"commands": ["break main", "continue", "backtrace", "print ticks"]}),
            vec!["> break main", "main", "src/main.c", "> print ticks"],
        ),
        ("read_registers", json!({}), vec!["> registers", "pc", "sp"]),
        ("reset_board", json!({"seconds": 2}), vec!["boot ok"]),
        ("read_registers", json!({"name": "STK.LOAD"}), vec!["RELOAD", "0x1387f"]),
        ("decode_fault", json!({}), vec!["> decode_fault", "no fault"]),
        ("memory_analysis", json!({}), vec!["FLASH: ", "RAM: ", "largest symbols:", "main"]),
    ]);
    let project = BoardProject::new(script.turns());
    std::fs::write(project.root().join("chip.svd"), SVD).unwrap();
    project.edit(".fwai/project.yaml", "target:\n", "target:\n  svd: chip.svd\n");
    script.play(&project);
    // Every call that reached the board is a run of its own, beside the turn's.
    let runs = project.evidence();
    let tools: Vec<&str> = runs
        .iter()
        .flat_map(|run| run["tools"].as_array().unwrap())
        .filter_map(|tool| tool["tool"].as_str())
        .collect();
    for tool in ["build", "flash", "monitor", "debug", "memory"] {
        assert!(tools.iter().any(|name| name.contains(tool)), "no run of {tool} among {tools:?}");
    }
    project.assert_verified(script.0.len() as u64);
}

/// A board that a person could touch: what is done to it is asked for, and nobody is there.
#[test]
fn a_real_board_needs_a_person_and_ci_says_which_step() {
    for (tool, input, words) in [
        ("flash_board", json!({}), "write the built image to the board"),
        ("reset_board", json!({}), "restart the board"),
        ("gdb", json!({"commands": ["backtrace"]}), "restart the board"),
        ("send_console", json!({"text": "x"}), "restart the board"),
    ] {
        let project = BoardProject::new(vec![Turn::tool(tool, input), Turn::text("never reached")]);
        let file = project.root().join(".fwai/project.yaml");
        let text_before = std::fs::read_to_string(&file).unwrap();
        let kept: Vec<&str> =
            text_before.lines().filter(|line| !line.trim_start().starts_with("board:")).collect();
        std::fs::write(&file, kept.join("\n") + "\nflash:\n  command: touch flashed\n").unwrap();
        let output = project.run(&["exec", "--ci", "put it on the board"]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{tool}: {told}");
        assert!(told.contains(words), "{tool}: {told}");
        assert!(!project.root().join("flashed").exists(), "{tool}");
        assert_eq!(project.server.requests().len(), 1, "{tool}: the turn ends there");
    }
}

#[test]
fn in_ask_mode_even_a_virtual_board_is_asked_for() {
    let project = BoardProject::new(vec![Turn::tool("reset_board", json!({})), Turn::text("never reached")]);
    let output = project.run(&["exec", "--ci", "--mode", "ask", "restart it"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("restart the board"), "{}", text(&output.stderr));
}
