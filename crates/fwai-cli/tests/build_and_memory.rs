//! `fwai build` and `fwai memory` with the real program and a real compiler.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    /// A small firmware project under git, with a project file.
    fn blinky() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(world.path(".fwai")).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fwai-firmware/tests/projects/blinky");
        for entry in std::fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), world.path(&entry.file_name().to_string_lossy())).unwrap();
        }
        world.write(".gitignore", ".fwai\nbuild\n");
        world.write(".fwai/project.yaml", "name: blinky\nbuild:\n  command: make\n");
        world.sh(
            "git init -q . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm start",
        );
        world
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, &text.replace(from, to));
    }

    fn sh(&self, line: &str) {
        let status =
            std::process::Command::new("sh").args(["-c", line]).current_dir(self.root()).status().unwrap();
        assert!(status.success(), "{line}");
    }

    /// Exit code, the one object on standard output, and standard error.
    fn fwai(&self, arguments: &[&str]) -> (Option<i32>, Value, String) {
        let mut command = Command::cargo_bin("fwai").unwrap();
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FWAI_") {
                command.env_remove(name);
            }
        }
        command.env("FWAI_HOME", self.dir.path().join("home")).current_dir(self.root());
        let output = command.args(arguments).arg("--json").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let object = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{stderr}", String::from_utf8_lossy(&output.stdout)));
        (output.status.code(), object, stderr)
    }
}

#[test]
fn a_build_is_understood_and_recorded() {
    let world = World::blinky();
    let (code, built, stderr) = world.fwai(&["build"]);
    assert_eq!(code, Some(0), "{built:#}\n{stderr}");
    assert_eq!((&built["status"], &built["diagnostics"]), (&"success".into(), &Value::Array(vec![])));
    let elf = &built["artifacts"][0];
    assert_eq!((&elf["kind"], &elf["path"]), (&"elf".into(), &"build/blinky.elf".into()));
    assert_eq!(elf["sha256"].as_str().unwrap().len(), 64);
    assert!(elf["build_id"].is_string() && built["duration_ms"].is_number());
    let run_id = built["run_id"].as_str().unwrap();
    let record: Value = serde_json::from_slice(
        &std::fs::read(world.path(&format!(".fwai/runs/{run_id}/evidence.json"))).unwrap(),
    )
    .unwrap();
    assert_eq!((&record["status"], &record["tools"][0]["command"]), (&"success".into(), &"make".into()));
    assert_eq!(record["artifacts"][0]["sha256"], elf["sha256"]);
    let covers = record["claims"][0]["covers"].as_object().unwrap();
    assert!(
        covers.contains_key("main.c") && !covers.keys().any(|file| file.starts_with("build/")),
        "{covers:?}"
    );
    let log = std::fs::read_to_string(world.path(built["log_file"].as_str().unwrap())).unwrap();
    assert!(log.contains("arm-none-eabi-gcc"), "{log}");

    world.edit("main.c", "led = count_up", "lde = count_up");
    let (code, failed, _) = world.fwai(&["build"]);
    assert_eq!((code, &failed["status"]), (Some(1), &"failure".into()));
    let first = &failed["diagnostics"][0];
    assert_eq!(
        (&first["file"], &first["line"], &first["severity"]),
        (&"main.c".into(), &9.into(), &"error".into())
    );
    assert!(
        failed["artifacts"].as_array().unwrap().iter().all(|artifact| artifact["kind"] != "elf"),
        "{failed:#}"
    );
    let (code, verified, _) = world.fwai(&["audit", "verify", "--all"]);
    assert_eq!((code, &verified["ok"]), (Some(0), &true.into()), "{verified:#}");
}

