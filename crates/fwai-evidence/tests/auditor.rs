//! What an auditor from outside tries by hand: stolen keys, links and pipes in place of files, planted runs, sizes that
//! nothing stands behind, and a bundle altered part by part before two verifiers that must agree.

mod scene;

use std::{env, fs, os::unix::fs::symlink, path::PathBuf, process::Command, sync::mpsc, time::Duration};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD},
};
use fwai_evidence::{
    bundle::{BundleIndex, Proof},
    dsse::Envelope,
    keys::UserKeys,
    log::Log,
    note::{Checkpoint, SignedCheckpoint},
    prove::write_bundle,
    runs::{RunStore, list_runs, load_evidence},
    signer::Signer,
    statement::{PAYLOAD_TYPE, seal_rotation},
    trust::Trust,
    verify::Report,
};
use fwai_schema::evidence::{LlmCall, RunStatus};
use proptest::prelude::*;
use scene::{Scene, copy_tree};
use serde_json::{Value, json};

#[track_caller]
fn tells(report: &Report, what: &str) {
    let told = report.problems.iter().any(|problem| problem.what.contains(what));
    assert!(!report.ok && told, "expected {what:?} in {report:#?}");
}

/// Ends with the answer, or with a failure where there is none: nothing here may wait for ever.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(60)).expect("an answer instead of waiting for ever")
}

/// A key was stolen, so its owner replaced it. The thief names an heir of his own, and signs on.
#[test]
fn a_replaced_key_cannot_name_another_heir() {
    let scene = Scene::with_runs(2);
    let stolen = UserKeys::of(&scene.home).signer().unwrap();
    scene.store().rotate_key().unwrap();
    scene.run("after");
    assert!(scene.verify().ok);
    let heir = Signer::from_seed(&[66; 32]);
    let rotation = seal_rotation(&stolen, &heir, "2026-01-01T00:00:00.000Z").to_bytes();
    let report = scene.after(|scene| {
        let forged = forged_run(scene, &heir);
        Log::of(&scene.root).append(&[rotation, forged], &heir).unwrap();
    });
    tells(&report, "is not signed by any trusted key");
    // Nor may the old key itself sign for the whole.
    let report = scene.after(|scene| {
        let note = fs::read_to_string(scene.fwai("log/checkpoint")).unwrap();
        let signed = SignedCheckpoint::parse(&note).unwrap().checkpoint.sign(&stolen);
        fs::write(scene.fwai("log/checkpoint"), signed).unwrap();
    });
    tells(&report, "which the log says was replaced");
    assert!(scene.verify().ok && scene.verify().notes.is_empty());
    // A log that says nothing of the change, as the thief would make one, is not passed over in silence.
    let mut silent = Scene::new();
    silent.home.clone_from(&scene.home);
    Log::of(&silent.root).append(&[forged_run(&silent, &stolen)], &stolen).unwrap();
    assert!(silent.verify().notes[0].contains("which you replaced since"), "{:#?}", silent.verify());
}

/// The statement of a run as somebody else signs it; its directory is there too.
fn forged_run(scene: &Scene, signer: &Signer) -> Vec<u8> {
    let other = Scene::new();
    let run = other.run("forged");
    copy_tree(&run.directory, &scene.fwai("runs").join(&run.run_id));
    let stated = Envelope::parse(&fs::read(run.directory.join("attestation.dsse.json")).unwrap()).unwrap();
    let forged = Envelope::seal(PAYLOAD_TYPE, &stated.payload_bytes().unwrap(), &[signer]).to_bytes();
    fs::write(scene.fwai("runs").join(&run.run_id).join("attestation.dsse.json"), &forged).unwrap();
    forged
}

#[test]
fn a_rotation_with_one_signature_changes_nothing() {
    let scene = Scene::with_runs(1);
    let (own, thief) = (UserKeys::of(&scene.home).signer().unwrap(), Signer::from_seed(&[5; 32]));
    let both = seal_rotation(&own, &thief, "2026-01-01T00:00:00.000Z");
    for kept in [0, 1] {
        let one = Envelope { signatures: vec![both.signatures[kept].clone()], ..both.clone() };
        let report = scene.after(|scene| {
            Log::of(&scene.root).append(&[one.to_bytes()], &own).unwrap();
        });
        tells(&report, "not signed by both keys");
    }
}

