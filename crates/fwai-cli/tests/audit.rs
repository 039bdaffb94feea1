//! `fwai audit` and `fwai evidence` with the real program: runs written by the library, read by the command.

use assert_cmd::Command;
use fwai_evidence::{
    claims::cover_files,
    runs::{RunOptions, RunStore, ToolRecord},
    signer::Signer,
};
use fwai_schema::evidence::{Claim, ClaimKind, RunStatus};
use fwai_testkit::{bench::Bench, terminal::Terminal};
use serde_json::Value;
use std::{fs, path::PathBuf};

struct World {
    _dir: tempfile::TempDir,
    root: PathBuf,
    home: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (root, home) = (dir.path().join("project"), dir.path().join("home"));
        fs::create_dir_all(root.join(".fwai")).unwrap();
        Self { _dir: dir, root, home }
    }

    fn store(&self) -> RunStore {
        RunStore::open(&self.root, RunOptions::new(&self.home)).unwrap()
    }

    fn run(&self, label: &str, status: RunStatus) -> String {
        let mut run = self.store().create_run(label).unwrap();
        run.begin(label).unwrap();
        run.add_tool(ToolRecord::new("make", "make all", Some(0)), Some(b"made\n")).unwrap();
        run.end(status).unwrap().run_id
    }

    fn fwai(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::cargo_bin("fwai").unwrap();
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FWAI_") {
                command.env_remove(name);
            }
        }
        for name in ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"] {
            command.env_remove(name);
        }
        let output =
            command.env("FWAI_HOME", &self.home).current_dir(&self.root).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    #[track_caller]
    fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let (got, stdout, stderr) = self.fwai(&[arguments, &["--json"]].concat());
        assert_eq!(got, Some(code), "{arguments:?}: {stdout}{stderr}");
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {stdout}"))
    }
}

#[test]
fn verify_says_ok_and_names_what_was_changed() {
    let world = World::new();
    assert_eq!(world.json(0, &["audit", "verify", "--all"])["runs"], 0);
    let (first, second) = (world.run("build", RunStatus::Success), world.run("flash", RunStatus::Failure));
    let report = world.json(0, &["audit", "verify", "--all"]);
    assert_eq!((&report["ok"], &report["runs"], &report["unanchored"]), (&true.into(), &2.into(), &0.into()));
    assert_eq!(report["problems"], serde_json::json!([]));
    let (code, stdout, _) = world.fwai(&["audit", "verify"]);
    assert!(code == Some(0) && stdout.contains("0 records since the last outside anchor"), "{stdout}");

    fs::write(world.root.join(".fwai/runs").join(&first).join("make.log"), "MADE\n").unwrap();
    let report = world.json(1, &["audit", "verify"]);
    let problem = &report["problems"][0];
    assert_eq!((&report["ok"], &problem["run_id"]), (&false.into(), &first.as_str().into()));
    assert_eq!(problem["file"], format!(".fwai/runs/{first}/make.log"));
    assert_eq!(world.json(1, &["audit", "verify", &first])["ok"], false);
    assert_eq!(world.json(0, &["audit", "verify", &second])["ok"], true);
    assert_eq!(
        world.json(1, &["audit", "verify", "20200101-000000-none"])["problems"][0]["what"],
        "there is no such run"
    );
}

#[test]
fn runs_are_listed_shown_compared_and_found_by_label() {
    let world = World::new();
    let (build, flash) = (world.run("build", RunStatus::Success), world.run("flash", RunStatus::Failure));
    let list = world.json(0, &["evidence", "list"]);
    assert_eq!(list["runs"].as_array().unwrap().len(), 2);
    let ids: Vec<&str> =
        list["runs"].as_array().unwrap().iter().map(|run| run["run_id"].as_str().unwrap()).collect();
    assert!(ids[0] >= ids[1], "newest first: {ids:?}");
    assert_eq!(world.json(0, &["evidence", "show", "build"])["run_id"], build.as_str());
    assert_eq!(world.json(0, &["evidence", "show", &flash])["status"], "failure");
    let differences = world.json(0, &["evidence", "diff", &build, &flash]);
    let fields: Vec<&str> =
        differences["differences"].as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
    assert!(
        fields.contains(&"status") && fields.contains(&"skill") && !fields.contains(&"run_id"),
        "{fields:?}"
    );
    assert_eq!(world.fwai(&["evidence", "show", "nothing"]).0, Some(2));
    assert_eq!(
        world.fwai(&["evidence", "show", "build", "--log", "../../../home/keys/signing.pem"]).0,
        Some(2)
    );
    assert_eq!(world.fwai(&["evidence", "show", "build", "--log", "make.log"]).1, "made\n");
    assert_eq!(world.json(0, &["audit", "log"])["size"], 2);
}

