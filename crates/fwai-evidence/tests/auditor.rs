//! What an auditor from outside tries by hand: stolen keys, links and pipes in place of files, planted runs, sizes that
//! nothing stands behind.

mod scene;

use std::{fs, os::unix::fs::symlink, process::Command, sync::mpsc, time::Duration};

use fwai_evidence::{
    dsse::Envelope,
    keys::UserKeys,
    log::Log,
    note::{Checkpoint, SignedCheckpoint},
    runs::{RunStore, list_runs, load_evidence},
    signer::Signer,
    statement::{PAYLOAD_TYPE, seal_rotation},
    verify::Report,
};
use fwai_schema::evidence::{LlmCall, RunStatus};
use proptest::prelude::*;
use scene::{Scene, copy_tree};

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
        let is_near = |kept: f64, cost: f64| (kept - cost).abs() <= cost.abs() * 1e-6 + 1e-300;
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