/// Whoever can write into the project can put a marker beside a run of his own making.
#[test]
fn a_marker_vouches_for_nothing() {
    let scene = Scene::with_runs(2);
    let planted = "20260101-000000-planted";
    let mark = |scene: &Scene, id: &str| {
        fs::create_dir_all(scene.fwai("runs/.open")).unwrap();
        fs::write(scene.fwai("runs/.open").join(id), r#"{"pid":1,"log_size":0}"#).unwrap();
    };
    let report = scene.after(|scene| {
        let thief = Signer::from_seed(&[5; 32]);
        forged_run(scene, &thief);
        for id in scene.run_ids() {
            mark(scene, &id);
        }
    });
    tells(&report, "nor signed by any trusted key");
    // A run of the user's own that is altered while it waits for its leaf.
    let waiting = scene.run("waiting").run_id;
    let report = scene.after(|scene| {
        let log = Scene::with_runs(0);
        fs::remove_dir_all(scene.fwai("log")).unwrap();
        drop(log);
        mark(scene, &waiting);
        let record = scene.fwai("runs").join(&waiting).join("evidence.json");
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.replace("make all", "make none")).unwrap();
    });
    tells(&report, "was changed after it was signed");
    // Repair signs no record that speaks of another run, and follows no link.
    let elsewhere = tempfile::tempdir().unwrap();
    let ids = scene.run_ids();
    let size = Log::of(&scene.root).size().unwrap();
    copy_tree(&scene.fwai("runs").join(&ids[0]), &scene.fwai("runs").join(planted));
    fs::remove_file(scene.fwai("runs").join(planted).join("attestation.dsse.json")).unwrap();
    copy_tree(&scene.fwai("runs").join(&ids[0]), elsewhere.path());
    fs::remove_file(elsewhere.path().join("attestation.dsse.json")).unwrap();
    symlink(elsewhere.path(), scene.fwai("runs").join("20260101-000001-linked")).unwrap();
    for id in [planted, "20260101-000001-linked", "..", "not a run"] {
        if id != ".." {
            mark(&scene, id);
        }
    }
    scene.store().repair().unwrap();
    assert_eq!(Log::of(&scene.root).size().unwrap(), size, "nothing was signed");
    assert!(!elsewhere.path().join("attestation.dsse.json").exists());
    tells(&scene.verify(), "neither signed nor in the log");
}

#[test]
fn links_pipes_and_directories_in_place_of_files_are_named() {
    let scene = Scene::with_runs(2);
    let id = scene.run_ids()[0].clone();
    for file in ["evidence.json", "build.log", "journal.jsonl", "attestation.dsse.json"] {
        let path = scene.fwai("runs").join(&id).join(file);
        let kept = scene.root.join("kept");
        for kind in ["link", "endless", "pipe", "directory"] {
            fs::rename(&path, &kept).unwrap();
            match kind {
                "link" => symlink(&kept, &path).unwrap(),
                "endless" => symlink("/dev/zero", &path).unwrap(),
                "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
                _ => fs::create_dir(&path).unwrap(),
            }
            let (what, root) = (scene.verification(), scene.root.clone());
            let (report, listed) =
                in_time(move || (fwai_evidence::verify::verify_all(&what), list_runs(&root).unwrap()));
            assert!(!report.ok, "{kind} for {file}");
            assert!(report.problems.iter().all(|problem| problem.file.ends_with(file)), "{report:#?}");
            assert_eq!(listed.len(), 2);
            if kind == "directory" {
                fs::remove_dir(&path).unwrap()
            } else {
                fs::remove_file(&path).unwrap()
            }
            fs::rename(&kept, &path).unwrap();
        }
    }
    for file in ["log/checkpoint", "log/.lock", "log/tile/0/000.p/2", "log/tile/entries/000.p/2"] {
        let report = scene.after(|scene| {
            fs::remove_file(scene.fwai(file)).unwrap();
            assert!(Command::new("mkfifo").arg(scene.fwai(file)).status().unwrap().success());
            let (root, home) = (scene.root.clone(), scene.home.clone());
            in_time(move || {
                let what = fwai_evidence::verify::Verification::new(&root, &home, &[]).unwrap();
                fwai_evidence::verify::verify_all(&what)
            });
            // Put it away, since a copy of the tree would wait for it.
            fs::remove_file(scene.fwai(file)).unwrap();
        });
        assert!(!report.ok || file.ends_with("lock"), "{file}");
    }
    // A pipe among the markers keeps nobody from the next run.
    let marker = scene.fwai("runs/.open").join(&id);
    fs::create_dir_all(marker.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&marker).status().unwrap().success());
    let store = scene.store();
    in_time(move || next_run(&store));
}