#[test]
fn open_writes_the_report_and_hands_it_to_the_browser() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let id = world.run("build", RunStatus::Success);
    // No desktop: the path is all there is to say.
    let (code, stdout, _) = world.fwai(&["evidence", "open"]);
    let page = PathBuf::from(stdout.trim());
    assert_eq!(code, Some(0));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains(&id) && html.starts_with("<!doctype html>"), "{}", page.display());
    let browser = world.root.join("browser.sh");
    fs::write(&browser, "#!/bin/sh\nprintf '%s' \"$1\" > seen.part && mv seen.part seen\n").unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::cargo_bin("fwai").unwrap();
    command.env("FWAI_HOME", &world.home).env("BROWSER", &browser).env_remove("CI").current_dir(&world.root);
    let output = command.args(["evidence", "open", "build", "--json"]).output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&said["run_id"], &said["opened"]), (&id.as_str().into(), &true.into()));
    let begin = std::time::Instant::now();
    while !world.root.join("seen").exists() && begin.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(fs::read_to_string(world.root.join("seen")).unwrap(), said["path"].as_str().unwrap());
    assert_eq!(world.json(0, &["audit", "verify"])["ok"], true, "a page is no file of the run");
}

#[test]
fn keys_rotate_and_bundles_are_written() {
    let world = World::new();
    let id = world.run("build", RunStatus::Success);
    let old = world.json(0, &["audit", "key", "show"])["public_key"].clone();
    assert_eq!(world.json(0, &["audit", "key", "rotate", "--yes"])["old_key"], old);
    assert_eq!(world.fwai(&["audit", "key", "rotate", "--ci"]).0, Some(4), "needs a person");
    world.run("build", RunStatus::Success);
    assert_eq!(world.json(0, &["audit", "verify"])["log"]["size"], 3);
    let proof = world.json(0, &["audit", "prove", &id]);
    assert_eq!((&proof["leaf_index"], &proof["tree_size"]), (&0.into(), &3.into()));
    assert!(world.root.join(format!("{id}-proof/verify.py")).is_file());
    assert_eq!(world.fwai(&["audit", "prove", &id]).0, Some(1), "a second time it is there already");
}

#[test]
fn claims_say_fresh_until_a_covered_file_changes() {
    let world = World::new();
    fs::write(world.root.join("main.c"), "int x;\n").unwrap();
    let mut run = world.store().create_run("build").unwrap();
    let covers = cover_files(&world.root, &["main.c"]).unwrap();
    let claim =
        Claim { kind: ClaimKind::Built, statement: "it builds".into(), runs: vec![run.id().into()], covers };
    run.add_claim(claim).unwrap();
    run.end(RunStatus::Success).unwrap();
    assert_eq!(world.json(0, &["audit", "claims"])["claims"][0]["state"], "fresh");
    fs::write(world.root.join("main.c"), "int y;\n").unwrap();
    let stale = world.json(1, &["audit", "claims"]);
    assert_eq!(
        (&stale["claims"][0]["state"], &stale["claims"][0]["reasons"][0]),
        (&"stale".into(), &"main.c changed".into())
    );
}

/// A witness after C2SP tlog-witness, over real HTTP: remembers one size, checks consistency, countersigns.
mod witness {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use fwai_evidence::{merkle::verify_consistency, note::SignedCheckpoint, signer::Signer};
    use sha2::{Digest as _, Sha256};
    use std::{
        io::{Read as _, Write as _},
        net::TcpListener,
    };

    const NAME: &str = "witness.example/w1";

    fn key_hash(signer: &Signer) -> Vec<u8> {
        Sha256::digest([NAME.as_bytes(), b"\n\x04", signer.public_key().as_bytes()].concat())[..4].to_vec()
    }

