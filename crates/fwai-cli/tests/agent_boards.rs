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

/// A turn with calls of every kind: the record lists each with its outcome, and when it was.
#[test]
fn a_look_that_failed_is_in_the_turns_run_and_on_its_page() {
    let script = vec![
        Turn::tool("build_firmware", json!({})),
        Turn::tool("flash_board", json!({})),
        Turn::tool("read_file", json!({"path": "src/main.c"})),
        Turn::tool("read_console", json!({"until": "the board never says this", "seconds": 1})),
        Turn::tool("read_file", json!({"path": "src/there_is_none.c"})),
        Turn::tool("bash", json!({"command": "mkfs.ext4 /dev/sda"})),
        Turn::tool("no_such_tool", json!({})),
        Turn::tool("memory_analysis", json!({})),
        Turn::tool("read_console", json!({"wait_for_boot": true})),
        Turn::text("done"),
    ];
    let project = BoardProject::new(script);
    let output = project.run(&["exec", "--json", "--yes", "look after the board"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let written = events(&output).into_iter().find(|event| event["type"] == "evidence_written").unwrap();
    let id = written["run_id"].as_str().unwrap();
    let run = project.run_named(id);
    let tools: Vec<&Value> = run["tools"].as_array().unwrap().iter().collect();
    let outcome = |tool: &Value| {
        (tool["tool"].as_str().unwrap().to_owned(), tool["status"].as_str().unwrap().to_owned())
    };
    let of = |name: &str, status: &str| (name.to_owned(), status.to_owned());
    assert_eq!(
        tools.iter().map(|tool| outcome(tool)).collect::<Vec<_>>(),
        [
            of("build_firmware", "success"),
            of("flash_board", "success"),
            of("read_file", "success"),
            of("read_console", "failure"),
            of("read_file", "failure"),
            of("bash", "denied"),
            of("no_such_tool", "failure"),
            of("memory_analysis", "success"),
            of("read_console", "success"),
        ],
        "{run:#}"
    );
    // What looked at a board or an image names the run that has the details.
    for tool in [tools[0], tools[1], tools[3], tools[7], tools[8]] {
        let own = project.run_named(tool["run_id"].as_str().unwrap_or_else(|| panic!("no run: {tool}")));
        assert_eq!(own["run_id"], tool["run_id"]);
    }
    let complaint =
        project.root().join(format!(".fwai/runs/{id}/{}", tools[4]["log_file"].as_str().unwrap()));
    assert!(std::fs::read_to_string(complaint).unwrap().contains("there_is_none.c"));
    // The turn's own record is enough to read: what was made, what the board holds and said.
    assert_eq!(run["boot_status"]["status"], "success", "{run:#}");
    assert!(run["flash"]["proof"]["ok"] == true && !run["artifacts"].as_array().unwrap().is_empty());
    // Every beginning lies in the run, tools and model calls never at the same time: the model waits for them.
    let moments = |value: &Value| -> Vec<(String, String)> {
        let calls = value.as_array().unwrap().iter();
        calls
            .map(|call| (call["start_time"].as_str().unwrap().to_owned(), call["duration_ms"].to_string()))
            .collect()
    };
    let mut all: Vec<(i64, i64)> = [moments(&run["tools"]), moments(&run["llm"]["calls"])]
        .concat()
        .iter()
        .map(|(start, took)| {
            let start = start.parse::<jiff::Timestamp>().unwrap().as_millisecond();
            (start, start + took.parse::<i64>().unwrap())
        })
        .collect();
    all.sort_unstable();
    assert_eq!(all.len(), 9 + 10);
    for pair in all.windows(2) {
        assert!(pair[0].1 <= pair[1].0 + 2, "bars overlap: {pair:?} of {all:?}");
    }
    let moment =
        |name: &str| run[name].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond();
    assert!(moment("start_time") <= all[0].0 && all.last().unwrap().1 <= moment("end_time"), "{all:?}");
    assert!(run["duration_ms"].as_i64().unwrap() >= all.last().unwrap().1 - all[0].0);
    // The page says so.
    let page = project.root().join("page.html");
    let exported = project.run(&["export", id, "--output", page.to_str().unwrap()]);
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("3 failed") && page.contains("1 denied"), "{page}");
    assert!(!page.contains("<span class=dim>all succeeded</span>"), "{page}");
    project.assert_verified(6);
}

/// A turn that only looks leaves a record, too, and no diff that is not its own.
#[test]
fn a_turn_that_only_looks_leaves_a_run() {
    let project =
        BoardProject::new(vec![Turn::tool("read_file", json!({"path": "src/main.c"})), Turn::text("done")]);
    let output = project.run(&["exec", "--json", "what is in main?"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let runs = project.evidence();
    let turn = runs.last().unwrap();
    assert_eq!(
        (&turn["skill"], &turn["tools"][0]["tool"]),
        (&json!("turn"), &json!("read_file")),
        "{runs:#?}"
    );
    assert!(turn["changes"].is_null() && turn["tools"][0]["read_only"] == true, "{turn:#}");
    project.assert_verified(1);
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
