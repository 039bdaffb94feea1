//! `fwai doctor` with the real program.

use assert_cmd::Command;
use serde_json::Value;
use std::{fs, path::PathBuf};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.project().join(".fwai")).unwrap();
        world
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn doctor(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("FWAI_") || name.ends_with("_API_KEY") || name.ends_with("_BASE_URL") {
                command.env_remove(name);
            }
        }
        command.env("FWAI_HOME", self.dir.path().join("home")).env("OLLAMA_HOST", "127.0.0.1:1");
        command.current_dir(self.project()).arg("doctor").args(arguments);
        command
    }

    fn checks(&self, command: &mut Command) -> Vec<Value> {
        let output = command.output().unwrap();
        let object: Value = serde_json::from_slice(&output.stdout).expect("exactly one JSON object");
        object["checks"].as_array().unwrap().clone()
    }
}

fn find<'a>(checks: &'a [Value], name: &str) -> &'a Value {
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} in {checks:#?}"))
}

#[test]
fn every_check_has_a_status_and_what_is_not_ok_has_a_fix() {
    let world = World::new();
    let checks = world.checks(&mut world.doctor(&["--json"]));
    for check in &checks {
        let status = check["status"].as_str().unwrap();
        assert!(["ok", "warning", "problem"].contains(&status), "{check}");
        assert!(!check["detail"].as_str().unwrap().is_empty(), "{check}");
        assert_eq!(check["fix"].is_string(), status != "ok", "{check}");
    }
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in [
        "git",
        "arm-none-eabi-gcc",
        "cmake",
        "landlock",
        "user namespaces",
        "seccomp",
        "bubblewrap",
        "sandbox",
        "qemu-system-arm",
        "configuration",
        "project",
        "provider",
        "disk space",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(find(&checks, "project")["fix"], "fwai init");
    let git = find(&checks, "git")["detail"].as_str().unwrap();
    assert!(git.starts_with("git version "), "{git}");
    assert!(find(&checks, "qemu-system-arm")["detail"].as_str().unwrap().contains("stm32vldiscovery"));
}

#[test]
fn keys_are_seen_and_never_shown() {
    let world = World::new();
    let key = "sk-ant-api03-not-a-real-key-0123456789";
    let mut command = world.doctor(&["--json"]);
    command.env("ANTHROPIC_API_KEY", key);
    let output = command.output().unwrap();
    let all = [output.stdout.clone(), output.stderr].concat();
    assert!(!String::from_utf8_lossy(&all).contains("0123456789"));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = object["checks"].as_array().unwrap();
    assert_eq!(find(checks, "key of anthropic")["detail"], "ANTHROPIC_API_KEY is set");
    assert_eq!(find(checks, "provider")["status"], "ok");
}

#[test]
fn a_broken_configuration_is_a_problem_and_exit_1() {
    let world = World::new();
    fs::write(world.project().join(".fwai/config.yaml"), "agent:\n  max_iterations: many\n").unwrap();
    let output = world.doctor(&["--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let check = find(object["checks"].as_array().unwrap(), "configuration");
    assert_eq!(check["status"], "problem");
    assert!(check["detail"].as_str().unwrap().contains(".fwai/config.yaml:2"), "{check}");
    assert_eq!(object["ok"], false);
}

#[test]
fn what_this_project_needs_and_is_missing_is_a_problem() {
    let world = World::new();
    fs::write(
        world.project().join(".fwai/project.yaml"),
        "name: x\nbuild: {system: zephyr, command: west build}\n",
    )
    .unwrap();
    let mut command = world.doctor(&["--json"]);
    command.env("PATH", "/nonexistent");
    let checks = world.checks(&mut command);
    assert_eq!(find(&checks, "west")["status"], "problem");
    assert_eq!(find(&checks, "git")["status"], "warning");
}

/// A project that carries its own `git` must not get it started.
#[test]
fn programs_of_the_project_are_never_started() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let trap = world.project().join("git");
    fs::write(&trap, "#!/bin/sh\ntouch started\necho git version 9\n").unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!(".:{}:/usr/bin:/bin", world.project().display());
    world.doctor(&["--json"]).env("PATH", path).output().unwrap();
    assert!(!world.project().join("started").exists());
}

#[test]
fn online_asks_the_provider_and_offline_opens_no_socket() {
    let world = World::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let mut offline = world.doctor(&["--json"]);
    offline.env("FWAI_PROVIDER", "openai").env("FWAI_BASE_URL", &address).env("OPENAI_API_KEY", "k");
    world.checks(&mut offline);
    assert!(listener.accept().is_err(), "offline, yet somebody called");
    drop(listener);
    let mut online = world.doctor(&["--json", "--online"]);
    online.env("FWAI_PROVIDER", "openai").env("FWAI_BASE_URL", &address).env("OPENAI_API_KEY", "k");
    let checks = world.checks(&mut online);
    assert_eq!(find(&checks, "provider online")["status"], "problem");
}
