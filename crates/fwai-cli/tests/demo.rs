//! The demo from start to end: real compiler, real QEMU, real evidence; only the model is a recording.

use assert_cmd::Command;
use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::{fs::symlink, process::ExitStatusExt as _},
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::{Duration, Instant},
};

/// A user who has never run fwai, and the place where the demo's project shall be.
struct Newcomer {
    folder: tempfile::TempDir,
}

impl Newcomer {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fwai"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("FWAI_HOME", self.folder.path().join("user"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .args(arguments);
        command
    }

    fn demo(&self, more: &[&str]) -> std::process::Command {
        self.command(&[&["demo", "--dir", "project"], more].concat())
    }

    /// Only these programs can be found.
    fn with_programs(&self, missing: &[&str]) -> PathBuf {
        let place = self.folder.path().join("programs");
        fs::create_dir(&place).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        for file in std::env::split_paths(&path).filter_map(|place| fs::read_dir(place).ok()).flatten() {
            let file = file.unwrap().path();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            if !missing.contains(&name.as_str()) {
                let _ = symlink(&file, place.join(name));
            }
        }
        place
    }
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        if self.project().join(".fwai/boards").exists() {
            let project = self.project();
            let _ = self.command(&["board", "power", "off", "-C", project.to_str().unwrap()]).output();
        }
    }
}

fn shown(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Whether a virtual board of this project runs.
fn board_runs(project: &Path) -> bool {
    let place = format!("{}/.fwai/boards", project.display());
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.starts_with(b"qemu-system-arm") && String::from_utf8_lossy(&line).contains(&place)
    })
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Someone who pipes it into a file or a pager reads the whole story, in its order.
#[test]
fn the_whole_story_is_on_standard_output_in_its_order() {
    let newcomer = Newcomer::new();
    let output = newcomer.demo(&[]).output().unwrap();
    let (story, aside) = shown(&output);
    assert!(output.status.success(), "{story}{aside}");
    let mut rest = story.as_str();
    for part in [
        "a recording; every tool runs for real",
        "First I reproduce it",
        "✓ build_firmware",
        "✓ flash_board",
        "✗ read_console wait_for_boot seconds=3",
        "✓ decode_fault",
        "✓ edit_file src/led.c (",
        "It boots.",
        "-#define GPIOC_BASE 0x60011000U",
        "verified",
        "report.html",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing or too early:\n{story}"));
        rest = &rest[at..];
    }
    assert_eq!(aside, "", "nothing is said beside it");
    assert!(!board_runs(&newcomer.project()));
    // "Look around": each command that it names does what it says.
    let project = newcomer.project();
    let then = |arguments: &[&str]| {
        let output =
            newcomer.command(&[arguments, &["-C", project.to_str().unwrap()]].concat()).output().unwrap();
        let (said, aside) = shown(&output);
        assert!(output.status.success(), "{arguments:?}: {said}{aside}");
        said
    };
    assert!(then(&["evidence", "list"]).contains("-turn"));
    then(&["audit", "log"]);
    assert!(then(&["undo"]).contains("src/led.c"));
    assert!(fs::read_to_string(project.join("src/led.c")).unwrap().contains("0x60011000U"));
    assert!(project.join("report.html").is_file(), "what was made afterwards stays");
}

#[test]
fn with_json_there_is_one_object_and_people_read_standard_error() {
    let newcomer = Newcomer::new();
    let output = newcomer.demo(&["--json"]).output().unwrap();
    let (object, aside) = shown(&output);
    assert!(output.status.success(), "{object}{aside}");
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(
        (&object["status"], &object["boots"], &object["verified"], &object["live"]),
        (&json!("success"), &json!(true), &json!(true), &json!(false))
    );
    assert!(Path::new(object["report"].as_str().unwrap()).is_file());
    assert!(object["run_id"].as_str().unwrap().ends_with("-turn"), "{object}");
    assert!(aside.contains("First I reproduce it"), "{aside}");
}

#[test]
fn the_recorded_words_are_in_the_users_language() {
    let newcomer = Newcomer::new();
    let output = newcomer.demo(&["--lang", "zh-TW"]).output().unwrap();
    let (story, aside) = shown(&output);
    assert!(output.status.success(), "{story}{aside}");
    for words in ["以最小的修改修好", "錄好的", "核心在 led_init", "開機成功。", "驗證通過"]
    {
        assert!(story.contains(words), "{words}:\n{story}");
    }
    assert!(!story.contains("First I reproduce it"), "{story}");
}