    pub fn start(signer: Signer) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let hash: String = key_hash(&signer).iter().map(|byte| format!("{byte:02x}")).collect();
        let key = STANDARD.encode([&[4][..], signer.public_key().as_bytes()].concat());
        let address = format!("http://{}#{NAME}+{hash}+{key}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let mut seen: Option<fwai_evidence::note::Checkpoint> = None;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = Vec::new();
                let mut buffer = [0; 4096];
                let body = loop {
                    let count = stream.read(&mut buffer).unwrap();
                    request.extend_from_slice(&buffer[..count]);
                    let text = String::from_utf8_lossy(&request).into_owned();
                    if let Some((head, body)) = text.split_once("\r\n\r\n") {
                        let length = head
                            .to_lowercase()
                            .lines()
                            .find_map(|l| l.strip_prefix("content-length: ")?.parse().ok());
                        if body.len() >= length.unwrap_or(0) {
                            break body.to_owned();
                        }
                    }
                };
                let (status, answer) = judge(&body, &mut seen, &signer);
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    answer.len()
                );
                let _ = stream.write_all(format!("{head}{answer}").as_bytes());
            }
        });
        address
    }

    fn judge(
        body: &str,
        seen: &mut Option<fwai_evidence::note::Checkpoint>,
        signer: &Signer,
    ) -> (&'static str, String) {
        let (head, note) = body.split_once("\n\n").unwrap();
        let mut lines = head.lines();
        let old: u64 = lines.next().unwrap().strip_prefix("old ").unwrap().parse().unwrap();
        let proof: Vec<[u8; 32]> =
            lines.map(|line| STANDARD.decode(line).unwrap().try_into().unwrap()).collect();
        let signed = SignedCheckpoint::parse(note).unwrap();
        let now = signed.checkpoint.clone();
        let size = seen.as_ref().map_or(0, |known| known.size);
        if old != size {
            return ("409 Conflict", format!("{size}\n"));
        }
        let root = seen.as_ref().map_or_else(fwai_evidence::merkle::empty_root, |known| known.root);
        if verify_consistency(old, now.size, &proof, &root, &now.root).is_err() {
            return ("422 Unprocessable Entity", "inconsistent".into());
        }
        *seen = Some(now);
        let time = 1_770_000_000u64;
        let message = format!("cosignature/v1\ntime {time}\n{}", signed.text());
        let blob = [&key_hash(signer)[..], &time.to_be_bytes(), &signer.sign(message.as_bytes())].concat();
        ("200 OK", format!("\u{2014} {NAME} {}\n", STANDARD.encode(blob)))
    }
}

#[test]
fn a_witness_countersigns_and_refuses_another_history() {
    let world = World::new();
    let address = witness::start(Signer::from_seed(&[8; 32]));
    let set = format!("evidence.witness_url={address}");
    let with = |arguments: &[&str]| world.fwai(&[arguments, &["--set", &set, "--json"]].concat());
    world.run("one", RunStatus::Success);
    for _ in 0..2 {
        let (code, stdout, stderr) = with(&["audit", "anchor", "--witness"]);
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        world.run("more", RunStatus::Success);
    }
    // Only the witness counts when the user's own memory is gone.
    fs::remove_dir_all(world.home.join("anchors")).unwrap();
    let (code, stdout, _) = with(&["audit", "verify"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["unanchored"]), (Some(0), &1.into()), "{report:#}");
    // Without its key configured, the same file is worth nothing.
    assert_eq!(world.json(0, &["audit", "verify"])["unanchored"], 3);
    // A log that starts anew is not what the witness saw.
    fs::remove_dir_all(world.root.join(".fwai")).unwrap();
    fs::create_dir(world.root.join(".fwai")).unwrap();
    world.run("anew", RunStatus::Success);
    let (code, stdout, stderr) = with(&["audit", "anchor", "--witness"]);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("it has seen 2 records"), "{stdout}");
}

/// Records, logs and names of files may hold anything; a terminal that shows them is not steered by it.
#[test]
fn nothing_in_a_record_steers_the_terminal() {
    const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[8mhidden\u{9b}31m\u{1b}[1A\r\u{202e}";
    let bench = Bench::new(Vec::new());
    let world = World { root: bench.project().to_owned(), ..World::new() };
    let mut run = world.store().create_run("build").unwrap();
    run.begin(&format!("build{HOSTILE}")).unwrap();
    let record = ToolRecord::new(format!("make{HOSTILE}"), format!("make {HOSTILE}"), Some(1));
    run.add_tool(record, Some(format!("log {HOSTILE}\n").as_bytes())).unwrap();
    let statement = format!("built {HOSTILE}");
    let kind = ClaimKind::Built;
    run.add_claim(Claim { kind, statement, runs: vec![HOSTILE.into()], covers: Default::default() }).unwrap();
    run.add_waiver(HOSTILE).unwrap();
    let ended = run.end(RunStatus::Failure).unwrap();
    let log = ended.evidence.tools[0].log_file.clone().unwrap();
    fs::write(ended.directory.join(format!("added{HOSTILE}")), "x").unwrap();
    for arguments in [
        &["evidence", "show", "--color", "always"][..],
        &["evidence", "show", "--log", &log],
        &["evidence", "show", "--json"],
        &["evidence", "list", "--color", "always"],
        &["audit", "verify", "--color", "always"],
        &["audit", "claims", "--color", "always"],
        &["audit", "log"],
        &["audit", "verify", HOSTILE],
        &["evidence", "show", HOSTILE],
    ] {
        let mut terminal = Terminal::with_arguments(&bench, 200, 60, arguments);
        terminal.wait_until("words", |terminal| !terminal.written().trim().is_empty());
        terminal.wait_for_exit();
        terminal.wait_for_silence();
        let written = terminal.written();
        for steering in ["\u{1b}]", "\u{1b}[2J", "\u{1b}[8m", "\u{1b}[1A", "\u{9b}", "\u{202e}", "\u{7}"] {
            assert!(!written.contains(steering), "{arguments:?} passes {steering:?} on: {written:?}");
        }
    }
}