fn next_run(store: &RunStore) {
    store.create_run("next").unwrap().end(RunStatus::Success).unwrap();
}

/// A checkpoint can state any size, and nobody need sign it.
#[test]
fn a_log_that_claims_to_be_endless_is_refused_soon() {
    let scene = Scene::with_runs(1);
    let origin = SignedCheckpoint::parse(&fs::read_to_string(scene.fwai("log/checkpoint")).unwrap()).unwrap();
    let claim = Checkpoint { size: u64::MAX / 2, ..origin.checkpoint };
    fs::write(scene.fwai("log/checkpoint"), claim.sign(&Signer::from_seed(&[1; 32]))).unwrap();
    let what = scene.verification();
    let report = in_time(move || fwai_evidence::verify::verify_all(&what));
    assert!(!report.ok && report.problems.len() < 1000, "{}", report.problems.len());
}

#[test]
fn what_lies_behind_a_full_tile_is_seen() {
    let scene = Scene::with_runs(1);
    let store = scene.store();
    let entry =
        |number: usize| format!("{{\"payloadType\":\"x\",\"payload\":\"\",\"signatures\":[{number}]}}");
    let entries: Vec<String> = (0..300).map(entry).collect();
    let signer = UserKeys::of(&scene.home).signer().unwrap();
    Log::of(store.root()).append(&entries, &signer).unwrap();
    for tile in ["log/tile/0/000", "log/tile/entries/000"] {
        let report = scene.after(|scene| {
            let mut bytes = fs::read(scene.fwai(tile)).unwrap();
            bytes.extend_from_slice(b"more");
            fs::write(scene.fwai(tile), bytes).unwrap();
        });
        tells(&report, "holds more than its");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    /// Prices have digits that not every reader of JSON gives back: the record must hold nevertheless.
    #[test]
    fn any_price_keeps_the_record_true(costs in proptest::collection::vec(any::<f64>().prop_filter("a price", |c| c.is_finite()), 24)) {
        let scene = Scene::new();
        let mut run = scene.store().create_run("turn").unwrap();
        for cost in &costs {
            let call = LlmCall { purpose: "turn".into(), cost_usd: Some(*cost), ..LlmCall::default() };
            run.add_llm_call("p", "m", call).unwrap();
        }
        let id = run.end(RunStatus::Success).unwrap().run_id;
        let report = scene.verify();
        prop_assert!(report.ok, "{:#?}", report.problems);
        let kept = load_evidence(&scene.root, &id).unwrap().llm.unwrap();
        let is_near = |kept: f64, cost: f64| (kept - cost).abs() <= cost.abs() * 1e-9;
        prop_assert!(kept.calls.iter().zip(&costs).all(|(call, cost)| is_near(call.cost_usd.unwrap(), *cost)));
    }
}

/// A clock that is set back makes odd ids and no alarm.
#[test]
fn a_clock_that_goes_back_raises_no_alarm() {
    struct Backwards(std::sync::atomic::AtomicI64);
    impl fwai_evidence::runs::Clock for Backwards {
        fn now(&self) -> jiff::Timestamp {
            let seconds = self.0.fetch_sub(3600, std::sync::atomic::Ordering::Relaxed);
            jiff::Timestamp::from_second(seconds).unwrap()
        }
    }
    let scene = Scene::new();
    let mut options = fwai_evidence::runs::RunOptions::new(&scene.home);
    options.clock = std::sync::Arc::new(Backwards(1_800_000_000.into()));
    let store = RunStore::open(&scene.root, options).unwrap();
    for _ in 0..3 {
        next_run(&store);
    }
    let report = scene.verify();
    assert!(report.ok && report.runs == 3, "{report:#?}");
}

/// The bundle as both verifiers read it.
struct Bundle {
    directory: PathBuf,
    trust: Trust,
    key: String,
}

impl Bundle {
    /// What the Rust half says of the proof itself; the files beside it are the script's alone.
    fn rust(&self) -> bool {
        let read = |name: &str| fs::read(self.directory.join(name)).unwrap();
        let Ok(index) = serde_json::from_slice::<BundleIndex>(&read("bundle.json")) else { return false };
        let Ok(checkpoint) = String::from_utf8(read("checkpoint")) else { return false };
        let rotations = fs::read_dir(self.directory.join("rotations")).into_iter().flatten();
        let mut rotations: Vec<(u64, Vec<u8>)> = rotations
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name.split('.').next().unwrap().parse().unwrap(), fs::read(path).unwrap())
            })
            .collect();
        rotations.sort();
        let attestation = read("attestation.dsse.json");
        let proof = Proof {
            index: &index,
            attestation: &attestation,
            checkpoint: &checkpoint,
            rotations: &rotations,
        };
        proof.verify(&self.trust).is_ok()
    }

    fn python(&self) -> (bool, String) {
        let output = Command::new(python())
            .arg(self.directory.join("verify.py"))
            .args(["--key", &self.key])
            .output()
            .unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!text.contains("Traceback"), "{text}");
        (output.status.success(), text)
    }

    #[track_caller]
    fn both(&self, expected: bool, what: &str) {
        let (python, text) = self.python();
        assert_eq!((self.rust(), python), (expected, expected), "{what}: {text}");
    }

    /// Puts `bytes` in the place of a file, asks both, and puts the file back.
    #[track_caller]
    fn with(&self, file: &str, bytes: impl AsRef<[u8]>, expected: bool, what: &str) {
        let path = self.directory.join(file);
        let kept = fs::read(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        self.both(expected, what);
        fs::write(&path, kept).unwrap();
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.directory.join(file)).unwrap()
    }
}

