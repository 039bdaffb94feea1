//! The skills that come with fwai, on real firmware and a virtual board.

use super::*;

#[test]
fn build_flash_monitor_leaves_one_run_that_links_those_of_its_steps() {
    let desk = Desk::firmware();
    let (code, object, said) = desk.json(&["run", "build_flash_monitor", "--ci", "--watchdog", "600"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert_eq!((&object["skill"], &object["status"]), (&json!("build_flash_monitor"), &json!("success")));
    let done = [("build", "success"), ("flash", "success"), ("boot", "success"), ("evidence", "success")];
    assert_eq!(steps(&object), done);
    assert!(desk.root().join(object["evidence"].as_str().unwrap()).exists());
    let evidence = desk.evidence(&object);
    assert_eq!((&evidence["skill"], &evidence["status"]), (&json!("build_flash_monitor"), &json!("success")));
    assert_eq!(evidence["boot_status"]["status"], "success");
    assert_eq!(evidence["flash"]["proof"]["ok"], true);
    assert!(evidence["artifacts"].as_array().unwrap().iter().any(|one| one["kind"] == "elf"));
    let tools: Vec<&str> =
        evidence["tools"].as_array().unwrap().iter().map(|tool| tool["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["build_firmware", "flash_board", "read_console"]);
    for tool in evidence["tools"].as_array().unwrap() {
        assert_eq!(tool["exit_code"], 0, "{tool}");
        let run = desk.root().join(".fwai/runs").join(object["run_id"].as_str().unwrap());
        assert!(run.join(tool["log_file"].as_str().unwrap()).exists());
    }
    for step in &evidence["steps"].as_array().unwrap()[..3] {
        let linked = desk.root().join(".fwai/runs").join(step["runs"][0].as_str().unwrap());
        assert!(linked.join("evidence.json").exists(), "{step}");
    }
    desk.verifies();
    // The record is signed as a whole: a step that is told differently is found.
    let file = desk.root().join(object["evidence"].as_str().unwrap());
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"name\": \"boot\"", "\"name\": \"root\"", 1)).unwrap();
    desk.fwai(&["audit", "verify", "--all"]).assert().code(1);
}

#[test]
fn a_compile_error_ends_the_skill_and_is_told_to_the_ci_system() {
    let desk = Desk::firmware();
    desk.edit("src/main.c", "int main(void)", "int main(void) { undeclared = 1; }\nint other(void)");
    let page = desk.folder.path().join("summary.md");
    let output = desk
        .command(&["run", "build_flash_monitor", "--json"])
        .env("CI", "true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", &page)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ended = [("build", "failure"), ("flash", "skipped"), ("boot", "skipped"), ("evidence", "success")];
    assert_eq!(steps(&object), ended);
    assert_eq!((&object["status"], &object["ci"]), (&json!("failure"), &json!("github")));
    assert!(object["error"]["message"].as_str().unwrap().contains("the step build failed"));
    assert!(said.contains("::error file=src/main.c,line="), "{said}");
    assert!(said.contains("::group::build"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("| build | failure |") && page.contains("| flash | skipped |"), "{page}");
    assert_eq!(desk.evidence(&object)["status"], "failure");
    desk.verifies();
}

#[test]
fn a_board_that_never_boots_is_a_failure_with_evidence_and_can_be_diagnosed() {
    let desk = Desk::firmware();
    desk.edit("src/main.c", "int main(void)\n{", "int main(void)\n{\n    for (;;) { }");
    desk.edit(
        ".fwai/project.yaml",
        "success_patterns: [boot ok]",
        "success_patterns: [boot ok]\n  timeout_s: 2",
    );
    let (code, object, said) = desk.json(&["run", "build_flash_monitor"]);
    assert_eq!(code, 1, "{object}\n{said}");
    assert_eq!(steps(&object)[2], ("boot", "failure"));
    assert_eq!(object["boot"]["status"], "timeout");
    // Without a model the diagnosis is left out, and everything else is done.
    let (code, object, said) = desk.json(&["run", "diagnose_boot"]);
    assert_eq!(code, 1, "{object}\n{said}");
    assert_eq!(steps(&object)[1], ("console", "failure"));
    assert_eq!(steps(&object)[3], ("diagnosis", "skipped"));
    assert_eq!(object["steps"][3]["detail"], "no model is set");
    assert_eq!(object["steps"][3]["runs"], Value::Null, "what never began has left no run");
    let desk = desk.with_model(vec![Turn::text("It loops in main before the banner.")]);
    let output = desk.command(&["run", "diagnose_boot"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("It loops in main before the banner."), "{shown}");
    let requests = desk.server.as_ref().unwrap().requests();
    assert_eq!(requests.len(), 1);
    let body = requests[0].body.to_string();
    assert!(body.contains("<fwai:data") && body.contains("boot: timeout"), "{body}");
    assert!(requests[0].body["tools"].as_array().is_none_or(Vec::is_empty), "an analysis has no tools");
    desk.verifies();
}

#[test]
fn fix_build_lets_the_agent_mend_and_then_proves_it() {
    let desk = Desk::firmware();
    desk.edit("src/main.c", "int main(void)", "int broken = ;\nint main(void)");
    let refused = desk.command(&["run", "fix_build"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "it needs a model and says so");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs a model for: mend"));
    assert!(!desk.root().join(".fwai/runs").exists(), "nothing was started");
    let edits = json!([{"old": "int broken = ;\n", "new": ""}]);
    let desk = desk.with_model(vec![
        Turn::tool("edit_file", json!({"path": "src/main.c", "edits": edits})),
        Turn::tool("build_firmware", json!({})),
        Turn::text("Removed a declaration without a value; it builds."),
    ]);
    let (code, object, said) = desk.json(&["run", "fix_build", "--ci"]);
    assert_eq!(code, 0, "{object}\n{said}");
    let ended = [("build", "failure"), ("mend", "success"), ("proof", "success"), ("evidence", "success")];
    assert_eq!(steps(&object), ended);
    assert_eq!(object["status"], "success");
    let first = desk.server.as_ref().unwrap().requests()[0].body.to_string();
    assert!(
        first.contains("<fwai:data source=\\\"output of build\\\">"),
        "what the compiler said is data: {first}"
    );
    let evidence = desk.evidence(&object);
    assert_eq!(evidence["steps"][1]["runs"].as_array().unwrap().len(), 1, "the agent's own build is linked");
    assert_eq!(evidence["llm"]["calls"].as_array().unwrap().len(), 3);
    let tools: Vec<&str> =
        evidence["tools"].as_array().unwrap().iter().map(|tool| tool["tool"].as_str().unwrap()).collect();
    assert!(tools.contains(&"edit_file"), "{tools:?}");
    desk.verifies();
}

#[test]
fn build_and_test_is_red_when_a_test_fails_and_size_report_compares() {
    let desk = Desk::firmware();
    // A project without tests is built, and nobody takes it for tested.
    let (code, object, said) = desk.json(&["run", "build_and_test", "--ci", "--watchdog", "600"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert_eq!(steps(&object), [("build", "success"), ("test", "skipped"), ("evidence", "success")]);
    assert!(said.contains("test was left out: the project names no tests"), "{said}");
    desk.edit(".fwai/project.yaml", "build:\n", "build:\n  test_command: test -e pass\n");
    let (code, object, _) = desk.json(&["run", "build_and_test"]);
    assert_eq!(code, 1);
    assert_eq!(steps(&object), [("build", "success"), ("test", "failure"), ("evidence", "success")]);
    assert_eq!(object["steps"][1]["exit_code"], 1);
    fs::write(desk.root().join("pass"), "").unwrap();
    assert_eq!(desk.json(&["run", "build_and_test"]).0, 0);
    let (code, object, said) = desk.json(&["run", "size_report"]);
    assert_eq!(code, 0, "{said}");
    assert!(object["steps"][1]["detail"].as_str().unwrap().contains("FLASH: "), "{object}");
    let elf = fs::read_dir(desk.root().join("build/debug"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ext| ext == "elf"))
        .unwrap();
    fs::copy(&elf, desk.root().join("old.elf")).unwrap();
    let (code, object, said) = desk.json(&["run", "size_report", "--input", "against=old.elf"]);
    assert_eq!(code, 0, "{said}");
    assert!(object["steps"][1]["detail"].as_str().unwrap().contains("growth"), "{object}");
    desk.verifies();
}

#[test]
fn diagnose_boot_names_the_line_of_a_fault_and_is_green_where_all_is_well() {
    let desk = Desk::firmware();
    assert_eq!(desk.json(&["run", "build_flash_monitor"]).0, 0);
    let (code, object, said) = desk.json(&["run", "diagnose_boot", "--ci"]);
    assert_eq!(code, 0, "{object}\n{said}");
    let ended = [
        ("reset", "success"),
        ("console", "success"),
        ("fault", "skipped"),
        ("diagnosis", "skipped"),
        ("evidence", "success"),
    ];
    assert_eq!(steps(&object), ended);
    assert!(object["steps"][2]["runs"].is_null(), "{object}");
    desk.edit(
        "src/main.c",
        "    uart_write(\"boot ok",
        "    *(volatile unsigned *)0x60000000 = 1;\n    uart_write(\"boot ok",
    );
    assert_eq!(desk.json(&["run", "build_flash_monitor"]).0, 1);
    let (code, object, said) = desk.json(&["run", "diagnose_boot", "--ci"]);
    assert_eq!(code, 1, "{object}\n{said}");
    assert_eq!(
        (steps(&object)[1], steps(&object)[2]),
        (("console", "failure"), ("fault", "success")),
        "{object}"
    );
    assert!(
        object["steps"][1]["detail"].as_str().unwrap().contains("src/main.c:"),
        "the line of the fault: {object}"
    );
    assert_eq!(object["reason"], "the step console ended as failure", "the reset may fail");
    assert_eq!(object["boot"]["status"], "failure");
    desk.verifies();
}
