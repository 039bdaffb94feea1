//! Build, flash, see it boot: the same job in words, by slash commands, by `fwai exec` and by a workflow, each on a
//! real virtual board and each leaving evidence that verifies.

mod board_project;

use board_project::{BoardProject, events, text};
use fwai_testkit::model_server::Turn;
use serde_json::{Value, json};

/// What the model does when it is asked for the whole flow.
fn model() -> Vec<Turn> {
    vec![
        Turn::tool("build_firmware", json!({})),
        Turn::tool("flash_board", json!({})),
        Turn::tool("read_console", json!({"wait_for_boot": true})),
        Turn::text("It is built, on the board, and it says boot ok."),
    ]
}

/// A build that succeeded, a proven image and a boot, all on record.
fn assert_flow_on_record(project: &BoardProject) {
    let runs = project.evidence();
    let has = |what: &dyn Fn(&Value) -> bool| runs.iter().any(what);
    assert!(
        has(&|run| run["status"] == "success"
            && run["artifacts"].as_array().is_some_and(|made| !made.is_empty())),
        "no build among {runs:#?}"
    );
    assert!(has(&|run| run["flash"]["proof"]["ok"] == true), "no proof among {runs:#?}");
    assert!(has(&|run| run["boot_status"]["status"] == "success"), "no boot among {runs:#?}");
    project.assert_verified(3);
}

#[test]
fn in_words_at_the_prompt() {
    // Words that are exactly what a skill does run it, and need no model.
    let project = BoardProject::new(Vec::new());
    let output = project.piped(&[], "build it, flash it and watch it boot\n/quit\n");
    let (shown, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{shown}{told}");
    assert!(told.contains("build_flash_monitor: success"), "{shown}{told}");
    assert_eq!(project.server.requests().len(), 0);
    assert_flow_on_record(&project);
    // More than that is for the agent.
    let project = BoardProject::new(model());
    let output = project.piped(&[], "build it, flash it, watch it boot and tell me how it went\n/quit\n");
    let (shown, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{shown}{told}");
    assert!(shown.contains("It is built, on the board"), "{shown}{told}");
    assert_eq!(project.server.requests().len(), 4);
    assert_flow_on_record(&project);
}

#[test]
fn by_slash_commands() {
    let project = BoardProject::new(Vec::new());
    let output = project.piped(&[], "/build\n/flash\ny\n/monitor --until 'boot ok' --for 20s\n");
    let (shown, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{shown}{told}");
    assert!(shown.contains("boot ok"), "{shown}{told}");
    assert_eq!(project.server.requests().len(), 0, "commands need no model");
    assert_flow_on_record(&project);
}

#[test]
fn by_exec() {
    let project = BoardProject::new(model());
    let output = project.run(&["exec", "--json", "build it, flash it and watch it boot"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let events = events(&output);
    let ends: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool_call_end").collect();
    assert!(ends.len() == 3 && ends.iter().all(|end| end["success"] == true), "{ends:#?}");
    assert!(ends[2]["content"][0]["text"].as_str().unwrap().contains("boot ok"));
    assert_flow_on_record(&project);
}

#[test]
fn by_a_workflow() {
    let project = BoardProject::new(Vec::new());
    let (code, summary) = project.json(&["run", "build_flash_monitor", "--ci"]);
    assert_eq!((code, &summary["status"]), (0, &Value::from("success")), "{summary:#}");
    let steps = summary["steps"].as_array().unwrap();
    assert!(steps.len() >= 3 && steps.iter().all(|step| step["status"] != "failed"), "{summary:#}");
    assert!(project.run_named(summary["run_id"].as_str().unwrap())["signature"].is_object());
    assert_eq!(project.server.requests().len(), 0, "no step of it needs a model");
    assert_flow_on_record(&project);
}
