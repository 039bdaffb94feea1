//! Skills as files: trust, mistakes, the form of the handbook, explanations.

use super::*;

#[test]
fn a_projects_own_skill_counts_once_it_is_trusted() {
    let desk = Desk::plain(&[]);
    let place = desk.root().join(".fwai/skills");
    fs::create_dir_all(&place).unwrap();
    fs::write(
        place.join("own.yaml"),
        "name: own\ndescription: Mine.\nsteps:\n  - tool: bash\n    with: {command: touch ran}\n",
    )
    .unwrap();
    let (code, object, said) = desk.json(&["run", "own"]);
    assert_eq!(code, 3, "{object}");
    assert!(said.contains("fwai trust"), "{said}");
    assert!(!desk.root().join("ran").exists());
    assert_eq!(desk.json(&["run", "--list"]).1["untrusted"], json!(["own"]));
    desk.fwai(&["trust", "--yes"]).assert().success();
    assert_eq!(desk.json(&["run", "own"]).0, 0);
    assert!(desk.root().join("ran").exists());
}

#[test]
fn a_broken_skill_points_at_its_line_and_guesses() {
    let desk = Desk::plain(&[
        "name: typo\ndescription: d\nsteps:\n  - tool: build_firmwar\n  - tool: bash\n    with: {comand: ls}\n",
        "name: later\ndescription: d\nsteps:\n  - tool: bash\n    with: {command: \"echo $steps.two.output\"}\n  - name: two\n    tool: bash\n    with: {command: ls}\n",
        "name: loop\ndescription: d\nsteps:\n  - tool: skill\n    with: {name: loop}\n",
        "name: cond\ndescription: d\nsteps:\n  - tool: bash\n    with: {command: ls}\n    when: steps.bash.status == failed\n",
    ]);
    let (code, _, said) = desk.json(&["run", "typo"]);
    assert_eq!(code, 2);
    assert!(said.contains("typo.yaml:4:11") && said.contains("build_firmware"), "{said}");
    assert!(said.contains("typo.yaml:6") && said.contains("command"), "{said}");
    let (code, _, said) = desk.json(&["run", "later"]);
    assert_eq!(code, 2);
    assert!(said.contains("later.yaml:5") && said.contains("comes later"), "{said}");
    let (code, _, said) = desk.json(&["run", "loop"]);
    assert_eq!(code, 2);
    assert!(said.contains("cannot be a step"), "{said}");
    let (code, _, said) = desk.json(&["run", "cond"]);
    assert_eq!(code, 2);
    assert!(said.contains("is no status"), "{said}");
    assert!(!desk.root().join(".fwai/runs").exists(), "nothing was started");
    let (code, object, _) = desk.json(&["run", "--list"]);
    assert_eq!(code, 0, "broken skills do not hide the others");
    assert_eq!(object["skills"].as_array().unwrap().len(), 7);
    assert_eq!(object["broken"].as_array().unwrap().len(), 2, "{object}");
}

#[test]
fn the_form_of_the_handbook_is_understood() {
    let desk = Desk::plain(&[r#"
name: handbook
description: Steps as the handbook writes them.
steps:
  - {tool: build, on_fail: abort}
  - {tool: test, on_fail: continue}
  - {action: evidence}
  - {action: llm_analyze, input: "build.log", prompt: "What did it build?"}
  - {action: agentic, goal: "Say hello", agent: "bsp"}
"#])
    .with_model(vec![Turn::text("One image."), Turn::text("hello")]);
    let home = desk.folder.path().join("home");
    fs::create_dir_all(home.join("agents")).unwrap();
    fs::write(
        home.join("agents/bsp.yaml"),
        "name: bsp\ndescription: Board support.\ntools: [read_file]\nprompt: You know boards.\n",
    )
    .unwrap();
    fs::create_dir_all(home.join("tools")).unwrap();
    fs::write(
        home.join("tools/build.yaml"),
        "name: build\ndescription: Build.\ncommand: echo built an image\nlevel: execute\n",
    )
    .unwrap();
    fs::write(
        home.join("tools/test.yaml"),
        "name: test\ndescription: Test.\ncommand: echo tested\nlevel: execute\n",
    )
    .unwrap();
    let (code, object, said) = desk.json(&["run", "handbook"]);
    assert_eq!(code, 0, "{object}\n{said}");
    let names: Vec<&str> = steps(&object).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["build", "test", "evidence", "llm_analyze", "agentic"]);
    let requests = desk.server.as_ref().unwrap().requests();
    assert!(requests[0].body.to_string().contains("built an image"), "{}", requests[0].body);
    let tools: Vec<&str> = requests[1].body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["read_file"], "an agent has its own tools only");
    assert!(requests[1].body.to_string().contains("You know boards."));
    desk.verifies();
}

#[test]
fn explaining_runs_nothing() {
    let desk = Desk::plain(&[FLAKY]);
    let (code, object, _) = desk.json(&["run", "--explain", "flaky"]);
    assert_eq!((code, object["steps"][0]["kind"].as_str()), (0, Some("bash")));
    let (code, object, _) = desk.json(&["run", "size_report", "--dry-run", "--input", "against=HEAD"]);
    assert_eq!((code, &object["steps"][1]["with"]["against"]), (0, &json!("HEAD")));
    assert!(!desk.root().join("tries").exists() && !desk.root().join(".fwai/runs").exists());
    let output =
        desk.command(&["run", "--explain", "compile it and upload it to the board"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        told.contains("speaks of build, flash") && told.contains("so build_flash_monitor runs"),
        "{told}"
    );
}
