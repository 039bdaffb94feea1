//! `fwai policy` and `fwai sandbox`, driven as a user would.

use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    io::Read,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir_all(directory.path().join("project/.fwai")).unwrap();
    fs::create_dir_all(directory.path().join("home/.ssh")).unwrap();
    fs::write(directory.path().join("home/.ssh/id_rsa"), "PRIVATE").unwrap();
    directory
}

fn fwai(directory: &Path) -> Command {
    let mut command = Command::cargo_bin("fwai").unwrap();
    command
        .current_dir(directory.join("project"))
        .env("HOME", directory.join("home"))
        .env("FWAI_HOME", directory.join("home/fwai"))
        .env_remove("XDG_CONFIG_HOME");
    command
}

fn check(directory: &Path, arguments: &[&str]) -> Value {
    let output = fwai(directory).args(["policy", "check", "--json"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_command_is_judged_by_its_worst_part() {
    let directory = project();
    let verdict = check(directory.path(), &["ls && rm -rf ~"]);
    assert_eq!(verdict["verdict"], "deny");
    assert_eq!(verdict["worst_part"], "rm -rf ~");
    assert!(verdict["reason"].as_str().unwrap().contains("outside the project"));
    assert_eq!(check(directory.path(), &["git status"])["verdict"], "allow");
    assert_eq!(check(directory.path(), &["git push"])["verdict"], "ask");
    assert_eq!(check(directory.path(), &["--mode", "plan", "touch x"])["verdict"], "deny");
    assert_eq!(check(directory.path(), &["--mode", "yolo", "git push"])["verdict"], "allow");
}

#[test]
fn rules_are_added_shown_and_removed() {
    let directory = project();
    fwai(directory.path())
        .args(["policy", "rules", "add", "deny", "make flash", "--reason", "not today"])
        .assert()
        .success();
    let verdict = check(directory.path(), &["make flash"]);
    assert_eq!((verdict["verdict"].as_str(), verdict["reason"].as_str()), (Some("deny"), Some("not today")));
    let output = fwai(directory.path()).args(["policy", "rules", "--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["rules"][0]["command"], "make flash");
    fwai(directory.path()).args(["policy", "rules", "remove", "0"]).assert().success();
    fwai(directory.path()).args(["policy", "rules", "remove", "0"]).assert().code(2);
    assert_eq!(check(directory.path(), &["make flash"])["verdict"], "allow");
}

#[test]
fn the_sandbox_gives_the_commands_own_output_and_exit_code() {
    let directory = project();
    let run = |arguments: &[&str]| fwai(directory.path()).arg("sandbox").args(arguments).output().unwrap();
    let output = run(&["--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    assert_eq!(
        (output.status.code(), &output.stdout[..], &output.stderr[..]),
        (Some(7), &b"out\n"[..], &b"err\n"[..])
    );
    assert!(run(&["--", "touch", "made"]).status.success());
    assert!(directory.path().join("project/made").exists());
    for line in ["touch ../x", "touch .fwai/policy.yaml", "mkdir .git", "cat ~/.ssh/id_rsa", "touch ~/x"] {
        let output = run(&["--", "sh", "-c", line]);
        assert!(!output.status.success(), "{line}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("PRIVATE"));
    }
    assert!(!run(&["--mode", "plan", "--", "touch", "planned"]).status.success());
    assert!(!directory.path().join("project/planned").exists());
    assert_eq!(run(&["--", "sh", "-c", "kill -9 $$"]).status.code(), Some(137));
    let explained = run(&["--explain", "--json", "--allow-network", "--", "git", "commit", "-m", "x"]);
    let explained: serde_json::Value = serde_json::from_slice(&explained.stdout).unwrap();
    assert_eq!(explained["network"], "open");
    assert!(explained["protected"].as_array().unwrap().contains(&".git/hooks".into()), "{explained}");
    assert_eq!(explained["limits"]["cpu_s"], 36_000);
    let explained = run(&["--explain", "--mode", "plan"]);
    let said = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(
        explained.status.success() && said.contains("network: none") && said.contains("nothing"),
        "{said}"
    );
    let fed = fwai(directory.path()).args(["sandbox", "--", "cat"]).write_stdin("fed").output().unwrap();
    assert_eq!(fed.stdout, b"fed");
}

#[test]
fn everything_dies_with_fwai() {
    let directory = project();
    let marker = format!("34{}.25", std::process::id());
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_fwai"))
        .current_dir(directory.path().join("project"))
        .env("FWAI_HOME", directory.path().join("home/fwai"))
        .args([
            "sandbox",
            "--",
            "sh",
            "-c",
            &format!("setsid sleep {marker} & echo ready; trap '' TERM HUP; sleep {marker}"),
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
    assert!(lives(&marker));
    child.kill().unwrap();
    child.wait().unwrap();
    let start = Instant::now();
    while lives(&marker) {
        assert!(start.elapsed() < Duration::from_secs(20), "the command outlived fwai");
        std::thread::yield_now();
    }
}

fn lives(marker: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(marker)
    })
}
