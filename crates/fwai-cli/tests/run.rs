//! `fwai run` as people and CI systems use it: the real program, gcc, QEMU and sandbox; only the model is scripted.

use assert_cmd::Command;
use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

const BOARD: &str = "stm32vldiscovery";

/// A project of a user with a home of its own. Dropping it ends its QEMU, also when a test panics.
struct Desk {
    folder: tempfile::TempDir,
    server: Option<ModelServer>,
}

impl Desk {
    /// An empty project; the user's own skills are those given.
    fn plain(skills: &[&str]) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap(), server: None };
        fs::create_dir_all(desk.root()).unwrap();
        for text in skills {
            desk.skill(text);
        }
        desk
    }

    /// A real firmware project for the virtual board, under git.
    fn firmware() -> Self {
        let desk = Self::plain(&[]);
        let git = |arguments: &[&str]| {
            let done =
                std::process::Command::new("git").current_dir(desk.root()).args(arguments).output().unwrap();
            assert!(done.status.success());
        };
        git(&["init", "-q"]);
        desk.fwai(&["init", "--yes", "--template", "bare-metal"]).assert().success();
        git(&["add", "-A"]);
        git(&["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "start"]);
        desk
    }

    fn with_model(mut self, turns: Vec<Turn>) -> Self {
        self.server = Some(ModelServer::start(turns));
        self
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn skill(&self, text: &str) {
        let name = text.lines().find_map(|line| line.strip_prefix("name: ")).unwrap();
        let directory = self.folder.path().join("home/skills");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("{name}.yaml")), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fwai"));
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("FWAI_HOME", self.folder.path().join("home"))
            .stdin(Stdio::null())
            .args(arguments);
        if let Some(server) = &self.server {
            command
                .env("FWAI_PROVIDER", "anthropic")
                .env("FWAI_BASE_URL", server.url())
                .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"));
        }
        command
    }

    fn fwai(&self, arguments: &[&str]) -> Command {
        Command::from_std(self.command(arguments))
    }

    /// Runs with `--json`: exit code, the one object, and what was said to people.
    fn json(&self, arguments: &[&str]) -> (i32, Value, String) {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = String::from_utf8(output.stdout).unwrap();
        let object = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{said}"));
        (output.status.code().unwrap(), object, said)
    }

    fn evidence(&self, run: &Value) -> Value {
        let file = self.root().join(".fwai/runs").join(run["run_id"].as_str().unwrap()).join("evidence.json");
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    }

    fn verifies(&self) {
        self.fwai(&["audit", "verify", "--all"]).assert().success();
    }

    fn edit(&self, file: &str, old: &str, new: &str) {
        let path = self.root().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(path, text.replacen(old, new, 1)).unwrap();
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.root().join(".fwai/boards").exists() {
            let _ = self.command(&["board", "power", "off", BOARD]).output();
        }
    }
}

fn steps(object: &Value) -> Vec<(&str, &str)> {
    object["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["name"].as_str().unwrap(), step["status"].as_str().unwrap()))
        .collect()
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs with these words in its command line.
fn runs(words: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.into_iter().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    })
}

fn send(child: &Child, signal: &str) {
    let done = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

fn file_names(directory: &Path) -> Vec<String> {
    fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

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

const FLAKY: &str = r#"
name: flaky
description: Succeeds the third time.
steps:
  - name: count
    tool: bash
    with: {command: "echo x >> tries; test $$(wc -l < tries) -ge 3"}
    retry: {times: 4, backoff: 0}
  - name: after
    tool: bash
    with: {command: "echo $steps.count.attempts tries, exit $steps.count.exit_code"}
"#;

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
    assert!(said.contains("no model to talk to"), "{said}");
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
