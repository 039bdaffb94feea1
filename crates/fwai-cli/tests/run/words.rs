//! Skills that are meant by words, in a conversation, and by the model.

use super::*;

#[test]
fn words_run_a_skill_ask_for_it_or_do_nothing() {
    let desk = Desk::firmware();
    let (code, object, said) = desk.json(&["run", "幫我編譯並燒錄", "--ci"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert_eq!(object["skill"], "build_flash_monitor");
    let (code, object, _) = desk.json(&["run", "flash the board", "--ci"]);
    assert_eq!(code, 4);
    assert!(object["error"]["message"].as_str().unwrap().contains("build_flash_monitor"), "{object}");
    let (code, object, _) = desk.json(&["run", "don't", "flash"]);
    assert_eq!(code, 2);
    assert!(object["error"]["message"].as_str().unwrap().contains("what not to do"), "{object}");
    assert_eq!(desk.json(&["run", "不要燒錄", "--yes"]).0, 2);
    assert_eq!(desk.json(&["run", "build_and_tets"]).0, 2);
    assert_eq!(desk.json(&["run", "flash the board", "--yes"]).1["skill"], "build_flash_monitor");
    let off = ["run", "幫我編譯並燒錄", "--set", "intent.enabled=false"];
    assert_eq!(desk.json(&off).0, 2);
}

#[test]
fn the_model_decides_where_words_do_not_and_cannot_overrule_a_no() {
    let answer =
        |skill: &str| Turn::text(json!({"skill": skill, "confidence": 0.95, "reason": "r"}).to_string());
    let desk = Desk::plain(&[]).with_model(vec![
        answer("size_report"),
        answer("build_flash_monitor"),
        Turn::text("rm -rf /"),
    ]);
    let (code, object, said) = desk.json(&["run", "--explain", "what eats up all the space in there"]);
    assert_eq!((code, object["intent"]["layer"].as_str()), (0, Some("model")), "{object}\n{said}");
    // A question is asked for, not run, whatever the model says.
    assert_eq!(object["intent"]["verdict"], "ask");
    let (code, object, _) = desk.json(&["run", "put the thing there so that it lives", "--ci"]);
    assert_eq!(code, 4, "nobody spoke of flashing: {object}");
    let (code, _, _) = desk.json(&["run", "make me a sandwich with cheese", "--ci"]);
    assert_eq!(code, 2, "an answer that is no JSON counts for nothing");
    let (code, _, _) = desk.json(&["run", "don't flash it under any circumstances", "--ci"]);
    assert_eq!(code, 2);
    assert_eq!(desk.server.as_ref().unwrap().requests().len(), 3, "a no needs no model");
    let first = &desk.server.as_ref().unwrap().requests()[0].body;
    assert!(first.to_string().contains("<fwai:request>"), "the words are data: {first}");
}

/// Feeds lines to the interactive session, as a script does: exit code and everything that was said.
fn feed(desk: &Desk, lines: &str) -> (i32, String) {
    use std::io::Write as _;
    let mut child = desk
        .command(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap(), said)
}

#[test]
fn words_in_a_conversation_run_skills_and_the_model_hears_of_it() {
    let desk = Desk::firmware().with_model(vec![Turn::text("The board booted."), Turn::text("I would not.")]);
    let (code, said) = feed(&desk, "幫我編譯並燒錄\nwhat did the board say?\n");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("the skill build_flash_monitor") && said.contains("The board booted."), "{said}");
    let request = desk.server.as_ref().unwrap().requests()[0].body.to_string();
    assert!(request.contains("/run build_flash_monitor") && request.contains("boot ok"), "{request}");
    // Half sure: one key, or one line of a script, decides.
    let (code, said) = feed(&desk, "flash the board\n1\n");
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("[a] let the agent do it") && said.contains("build_flash_monitor: success"),
        "{said}"
    );
    // A no goes to the agent and runs nothing.
    let runs = file_names(&desk.root().join(".fwai/runs")).len();
    let (code, said) = feed(&desk, "don't flash the board\n");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("I would not."), "{said}");
    assert_eq!(file_names(&desk.root().join(".fwai/runs")).len(), runs);
    desk.verifies();
}

#[test]
fn a_conversation_without_a_model_still_runs_skills() {
    let desk = Desk::plain(&[
        FLAKY,
        "name: red\ndescription: Fails.\nsteps:\n  - tool: bash\n    with: {command: exit 3}\n",
    ]);
    let (code, said) = feed(&desk, "/run flaky\n/skills\n");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("flaky: success") && said.contains("Succeeds the third time."), "{said}");
    let (code, said) = feed(&desk, "/run red\n");
    assert_eq!(code, 1, "a script learns that its last line failed: {said}");
    let (code, _) = feed(&desk, "/run nothing_like_it\n");
    assert_eq!(code, 2);
    let (code, said) = feed(&desk, "/run flaky\nhello\n");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("no model to talk to") && !said.contains("without a model"), "{said}");
    for (words, command) in [
        ("build it", "/build"),
        ("編譯", "/build"),
        ("flash it\na", "/flash"),
        ("跑測試\na", "/run build_and_test"),
    ] {
        let (code, said) = feed(&desk, &format!("{words}\n"));
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(&format!("`{command}` does it without a model")), "{words}: {said}");
    }
    for words in ["how do I build it?", "don't build it"] {
        let (_, said) = feed(&desk, &format!("{words}\n"));
        assert!(!said.contains("does it without a model"), "{words}: {said}");
    }
    desk.verifies();
}

#[test]
fn the_model_can_run_a_skill_and_its_steps_pass_the_gate() {
    let writes = "name: writes\ndescription: Writes.\ninputs:\n  where: {required: true}\nsteps:\n  - name: write\n    tool: write_file\n    with: {path: $where, content: x}\n  - name: look\n    tool: bash\n    with: {command: \"cat $where\"}\n";
    let desk = Desk::plain(&[writes]).with_model(vec![
        Turn::tool("skill", json!({"name": "writes", "inputs": {"where": "a.txt"}})),
        Turn::tool("skill", json!({"name": "writes", "inputs": {"where": "../out.txt"}})),
        Turn::text("done"),
    ]);
    let output = desk.command(&["exec", "--json", "write it"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let events: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ended: Vec<&str> = events
        .iter()
        .filter(|event| event["type"] == "skill_ended")
        .map(|event| event["status"].as_str().unwrap())
        .collect();
    assert_eq!(ended, ["success", "denied"]);
    assert_eq!(fs::read_to_string(desk.root().join("a.txt")).unwrap(), "x");
    assert!(!desk.folder.path().join("out.txt").exists());
    let requests = desk.server.as_ref().unwrap().requests();
    assert!(requests[1].body.to_string().contains("writes: success"), "{}", requests[1].body);
    let runs = file_names(&desk.root().join(".fwai/runs"));
    let turn = runs.iter().find(|name| name.ends_with("-turn")).unwrap();
    let text = fs::read_to_string(desk.root().join(".fwai/runs").join(turn).join("evidence.json")).unwrap();
    let evidence: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(evidence["status"], "success", "the turn is the agent's own");
    assert_eq!(evidence["steps"].as_array().unwrap().len(), 4, "{evidence}");
    desk.verifies();
}
