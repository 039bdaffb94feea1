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

/// What is wrong with a file is told with its place and the next step, and nothing is started.
#[test]
fn bad_files_are_told_with_their_place() {
    let head = "name: bad\ndescription: d\n";
    let bad: &[(&str, &str, &str)] = &[
        ("steps: build\n", "bad.yaml:3:8", "must be a list"),
        ("steps:\n  build: {tool: build}\n", "bad.yaml:4:3", "must be a list, but this is a mapping"),
        ("steps: []\n", "bad.yaml:3", "at least one"),
        ("steps:\n  - {}\n", "bad.yaml:4", "needs `tool: NAME` or `action"),
        ("steps:\n  - {tool: bash, with: {command: 5}}\n", "bad.yaml:4", "command"),
        ("steps:\n  - {tool: bash, action: evidence, with: {command: ls}}\n", "bad.yaml:4", "not both"),
        ("steps:\n  - {action: llm_analyse, prompt: x}\n", "bad.yaml:4:14", "did you mean `llm_analyze`?"),
        ("steps:\n  - {action: llm_analyze}\n", "bad.yaml:4", "needs `prompt"),
        ("steps:\n  - {action: agentic, goal: x, agent: nobody}\n", "bad.yaml:4", "no agent `nobody`"),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, on_fail: abrot}\n",
            "bad.yaml:4",
            "did you mean `abort`?",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, wehn: failure}\n",
            "bad.yaml:4",
            "did you mean `when`?",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, when: succes}\n",
            "bad.yaml:4",
            "did you mean `success`?",
        ),
        ("steps:\n  - {tool: bash, with: {command: ls}, timeout: -5}\n", "bad.yaml:4", "out of range"),
        ("steps:\n  - {tool: bash, with: {command: ls}, timeout: 0}\n", "bad.yaml:4", "longer than nothing"),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, timeout: soon}\n",
            "bad.yaml:4",
            "write seconds, or 500ms",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, timeout: [1]}\n",
            "bad.yaml:4",
            "a number or a string",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, retry: often}\n",
            "bad.yaml:4",
            "must be a mapping or an integer",
        ),
        ("steps:\n  - {tool: bash, with: {command: ls}, retry: {times: -1}}\n", "bad.yaml:4", "out of range"),
        ("steps:\n  - {tool: bash, with: {command: ls}, retry: {times: 999}}\n", "bad.yaml:4", "at most 100"),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, retry: {times: 1, backoff: x}}\n",
            "bad.yaml:4",
            "is no time",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: \"echo $nothing\"}}\n",
            "bad.yaml:4",
            "no input `nothing`",
        ),
        ("steps:\n  - {tool: bash, with: {command: \"echo ${open\"}}\n", "bad.yaml:4", "never closed"),
        (
            "steps:\n  - {tool: bash, with: {command: \"echo $steps.x.output\"}}\n",
            "bad.yaml:4",
            "no step `x`",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: \"echo {{ steps.x.output }}\"}}\n",
            "bad.yaml:4",
            "write `$steps.x.output`",
        ),
        (
            "steps:\n  - {name: a, tool: bash, with: {command: ls}}\n  - {name: a, tool: bash, with: {command: ls}}\n",
            "bad.yaml:5",
            "already called `a`",
        ),
        (
            "steps:\n  - {name: \"../x\", tool: bash, with: {command: ls}}\n",
            "bad.yaml:4",
            "no name for a step",
        ),
        (
            "steps:\n  - {name: \"\\u001b[31m\", tool: bash, with: {command: ls}}\n",
            "bad.yaml:4",
            "no name for a step",
        ),
        (
            "steps:\n  - {tool: bash, with: {command: ls}, with: {command: rm}}\n",
            "bad.yaml:4",
            "stands twice",
        ),
        (
            "inputs: {\"a b\": 1}\nsteps:\n  - {tool: bash, with: {command: ls}}\n",
            "bad.yaml:3",
            "no name for an input",
        ),
        (
            "inputs: {a: [1]}\nsteps:\n  - {tool: bash, with: {command: ls}}\n",
            "bad.yaml:3",
            "must be a mapping",
        ),
        ("steps:\n  - {tool: task, with: {prompt: x}}\n", "bad.yaml:4", "use `action: agentic`"),
        ("steps: [\n", "bad.yaml:", "not valid YAML"),
    ];
    for (rest, place, words) in bad {
        let desk = Desk::plain(&[&format!("{head}{rest}")]);
        let (code, object, said) = desk.json(&["run", "bad"]);
        assert_eq!(code, 2, "{rest}{said}");
        assert!(said.contains(place) && said.contains(words), "{rest}{said}");
        assert!(object["error"]["message"].as_str().unwrap().contains(place), "{object}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
        assert!(!desk.root().join(".fwai/runs").exists(), "{rest}: nothing was started");
    }
}