fn python() -> PathBuf {
    let cache = env::var_os("FWAI_DEV_CACHE").map(PathBuf::from).unwrap_or_else(|| {
        let base = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        base.unwrap_or_else(|| env::home_dir().unwrap().join(".cache")).join("fwai-dev")
    });
    let python = cache.join("venv/bin/python");
    assert!(python.exists(), "{} is missing; `cargo xtask setup` installs it", python.display());
    python
}

/// Six runs with a change of keys after the third; the bundle is that of the run at `place`.
fn bundle(scene: &Scene, place: usize) -> Bundle {
    let user = UserKeys::of(&scene.home);
    let directory = scene.root.join(format!("bundle{place}"));
    write_bundle(&scene.root, &user, &scene.run_ids()[place], &directory).unwrap();
    Bundle { directory, trust: Trust::new([scene.key()]), key: scene.key().to_base64() }
}

fn six_runs() -> (Scene, Signer) {
    let scene = Scene::with_runs(3);
    let old = UserKeys::of(&scene.home).signer().unwrap();
    scene.store().rotate_key().unwrap();
    (3..6).for_each(|number| drop(scene.run(&format!("job{number}"))));
    (scene, old)
}

/// Every part of the proof altered, one at a time: the script and the Rust half must say the same.
#[test]
fn both_verifiers_agree_on_every_altered_part() {
    let (scene, _) = six_runs();
    let bundle = bundle(&scene, 1);
    bundle.both(true, "as written");
    let index: Value = serde_json::from_str(&bundle.text("bundle.json")).unwrap();
    let proof = index["inclusion_proof"].as_array().unwrap().clone();
    let hash = proof[0].as_str().unwrap();
    let (_, more_hash) = hash.split_at(4);
    let swapped: Vec<Value> = proof.iter().rev().cloned().collect();
    let not_canonical = format!("{}=", not_canonical(hash.trim_end_matches('=')));
    for (field, value) in [
        ("version", json!(2)),
        ("version", json!(true)),
        ("version", json!("1")),
        ("run_id", json!(scene.run_ids()[2])),
        ("run_id", json!("../../etc")),
        ("leaf_index", json!(0)),
        ("leaf_index", json!(-1)),
        ("leaf_index", json!(1.0)),
        ("leaf_index", json!(true)),
        ("leaf_index", json!("1")),
        ("leaf_index", json!(7)),
        ("leaf_index", json!(9_007_199_254_740_993u64)),
        ("leaf_index", Value::Null),
        ("tree_size", json!(6)),
        ("tree_size", json!(7.0)),
        ("tree_size", json!(0)),
        ("tree_size", json!(u64::MAX)),
        ("inclusion_proof", json!([])),
        ("inclusion_proof", json!(swapped)),
        ("inclusion_proof", json!([proof.clone(), proof.clone()].concat())),
        ("inclusion_proof", json!([&proof[..1], &[json!("")], &proof[1..]].concat())),
        ("inclusion_proof", json!([&[json!(format!("{}\n{more_hash}", &hash[..4]))], &proof[1..]].concat())),
        ("inclusion_proof", json!([&[json!(hash.trim_end_matches('='))], &proof[1..]].concat())),
        ("inclusion_proof", json!([&[json!(not_canonical)], &proof[1..]].concat())),
        ("inclusion_proof", json!("x")),
        ("public_keys", Value::Null),
    ] {
        let mut changed = index.clone();
        changed[field] = value.clone();
        bundle.with("bundle.json", changed.to_string(), false, &format!("{field} = {value}"));
    }
    let text = index.to_string();
    let twice = text.replacen('{', "{\"leaf_index\":0,", 1);
    bundle.with("bundle.json", twice, false, "a name stands twice");
    bundle.with("bundle.json", text.replacen('{', "{\"more\":NaN,", 1), false, "NaN");
    bundle.with("bundle.json", format!("\u{feff}{text}"), false, "a byte order mark");
    bundle.with("bundle.json", [text.as_bytes(), b"\xff"].concat(), false, "not UTF-8");
    bundle.with("bundle.json", "[".repeat(100_000), false, "nested too deep");
    bundle.with(
        "bundle.json",
        text.replacen('{', "{\"more\":[1,{}],", 1),
        true,
        "a field of a later version",
    );

    let note = bundle.text("checkpoint");
    let line = note.lines().last().unwrap();
    let (head, signature) = line.rsplit_once(' ').unwrap();
    let stranger = Signer::from_seed(&[9; 32]);
    let checkpoint = SignedCheckpoint::parse(&note).unwrap().checkpoint;
    let by_stranger = checkpoint.sign(&stranger).lines().last().unwrap().to_owned();
    for (changed, expected, what) in [
        (note.trim_end().to_owned(), false, "without its last newline"),
        (note.replace('\n', "\r\n"), false, "with other line ends"),
        (note.replacen(line, &format!("{line}\r"), 1), false, "with a carriage return"),
        (format!("{note}{line}\n"), true, "signed twice"),
        (format!("{note}{by_stranger}\n"), true, "countersigned by a stranger"),
        (note.replacen(line, &by_stranger, 1), false, "signed by a stranger only"),
        (format!("{note}junk\n"), false, "with junk behind it"),
        (format!("{note}\n"), false, "with an empty line behind it"),
        (note.replacen("\n7\n", "\n07\n", 1), false, "a size with a zero before it"),
        (note.replacen("\n7\n", "\n6\n", 1), false, "another size"),
        (note.replacen("\n7\n", "\n+7\n", 1), false, "a size with a sign"),
        (format!("x{note}"), false, "another origin"),
        (
            Checkpoint { origin: "elsewhere/log".into(), ..checkpoint.clone() }.sign(&stranger),
            false,
            "another log",
        ),
        (
            Checkpoint { root: [7; 32], ..checkpoint.clone() }
                .sign(&UserKeys::of(&scene.home).signer().unwrap()),
            false,
            "the same size with another root",
        ),
        (
            note.replacen(line, &format!("{head} {}", signature.trim_end_matches('=')), 1),
            signature.ends_with('=') == signature.trim_end_matches('=').eq(signature),
            "a signature without its padding",
        ),
        (note.replacen("\u{2014}", "-", 1), false, "a plain dash"),
    ] {
        bundle.with("checkpoint", changed, expected, what);
    }
    bundle.with("checkpoint", [note.as_bytes(), b"\xff\n"].concat(), false, "not UTF-8");

    let envelope: Value = serde_json::from_str(&bundle.text("attestation.dsse.json")).unwrap();
    let spaced = serde_json::to_vec_pretty(&envelope).unwrap();
    bundle.with("attestation.dsse.json", spaced, false, "other spaces around the same statement");
    let rotation = scene::files_under(&bundle.directory.join("rotations")).remove(0);
    let name = format!("rotations/{}", rotation.file_name().unwrap().to_string_lossy());
    let signed_by_both: Value = serde_json::from_str(&bundle.text(&name)).unwrap();
    for one in [0, 1] {
        let mut changed = signed_by_both.clone();
        changed["signatures"] = json!([signed_by_both["signatures"][one]]);
        bundle.with(&name, changed.to_string(), false, "a change of keys that one key signed");
    }
    let outside = bundle.directory.join("rotations/99.dsse.json");
    fs::rename(&rotation, &outside).unwrap();
    bundle.both(false, "a change of keys outside the log");
    fs::rename(&outside, &rotation).unwrap();
    bundle.both(true, "as it was");
}

