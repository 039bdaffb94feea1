//! The demo from start to end: real compiler, real QEMU, real evidence; only the model is a recording.

use assert_cmd::Command;
use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::json;

#[test]
fn the_demo_mends_the_bug_and_its_evidence_verifies() {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path().join("project");
    let fwai = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("fwai").unwrap();
        command.env("FWAI_HOME", directory.path().join("user")).env_remove("CI").args(arguments);
        command
    };
    let output = fwai(&["demo", "--yes", "--dir", project.to_str().unwrap()]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("recording") && told.contains("verified"), "{told}");
    assert!(std::fs::read_to_string(project.join("src/led.c")).unwrap().contains("0x40011000U"));
    let report = std::fs::read_to_string(project.join("report.html")).unwrap();
    assert!(report.contains("led.c"));
    // The turn may say that it fixed the boot, and only as long as the file is as it left it.
    let claims = || {
        let output = fwai(&["audit", "claims", "--json", "-C", project.to_str().unwrap()]).output().unwrap();
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let fixed = said["claims"].as_array().unwrap().iter().find(|claim| claim["kind"] == "fixed").cloned();
        fixed.unwrap_or_else(|| panic!("no claim of a fix: {said:#}"))
    };
    let fixed = claims();
    assert_eq!((&fixed["state"], fixed["runs"].as_array().unwrap().len()), (&"fresh".into(), 2), "{fixed:#}");
    let led = std::fs::read_to_string(project.join("src/led.c")).unwrap();
    std::fs::write(project.join("src/led.c"), format!("{led}\n")).unwrap();
    assert_eq!(claims()["reasons"][0], "src/led.c changed");
    // One changed byte anywhere is found.
    let runs = project.join(".fwai/runs");
    let turn = std::fs::read_dir(&runs)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.to_string_lossy().ends_with("turn"))
        .unwrap();
    let evidence = std::fs::read_to_string(turn.join("evidence.json")).unwrap();
    std::fs::write(turn.join("evidence.json"), evidence.replacen("led.c", "lad.c", 1)).unwrap();
    fwai(&["audit", "verify", "--all", "-C", project.to_str().unwrap()]).assert().code(1);
}

/// The same task for the user's own model; here one that knows the answer.
#[test]
fn live_the_users_own_model_gets_the_task() {
    let edits = json!([{"old": "0x60011000U", "new": "0x40011000U"}]);
    let server = ModelServer::start(vec![
        Turn::tool("edit_file", json!({"path": "src/led.c", "edits": edits})),
        Turn::tool("build_firmware", json!({})),
        Turn::tool("flash_board", json!({})),
        Turn::tool("read_console", json!({"wait_for_boot": true})),
        Turn::text("The port's address was wrong."),
    ]);
    let (code, shown, project) = live(&server);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("your own model") && !shown.contains("recording"), "{shown}");
    assert!(
        std::fs::read_to_string(project.path().join("project/src/led.c")).unwrap().contains("0x40011000U")
    );
    let first = server.requests()[0].body.to_string();
    assert!(first.contains("it never says"), "the model gets the task");
}

/// A model's word is not enough: the board decides.
#[test]
fn live_a_model_that_only_claims_success_fails() {
    let server = ModelServer::start(vec![Turn::text("I have mended it and it boots.")]);
    let (code, shown, _project) = live(&server);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("the bug is still there"), "{shown}");
}

#[test]
fn live_without_a_model_makes_nothing_and_names_the_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("fwai").unwrap();
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", directory.path())
        .env("FWAI_HOME", directory.path().join("user"))
        .env("FWAI_PROVIDER", "anthropic")
        .current_dir(directory.path())
        .args(["demo", "--live", "--dir", "project"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("ANTHROPIC_API_KEY") && told.contains("without --live"), "{told}");
    assert!(!directory.path().join("project").exists());
}

fn live(server: &ModelServer) -> (Option<i32>, String, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("fwai").unwrap();
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", directory.path())
        .env("LANG", "C.UTF-8")
        .env("FWAI_HOME", directory.path().join("user"))
        .env("FWAI_PROVIDER", "anthropic")
        .env("FWAI_BASE_URL", server.url())
        .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"))
        .current_dir(directory.path())
        .args(["demo", "--live", "--dir", "project"]);
    let output = command.output().unwrap();
    let shown =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), shown, directory)
}
