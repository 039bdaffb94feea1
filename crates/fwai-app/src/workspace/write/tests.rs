//! What stays and what changes when init runs again.

use super::*;
use serde_json::json;

fn values(mcu: &str, command: &str) -> Vec<ProjectValue> {
    vec![
        ProjectValue { path: "name", value: json!("demo") },
        ProjectValue { path: "target.mcu", value: json!(mcu) },
        ProjectValue {
            path: "target.regions",
            value: json!([{"name": "FLASH", "origin": 0x0800_0000_u32, "length": 0x20000, "attributes": "rx"}]),
        },
        ProjectValue { path: "build.command", value: json!(command) },
    ]
}

fn project(root: &Path) -> String {
    std::fs::read_to_string(root.join(".fwai/project.yaml")).unwrap()
}

#[test]
fn the_first_run_writes_everything_readably() {
    let dir = tempfile::tempdir().unwrap();
    let written = write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    assert!(written.written.contains(&".fwai/project.yaml".to_owned()));
    insta::assert_snapshot!(project(dir.path()), @r"
    # yaml-language-server: $schema=./schemas/project.json
    # What fwai knows about this firmware. `fwai init` wrote it from the project's own files; change any line,
    # later runs of init keep what you wrote.

    name: demo

    target:
      mcu: STM32F100RB
      regions:
        - { name: FLASH, origin: 0x08000000, length: 0x20000, attributes: rx }

    build:
      command: make
    ");
    for name in ["config.yaml", ".gitignore", "init.json", "schemas/project.json", "schemas/config.json"] {
        assert!(dir.path().join(".fwai").join(name).is_file(), "{name}");
    }
    let entries: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(entries, [".fwai"]);
}

#[test]
fn a_second_run_with_the_same_findings_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    let again = write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    assert!(again.written.is_empty(), "{:?}", again.written);
    assert!(again.kept.is_empty());
}

#[test]
fn what_fwai_wrote_follows_the_project_and_what_a_person_wrote_stays() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    let file = dir.path().join(".fwai/project.yaml");
    let edited = project(dir.path())
        .replace("command: make", "command: make -j8   # my machine has eight cores")
        .replace("name: demo", "# the name on the box\nname: \"Rover One\"");
    std::fs::write(&file, &edited).unwrap();
    let gitignore = dir.path().join(".fwai/.gitignore");
    let mine = std::fs::read_to_string(&gitignore).unwrap().replace("/log/\n", "") + "secret.txt\n";
    std::fs::write(&gitignore, &mine).unwrap();

    let again = write(dir.path(), &values("STM32F103RB", "cmake")).unwrap();
    assert_eq!(project(dir.path()), edited.replace("mcu: STM32F100RB", "mcu: STM32F103RB"));
    assert_eq!(std::fs::read_to_string(&gitignore).unwrap(), mine);
    let kept: Vec<&str> = again.kept.iter().map(|kept| kept.key.as_str()).collect();
    assert_eq!(kept, ["name", "build.command"]);

    // The person's command stays theirs for ever, also when the project moves on once more.
    write(dir.path(), &values("STM32F105RB", "ninja")).unwrap();
    assert!(project(dir.path()).contains("make -j8   # my machine"));
    assert!(project(dir.path()).contains("STM32F105RB"));
}

#[test]
fn a_key_that_a_person_took_out_stays_out() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    let file = dir.path().join(".fwai/project.yaml");
    let edited = project(dir.path()).replace("  mcu: STM32F100RB\n", "");
    std::fs::write(&file, &edited).unwrap();
    write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    assert_eq!(project(dir.path()), edited);
}

#[test]
fn a_file_written_by_hand_is_only_added_to() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".fwai")).unwrap();
    let mine = "# mine\nbuild: { command: ./go }   # flow\n";
    std::fs::write(dir.path().join(".fwai/project.yaml"), mine).unwrap();
    write(dir.path(), &values("STM32F100RB", "make")).unwrap();
    assert!(project(dir.path()).starts_with(mine), "{}", project(dir.path()));
    assert!(project(dir.path()).contains("mcu: STM32F100RB"));
}

#[test]
fn broken_files_and_wrong_places_are_errors_that_change_nothing() {
    let broken: &[(&str, &str)] = &[
        ("target: [1, 2\n", "project.yaml"),
        ("target: 7\n", "project.yaml"),
        ("serial: { baud: fast }\n", "project.yaml"),
    ];
    for (text, name) in broken {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".fwai")).unwrap();
        std::fs::write(dir.path().join(".fwai").join(name), text).unwrap();
        let error = write(dir.path(), &values("a", "b")).unwrap_err().to_string();
        assert!(error.contains(".fwai/project.yaml:"), "{error}");
        assert_eq!(std::fs::read_dir(dir.path().join(".fwai")).unwrap().count(), 1);
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(".fwai"), "").unwrap();
    assert!(matches!(write(dir.path(), &[]), Err(WorkspaceError::NotADirectory { .. })));
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join(".fwai/config.yaml")).unwrap();
    let error = write(dir.path(), &[]).unwrap_err().to_string();
    assert!(error.contains(".fwai/config.yaml is a directory"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path().join(".fwai")).unwrap().count(), 1);
}

#[test]
fn an_interrupted_update_leaves_nothing_that_looks_like_a_persons_doing() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &values("A1", "make")).unwrap();
    // As if killed after the record, and after the project file, but before the record's second writing.
    let plan = Plan::make(
        &Paths { user: dir.path().join("u"), project: dir.path().to_owned() },
        &values("B2", "make"),
    )
    .unwrap();
    std::fs::write(dir.path().join(".fwai/init.json"), plan.before.joined(&plan.after).text()).unwrap();
    for (name, text) in &plan.changes {
        if name == "project.yaml" {
            std::fs::write(dir.path().join(".fwai").join(name), text).unwrap();
        }
    }
    let again = write(dir.path(), &values("C3", "make")).unwrap();
    assert!(again.kept.is_empty(), "{:?}", again.kept);
    assert!(project(dir.path()).contains("C3"));
}
