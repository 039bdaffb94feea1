//! Steps: tries, time limits, and what one leaves to the next.

use super::*;

#[test]
fn a_step_is_tried_again_and_the_tries_are_on_record() {
    let desk = Desk::plain(&[FLAKY]);
    let (code, object, said) = desk.json(&["run", "flaky"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert_eq!(object["steps"][0]["attempts"], 3);
    assert!(object["steps"][1]["detail"].as_str().unwrap().contains("3 tries, exit 0"), "{object}");
    assert_eq!(desk.evidence(&object)["tools"].as_array().unwrap().len(), 4, "each try is a tool of the run");
    desk.verifies();
}

#[test]
fn a_step_that_takes_too_long_is_ended_with_all_that_it_started() {
    let desk = Desk::plain(&[r#"
name: slow
description: Never comes to an end.
steps:
  - name: sleep
    tool: bash
    with: {command: "sh -c 'sleep 86397; true'"}
    timeout: 1
    on_fail: continue
  - name: cleanup
    tool: bash
    with: {command: "echo cleaned"}
    when: steps.sleep.status == timeout
"#]);
    let (code, object, said) = desk.json(&["run", "slow"]);
    assert_eq!(code, 1, "{object}\n{said}");
    assert_eq!(steps(&object), [("sleep", "timeout"), ("cleanup", "success")]);
    until("the end of the sleep", || !runs("sleep 86397"));
    desk.verifies();
}

#[test]
fn a_build_that_takes_too_long_is_linked_although_it_could_not_say_so() {
    let desk = Desk::plain(&["name: slow\ndescription: d\nsteps:\n  - tool: build\n    timeout: 2\n"]);
    fs::create_dir_all(desk.root().join(".fwai")).unwrap();
    let project = "name: p\nbuild:\n  command: sh -c 'sleep 86396; true'\n";
    fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
    let (code, object, said) = desk.json(&["run", "slow"]);
    assert_eq!(code, 1, "{object}\n{said}");
    assert_eq!(steps(&object), [("build", "timeout")]);
    let linked = object["steps"][0]["runs"][0].as_str().unwrap();
    assert!(linked.ends_with("-build"), "{object}");
    until("the end of the sleep", || !runs("sleep 86396"));
    desk.fwai(&["evidence", "show", linked]).assert().success();
}

#[test]
fn what_a_step_prints_can_do_nothing_to_the_next() {
    let desk = Desk::plain(&[r#"
name: hostile
description: The first step prints an attack.
inputs:
  word: {required: true, description: Any word}
steps:
  - name: attack
    tool: bash
    with: {command: "cat evil.txt"}
  - name: echo
    tool: bash
    with: {command: "printf '%s|' \"$steps.attack.output\" $word"}
"#]);
    fs::write(desk.root().join("evil.txt"), "'; touch pwned; echo \"$(touch pwned2)\" `touch pwned3`")
        .unwrap();
    let (code, object, said) =
        desk.json(&["run", "hostile", "--input", "word=$(touch pwned4); touch pwned5"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert!(
        object["steps"][1]["detail"].as_str().unwrap().contains("touch pwned"),
        "it is only text: {object}"
    );
    assert!(!file_names(&desk.root()).iter().any(|name| name.starts_with("pwned")));
    let (code, object, _) = desk.json(&["run", "hostile"]);
    assert_eq!(code, 2);
    assert!(
        object["error"]["message"].as_str().unwrap().contains("needs the input `word` (Any word)"),
        "{object}"
    );
}