#[test]
fn with_evidence_sbom_the_build_states_what_was_linked_and_its_claim_goes_stale() {
    let world = World::blinky();
    world.write(".fwai/config.yaml", "evidence:\n  sbom: true\n");
    let (code, built, stderr) = world.fwai(&["build"]);
    assert_eq!(code, Some(0), "{built:#}\n{stderr}");
    let run = format!(".fwai/runs/{}", built["run_id"].as_str().unwrap());
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(world.path(&format!("{run}/{name}"))).unwrap()).unwrap()
    };
    let (record, bom) = (read("evidence.json"), read("sbom.cdx.json"));
    assert_eq!(record["sbom"]["path"], "sbom.cdx.json");
    assert_eq!((&bom["bomFormat"], &bom["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
    let envelope = read("attestation.dsse.json");
    let payload = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        envelope["payload"].as_str().unwrap(),
    );
    let statement: Value = serde_json::from_slice(&payload.unwrap()).unwrap();
    let subject = statement["subject"].as_array().unwrap().iter();
    let stated = subject.clone().find(|one| one["name"] == format!("{run}/sbom.cdx.json")).unwrap();
    assert_eq!(stated["digest"]["sha256"], record["sbom"]["sha256"]);
    assert_eq!(world.fwai(&["audit", "verify", "--all"]).0, Some(0));

    let (code, fresh, _) = world.fwai(&["audit", "claims"]);
    assert_eq!((code, &fresh["claims"][0]["state"]), (Some(0), &"fresh".into()), "{fresh:#}");
    world.edit("main.c", "led = count_up", "led = 1 + count_up");
    let (code, stale, _) = world.fwai(&["audit", "claims"]);
    assert_eq!((code, &stale["claims"][0]["reasons"][0]), (Some(1), &"main.c changed".into()), "{stale:#}");

    // An image that no SBOM can be made of is told in the record; the build is no worse for it.
    world.write(".fwai/project.yaml", "name: blinky\nbuild:\n  command: make\n  elf: broken.elf\n");
    std::fs::write(world.path("broken.elf"), b"\x7fELF\x01\x01\x01").unwrap();
    let (code, built, _) = world.fwai(&["build"]);
    assert!(code.is_some() && built["run_id"].is_string(), "{built:#}");
}

#[test]
fn the_sandbox_stands_around_the_build() {
    let world = World::blinky();
    let outside = world.dir.path().join("outside");
    let command = format!("echo x > {}; make", outside.display());
    world.fwai(&["build", "--command", &command]);
    assert!(!outside.exists(), "a build wrote outside the project");
}

#[test]
fn without_a_command_the_next_step_is_named() {
    let world = World { dir: tempfile::tempdir().unwrap() };
    std::fs::create_dir_all(world.root()).unwrap();
    let (code, object, _) = world.fwai(&["build"]);
    assert_eq!(code, Some(2));
    assert!(object["error"]["hint"].as_str().unwrap().contains("fwai init"), "{object:#}");
}

#[test]
fn memory_compares_with_a_revision_and_keeps_budgets() {
    let world = World::blinky();
    world.fwai(&["build"]);
    let (code, report, stderr) = world.fwai(&["memory", "--budget", "flash=90%"]);
    assert_eq!(code, Some(0), "{stderr}");
    let region = |name: &str| {
        report["regions"].as_array().unwrap().iter().find(|region| region["name"] == name).unwrap().clone()
    };
    assert_eq!(
        (&region("FLASH")["origin"], &region("FLASH")["length"]),
        (&0x0800_0000.into(), &65536.into())
    );
    assert_eq!(
        (&report["symbols"][0]["name"], &report["symbols"][0]["file"]),
        (&"frame".into(), &"main.c".into())
    );
    assert!(report["delta"].is_null() && report["run_id"].is_string());

    world.edit("counter.c", "counts[17]", "counts[1800]");
    world.fwai(&["build"]);
    let page = world.path("memory.html");
    let arguments = [
        "memory",
        "build/blinky.elf",
        "--against",
        "HEAD",
        "--budget",
        "ram=80%",
        "--html",
        page.to_str().unwrap(),
    ];
    let (code, report, stderr) = world.fwai(&arguments);
    assert_eq!(code, Some(1), "{stderr}");
    assert_eq!(report["delta"]["bss"], (1800 - 17) * 4, "{stderr}");
    assert_eq!(report["delta"]["symbols"][0]["name"], "counts");
    assert_eq!((&report["budgets"][0]["ok"], &report["status"]), (&false.into(), &"failure".into()));
    assert!(std::fs::read_to_string(page).unwrap().contains("<!doctype html>"));

    let (code, report, _) = world.fwai(&["memory", "--against", "HEAD", "--max-symbol-growth", "100"]);
    assert_eq!(code, Some(1));
    assert!(
        report["budgets"][0]["message"].as_str().unwrap().contains("`counts` grew by 7132 bytes"),
        "{report:#}"
    );
    for wrong in [
        &["memory", "--against", "no-such-revision"][..],
        &["memory", "main.c"],
        &["memory", "--budget", "flash"],
    ] {
        assert_eq!(world.fwai(wrong).0, Some(2), "{wrong:?}");
    }
}