/// Files that are no text, no file, or no end, beside one that is fine.
#[test]
fn strange_files_hide_nothing_and_hold_nobody_up() {
    let desk = Desk::plain(&[FLAKY]);
    let place = desk.folder.path().join("home/skills");
    fs::write(place.join("junk.yaml"), [0xff, 0xfe, 0, 1, 2, 0x80]).unwrap();
    fs::write(place.join("huge.yaml"), "a".repeat(3 << 20)).unwrap();
    fs::write(place.join("deep.yaml"), "[".repeat(50_000)).unwrap();
    fs::write(place.join("empty.yaml"), "").unwrap();
    let bomb = (1..9).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(",")));
    fs::write(place.join("bomb.yaml"), format!("a0: &a0 [x,x]\n{}", bomb.collect::<String>())).unwrap();
    fs::create_dir(place.join("folder.yaml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place.join("endless.yaml")).unwrap();
    std::os::unix::fs::symlink(place.join("nowhere"), place.join("dangling.yaml")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(place.join("pipe.yaml")).status().unwrap();
    assert!(pipe.success());
    let (code, object, said) = desk.json(&["run", "--list"]);
    assert_eq!((code, object["skills"].as_array().unwrap().len()), (0, 6), "{said}");
    let broken: Vec<&str> =
        object["broken"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(broken, ["bomb", "deep", "empty", "huge", "junk"]);
    for (name, words) in
        [("huge", "larger than"), ("junk", "UTF-8"), ("bomb", "too large"), ("empty", "`name`")]
    {
        let (code, _, said) = desk.json(&["run", name]);
        assert!(
            code == 2 && said.contains(&format!("{name}.yaml")) && said.contains(words),
            "{name}: {said}"
        );
    }
    assert_eq!(desk.json(&["run", "flaky"]).0, 0);
}

#[test]
fn short_forms_of_inputs_and_retries_mean_what_they_say() {
    let desk = Desk::plain(&[r#"
name: short
description: d
inputs:
  board: bench
  count: 3
  fast: true
  none:
steps:
  - name: tell
    tool: bash
    with: {command: "echo board=$board count=$count fast=$fast none=$none."}
    timeout: 1m
  - name: flaky
    tool: bash
    with: {command: "echo x >> tries; test $$(wc -l < tries) -ge 3"}
    retry: 2
"#]);
    let (code, object, said) = desk.json(&["run", "short", "--input", "count=7"]);
    assert_eq!(code, 0, "{object}\n{said}");
    assert!(
        object["steps"][0]["detail"].as_str().unwrap().contains("board=bench count=7 fast=true none=."),
        "{object}"
    );
    assert_eq!(object["steps"][1]["attempts"], 3);
}

#[test]
fn a_strange_key_is_told_once() {
    let text = "name: odd\ndescription: d\ncolour: red\nsteps:\n  - {tool: bash, with: {command: echo hi}}\n";
    let desk = Desk::plain(&[text]);
    let (code, _, said) = desk.json(&["run", "odd"]);
    assert_eq!((code, said.matches("unknown key `colour`").count()), (0, 1), "{said}");
}

#[test]
fn words_that_mean_nothing_are_explained_too() {
    let desk = Desk::plain(&[]);
    let explain = |words: &str| {
        let output = desk.command(&["run", "--explain", words]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let told = explain("how do I flash the board?");
    assert!(told.contains("“how” makes it a question") && told.contains("talk, for the agent"), "{told}");
    let told = explain("不要燒錄");
    assert!(told.contains("“不” says no"), "{told}");
    let told = explain("biuld and flash");
    assert!(told.contains("“biuld” may mean build") && told.contains("asks first"), "{told}");
    let (code, object, _) = desk.json(&["run", "--explain", "hello"]);
    assert_eq!((code, &object["skill"], &object["intent"]["verdict"]), (0, &Value::Null, &json!("chat")));
    assert_eq!(desk.json(&["run", "--explain", "build_and_tets"]).0, 2, "a misspelt name is a mistake");
}
