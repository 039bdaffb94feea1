//! The demo from start to end: real compiler, real QEMU, real evidence; only the model is a recording.

use assert_cmd::Command;

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