fn not_canonical(text: &str) -> String {
    // The last character of 32 bytes has two bits that mean nothing.
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let last = alphabet.find(text.chars().last().unwrap()).unwrap();
    format!("{}{}", &text[..text.len() - 1], alphabet.chars().nth(last | 1).unwrap())
}

/// The same statement in other spellings of base64. A tree is built around each, so that only the spelling decides.
#[test]
fn both_verifiers_read_the_same_base64() {
    let scene = Scene::with_runs(1);
    let bundle = bundle(&scene, 0);
    let signer = UserKeys::of(&scene.home).signer().unwrap();
    let envelope = Envelope::parse(bundle.text("attestation.dsse.json").as_bytes()).unwrap();
    let (payload, sig) =
        (envelope.payload_bytes().unwrap(), STANDARD.decode(&envelope.signatures[0].sig).unwrap());
    let mut index: Value = serde_json::from_str(&bundle.text("bundle.json")).unwrap();
    (index["leaf_index"], index["tree_size"], index["inclusion_proof"]) = (json!(0), json!(1), json!([]));
    fs::write(bundle.directory.join("bundle.json"), index.to_string()).unwrap();
    let ask = |payload: String, sig: String, extra: &str, expected: bool, what: &str| {
        let text = format!(
            "{{\"payloadType\":\"{PAYLOAD_TYPE}\",\"payload\":{},\"signatures\":[{{\"keyid\":\"\",\"sig\":\"{sig}\"}}{extra}]}}",
            json!(payload)
        );
        let root = fwai_evidence::merkle::leaf_hash(text.as_bytes());
        let note = Checkpoint { origin: "test/log".into(), size: 1, root }.sign(&signer);
        fs::write(bundle.directory.join("attestation.dsse.json"), text).unwrap();
        fs::write(bundle.directory.join("checkpoint"), note).unwrap();
        bundle.both(expected, what);
    };
    let (usual, usual_sig) = (STANDARD.encode(&payload), STANDARD.encode(&sig));
    ask(usual.clone(), usual_sig.clone(), "", true, "as written");
    ask(URL_SAFE.encode(&payload), URL_SAFE.encode(&sig), "", true, "the URL-safe alphabet");
    ask(usual.clone(), URL_SAFE_NO_PAD.encode(&sig), "", false, "no padding");
    ask(format!("{usual}\n"), usual_sig.clone(), "", false, "a newline behind it");
    ask(format!("{}*{}", &usual[..8], &usual[8..]), usual_sig.clone(), "", false, "a sign that is none");
    let other = STANDARD.encode(Signer::from_seed(&[3; 32]).sign(b"x"));
    let more = format!(",{{\"keyid\":\"k\",\"sig\":\"{other}\"}}");
    ask(usual.clone(), usual_sig.clone(), &more, true, "a further signature by a stranger");
    ask(usual, other, "", false, "a stranger's signature only");
}

