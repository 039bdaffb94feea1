//! How a run ends before its time: the watchdog, signals, a kill, nobody to ask.

use super::*;

fn sleeper(name: &str, seconds: u32) -> String {
    format!(
        "name: {name}\ndescription: Waits.\nsteps:\n  - name: first\n    tool: bash\n    with: {{command: echo done}}\n  - name: wait\n    tool: bash\n    with: {{command: \"sh -c 'sleep {seconds}; true'\"}}\n  - name: last\n    tool: bash\n    with: {{command: echo never}}\n  - action: evidence\n"
    )
}

#[test]
fn the_watchdog_ends_everything_with_124() {
    let desk = Desk::plain(&[&sleeper("watched", 86398)]);
    let (code, object, said) = desk.json(&["run", "watched", "--watchdog", "2"]);
    assert_eq!(code, 124, "{object}\n{said}");
    assert_eq!((&object["status"], &object["error"]["kind"]), (&json!("interrupted"), &json!("watchdog")));
    let ended = [("first", "success"), ("wait", "interrupted"), ("last", "skipped"), ("evidence", "skipped")];
    assert_eq!(steps(&object), ended);
    assert!(!runs("sleep 86398"), "the process tree is gone when the program ends");
    assert_eq!(desk.evidence(&object)["status"], "interrupted");
    desk.verifies();
}

#[test]
fn signals_leave_an_interrupted_run_that_verifies() {
    for (signal, seconds) in [("-INT", 86401), ("-TERM", 86402)] {
        let desk = Desk::plain(&[&sleeper("waits", seconds)]);
        let child = desk.start(&["run", "waits", "--json"]);
        until("the sleep", || runs(&format!("sleep {seconds}")));
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(steps(&object)[..2], [("first", "success"), ("wait", "interrupted")], "{signal}");
        assert!(!runs(&format!("sleep {seconds}")), "{signal}");
        assert_eq!(desk.evidence(&object)["status"], "interrupted");
        desk.verifies();
    }
}

#[test]
fn a_killed_run_is_interrupted_and_says_what_is_known() {
    let desk = Desk::plain(&[&sleeper("killed", 86403), FLAKY]);
    let mut child = desk.start(&["run", "killed", "--json"]);
    until("the sleep", || runs("sleep 86403"));
    send(&child, "-KILL");
    child.wait().unwrap();
    // What the kill left is mended on the way to the next run.
    assert_eq!(desk.json(&["run", "flaky"]).0, 0);
    let runs_of = desk.root().join(".fwai/runs");
    let killed = file_names(&runs_of).into_iter().find(|name| name.ends_with("killed")).unwrap();
    let evidence: Value =
        serde_json::from_str(&fs::read_to_string(runs_of.join(killed).join("evidence.json")).unwrap())
            .unwrap();
    assert_eq!((&evidence["status"], &evidence["skill"]), (&json!("interrupted"), &json!("killed")));
    assert_eq!(steps(&evidence), [("first", "success"), ("wait", "interrupted")]);
    assert_eq!(evidence["tools"][0]["status"], "success");
    desk.verifies();
    until("the end of the sleep", || !runs("sleep 86403"));
}

#[test]
fn in_ci_a_question_is_exit_4_and_a_denial_exit_3() {
    let writes = "name: writes\ndescription: Writes a file.\nsteps:\n  - name: write\n    tool: write_file\n    with: {path: boot/a.txt, content: x}\n  - name: more\n    tool: bash\n    with: {command: echo more}\n    when: always\n";
    let desk = Desk::plain(&[writes]);
    let (code, object, said) = desk.json(&["run", "writes", "--ci", "--mode", "ask"]);
    assert_eq!(code, 4, "{object}\n{said}");
    assert_eq!(steps(&object), [("write", "denied"), ("more", "skipped")]);
    assert!(object["asked"].as_str().unwrap().contains("boot/a.txt"), "{object}");
    assert!(said.contains("boot/a.txt"), "{said}");
    assert_eq!(object["error"]["kind"], "needs_person");
    assert_eq!(desk.evidence(&object)["status"], "denied");
    let (code, object, said) = desk.json(&["run", "writes", "--ci", "--mode", "plan"]);
    assert_eq!(code, 3, "{object}\n{said}");
    fs::create_dir_all(desk.root().join(".fwai")).unwrap();
    fs::write(desk.root().join(".fwai/policy.yaml"), "protected_paths: [boot]\n").unwrap();
    let (code, object, said) = desk.json(&["run", "writes", "--ci", "--yes"]);
    assert_eq!(code, 3, "{object}\n{said}");
    assert_eq!(steps(&object), [("write", "denied"), ("more", "success")], "`when: always` cleans up");
    assert!(!desk.root().join("boot").exists());
    desk.verifies();
}