/// A recording that says "it builds" while no compiler is there would be a lie.
#[test]
fn what_is_missing_is_named_before_anything_is_made() {
    let newcomer = Newcomer::new();
    let programs = newcomer.with_programs(&["qemu-system-arm", "ninja", "ninja-build"]);
    let output = newcomer.demo(&[]).env("PATH", programs).output().unwrap();
    let (story, aside) = shown(&output);
    assert_eq!(output.status.code(), Some(1), "{story}{aside}");
    assert!(aside.contains("not installed: ninja, qemu-system-arm"), "{aside}");
    assert!(aside.contains("sudo apt install ninja-build qemu-system-arm"), "{aside}");
    assert_eq!(story, "");
    assert!(!newcomer.project().exists());
}

#[test]
fn a_tool_that_fails_here_and_did_not_then_stops_the_recording() {
    let newcomer = Newcomer::new();
    let programs = newcomer.with_programs(&["arm-none-eabi-gcc"]);
    let compiler = programs.join("arm-none-eabi-gcc");
    fs::write(&compiler, "#!/bin/sh\necho 'fatal: no newlib here' >&2\nexit 1\n").unwrap();
    fs::set_permissions(&compiler, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let output = newcomer.demo(&[]).env("PATH", programs).output().unwrap();
    let (story, aside) = shown(&output);
    assert_eq!(output.status.code(), Some(1), "{story}{aside}");
    assert!(story.contains("✗ build_firmware"), "{story}");
    assert!(!story.contains("It builds cleanly"), "the next words would be untrue: {story}");
    assert!(
        aside.contains("the recording stops here: build_firmware failed on this machine and succeeded when"),
        "{aside}"
    );
    assert!(!aside.contains("replay:"), "{aside}");
}

#[test]
fn an_interrupted_demo_leaves_evidence_that_verifies_and_no_board() {
    for (signal, name) in [("-INT", "Ctrl-C"), ("-TERM", "SIGTERM")] {
        let newcomer = Newcomer::new();
        let child = newcomer.demo(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        until("the board", || board_runs(&newcomer.project()));
        let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let (story, aside) = shown(&output);
        assert_eq!(
            (output.status.code(), output.status.signal()),
            (Some(130), None),
            "{name}: {story}{aside}"
        );
        assert!(aside.contains("is on record in"), "{name}: {aside}");
        until("the end of the board", || !board_runs(&newcomer.project()));
        let project = newcomer.project();
        let verify =
            newcomer.command(&["audit", "verify", "--all", "-C", project.to_str().unwrap()]).output();
        let (said, more) = shown(&verify.unwrap());
        assert!(said.contains("verified") && !more.contains("cut off"), "{name}: {said}{more}");
        let show = newcomer
            .command(&["evidence", "show", "turn", "--json", "-C", project.to_str().unwrap()])
            .output()
            .unwrap();
        let evidence: Value = serde_json::from_slice(&show.stdout).unwrap();
        assert_eq!(evidence["status"], "interrupted", "{name}");
    }
}

#[test]
fn nothing_of_others_is_touched() {
    let newcomer = Newcomer::new();
    fs::create_dir(newcomer.project()).unwrap();
    fs::write(newcomer.project().join("mine.txt"), "x").unwrap();
    let output = newcomer.demo(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).1.contains("is not empty"));
    assert_eq!(fs::read_dir(newcomer.project()).unwrap().count(), 1);
    // A file where the directory should be, and a git of somebody above.
    fs::remove_dir_all(newcomer.project()).unwrap();
    fs::write(newcomer.project(), "a file").unwrap();
    let output = newcomer.demo(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output).1);
    assert_eq!(fs::read_to_string(newcomer.project()).unwrap(), "a file");
}

/// `git rebase --exec "fwai demo"` lends its repository to every child.
#[test]
fn the_git_of_somebody_above_is_left_alone() {
    let newcomer = Newcomer::new();
    let above = newcomer.folder.path().join("above");
    fs::create_dir(&above).unwrap();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").current_dir(&above).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", shown(&output).1);
        shown(&output).0
    };
    git(&["init", "-q", "."]);
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(&[&identity[..], &["commit", "-q", "--allow-empty", "-m", "start"]].concat());
    let before = git(&["rev-parse", "HEAD"]);
    let output = newcomer.demo(&[]).env("GIT_DIR", above.join(".git")).output().unwrap();
    assert!(output.status.success(), "{}", shown(&output).1);
    assert_eq!(git(&["rev-parse", "HEAD"]), before);
    assert!(newcomer.project().join(".git").is_dir());
}

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
    assert!(output.status.success(), "{}", shown(&output).1);
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