/// Whoever stole a key that was replaced proves nothing to those who know of the change.
#[test]
fn a_stolen_key_makes_no_proof_after_it_was_replaced() {
    let (scene, stolen) = six_runs();
    let bundle = bundle(&scene, 5);
    bundle.both(true, "as written");
    let stated = Envelope::parse(bundle.text("attestation.dsse.json").as_bytes()).unwrap();
    let forged = Envelope::seal(PAYLOAD_TYPE, &stated.payload_bytes().unwrap(), &[&stolen]).to_bytes();
    let root = fwai_evidence::merkle::leaf_hash(&forged);
    let note = Checkpoint { origin: "test/log".into(), size: 1, root }.sign(&stolen);
    let mut index: Value = serde_json::from_str(&bundle.text("bundle.json")).unwrap();
    (index["leaf_index"], index["tree_size"], index["inclusion_proof"]) = (json!(0), json!(1), json!([]));
    fs::write(bundle.directory.join("attestation.dsse.json"), forged).unwrap();
    fs::write(bundle.directory.join("checkpoint"), note).unwrap();
    let rotations = bundle.directory.join("rotations");
    let rotation = scene::files_under(&rotations).remove(0);
    for leaf in ["0", "3", "99"] {
        let named = rotations.join(format!("{leaf}.dsse.json"));
        fs::rename(&rotation, &named).unwrap();
        bundle.with("bundle.json", index.to_string(), false, &format!("the change of keys at leaf {leaf}"));
        fs::rename(&named, &rotation).unwrap();
    }
}
