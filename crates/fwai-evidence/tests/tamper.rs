//! The tamper matrix: whatever is changed behind fwai's back is named, or counted as not anchored.

mod scene;

use std::{fs, path::Path};

use fwai_evidence::{
    keys::UserKeys,
    log::{Log, entries_in},
    signer::Signer,
    verify::{Report, Verification, verify_all},
};
use scene::{Scene, copy_tree, files_under};

#[track_caller]
fn detects(report: &Report, run_id: Option<&str>, file: &str, what: &str) {
    let hit = report.problems.iter().any(|problem| {
        (run_id.is_none() || problem.run_id.as_deref() == run_id)
            && problem.file.contains(file)
            && problem.what.contains(what)
    });
    assert!(!report.ok && hit, "expected {run_id:?} {file:?} {what:?} in {:#?}", report.problems);
}

#[test]
fn a_clean_project_raises_no_alarm() {
    let scene = Scene::with_runs(3);
    let report = scene.verify();
    assert!(report.ok, "{report:#?}");
    assert_eq!((report.runs, report.unanchored), (3, 0));
    assert!(report.notes.is_empty());
    for id in scene.run_ids() {
        assert!(scene.verify_run(&id).ok);
    }
}

#[test]
fn a_thousand_clean_runs_raise_no_alarm() {
    let scene = Scene::new();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let scene = &scene;
            scope.spawn(move || {
                for _ in 0..250 {
                    scene.run(&format!("worker{worker}"));
                }
            });
        }
    });
    let report = scene.verify();
    assert!(report.ok && report.notes.is_empty(), "{:#?}", report.problems);
    assert_eq!((report.runs, report.unanchored, report.log.unwrap().size), (1000, 0, 1000));
}

#[test]
fn flipped_bytes_of_every_file_are_seen() {
    let scene = Scene::with_runs(1);
    let mut flips = 0;
    for path in files_under(&scene.root.join(".fwai")) {
        let original = fs::read(&path).unwrap();
        // Every seventh byte, each with another bit: all parts of all files in a few seconds.
        for position in (0..original.len()).step_by(7) {
            let mut changed = original.clone();
            changed[position] ^= 1 << (position % 8);
            fs::write(&path, &changed).unwrap();
            let report = scene.verify();
            assert!(!report.ok, "byte {position} of {} changed unseen", path.display());
            flips += 1;
        }
        fs::write(&path, &original).unwrap();
        assert!(original.is_empty() || scene.verify().ok);
    }
    assert!(flips > 500, "{flips}");
}

#[test]
fn truncated_emptied_and_deleted_files_are_seen() {
    let scene = Scene::with_runs(2);
    for path in files_under(&scene.root.join(".fwai")) {
        let original = fs::read(&path).unwrap();
        if original.is_empty() {
            continue;
        }
        fs::write(&path, &original[..original.len() - 1]).unwrap();
        assert!(!scene.verify().ok, "{} truncated unseen", path.display());
        fs::write(&path, b"").unwrap();
        assert!(!scene.verify().ok, "{} emptied unseen", path.display());
        // A public key in the project is a convenience for readers; without it nothing is lost.
        if path.extension().is_none_or(|extension| extension != "pem") {
            fs::remove_file(&path).unwrap();
            assert!(!scene.verify().ok, "{} deleted unseen", path.display());
        }
        fs::write(&path, &original).unwrap();
    }
    assert!(scene.verify().ok);
}

#[test]
fn inserted_deleted_and_copied_runs_are_named() {
    let scene = Scene::with_runs(3);
    let ids = scene.run_ids();
    let runs = scene.fwai("runs");
    let forged = "20260101-000000-forged";
    let report = scene.after(|_| copy_tree(&runs.join(&ids[0]), &runs.join(forged)));
    detects(&report, Some(forged), forged, "not in the log");
    let report = scene.after(|_| fs::remove_dir_all(runs.join(&ids[1])).unwrap());
    detects(&report, Some(&ids[1]), &ids[1], "is missing");
    let report = scene.after(|_| fs::write(runs.join(&ids[1]).join("extra.log"), "x").unwrap());
    detects(&report, Some(&ids[1]), "extra.log", "added");
    let report = scene.after(|_| {
        fs::create_dir(runs.join(forged)).unwrap();
        let text = fs::read_to_string(runs.join(&ids[0]).join("evidence.json")).unwrap();
        fs::write(runs.join(forged).join("evidence.json"), text.replace("success", "running")).unwrap();
    });
    detects(&report, Some(forged), forged, "no process");
    let report = scene.after(|_| {
        let (a, b, c) = (runs.join(&ids[0]), runs.join(&ids[1]), runs.join("20260101-000000-x"));
        fs::rename(&a, &c).unwrap();
        fs::rename(&b, &a).unwrap();
        fs::rename(&c, &b).unwrap();
    });
    detects(&report, Some(&ids[0]), "attestation.dsse.json", "differs");
    detects(&report, Some(&ids[1]), "evidence.json", "changed");
}

#[test]
fn logs_swapped_between_runs_are_named_on_both_sides() {
    let scene = Scene::with_runs(2);
    let ids = scene.run_ids();
    let logs = [0, 1].map(|number: usize| scene.fwai("runs").join(&ids[number]).join("build.log"));
    let report = scene.after(|_| {
        let (a, b) = (fs::read(&logs[0]).unwrap(), fs::read(&logs[1]).unwrap());
        fs::write(&logs[0], b).unwrap();
        fs::write(&logs[1], a).unwrap();
    });
    detects(&report, Some(&ids[0]), "build.log", "changed");
    detects(&report, Some(&ids[1]), "build.log", "changed");
}

/// Rewrites the entry bundle as `change` says, and nothing else.
fn rewrite_entries(scene: &Scene, count: u64, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let path = scene.fwai(&format!("log/tile/entries/000.p/{count}"));
    let bytes = fs::read(&path).unwrap();
    let mut entries: Vec<Vec<u8>> =
        entries_in(&bytes, count).unwrap().into_iter().map(<[u8]>::to_vec).collect();
    change(&mut entries);
    let mut bytes = Vec::new();
    for entry in entries {
        bytes.extend_from_slice(&(entry.len() as u16).to_be_bytes());
        bytes.extend_from_slice(&entry);
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn entries_inserted_deleted_reordered_or_duplicated_are_seen() {
    let scene = Scene::with_runs(4);
    for change in [
        (|entries: &mut Vec<Vec<u8>>| entries.swap(1, 2)) as fn(&mut Vec<Vec<u8>>),
        |entries| {
            entries.remove(1);
        },
        |entries| entries[2] = entries[1].clone(),
        |entries| entries.insert(1, entries[0].clone()),
    ] {
        let report = scene.after(|scene| rewrite_entries(scene, 4, change));
        detects(&report, None, "tile/entries/000.p/4", "");
    }
    // Tiles rewritten to match: then the checkpoint contradicts them.
    let report = scene.after(|scene| {
        rewrite_entries(scene, 4, |entries| entries.swap(0, 3));
        let tile = scene.fwai("log/tile/0/000.p/4");
        let mut hashes = fs::read(&tile).unwrap();
        let (first, last) = (hashes[..32].to_vec(), hashes[96..].to_vec());
        hashes[..32].copy_from_slice(&last);
        hashes[96..].copy_from_slice(&first);
        fs::write(&tile, hashes).unwrap();
    });
    detects(&report, None, "checkpoint", "root");
}

/// Makes the whole log anew from `entries`, signed by `signer`, under the same origin when one is given.
fn forge_log(scene: &Scene, entries: &[Vec<u8>], signer: &Signer, origin: Option<&str>) {
    let log = scene.fwai("log");
    fs::remove_dir_all(&log).unwrap();
    if let Some(origin) = origin {
        let empty = fwai_evidence::note::Checkpoint {
            origin: origin.into(),
            size: 0,
            root: fwai_evidence::merkle::empty_root(),
        };
        fs::create_dir_all(&log).unwrap();
        fs::write(log.join("checkpoint"), empty.sign(signer)).unwrap();
    }
    Log::at(&log).append(entries, signer).unwrap();
}

fn envelopes(scene: &Scene) -> Vec<Vec<u8>> {
    let ids = scene.run_ids();
    ids.iter()
        .map(|id| fs::read(scene.fwai("runs").join(id).join("attestation.dsse.json")).unwrap())
        .collect()
}

fn origin(scene: &Scene) -> String {
    fs::read_to_string(scene.fwai("log/checkpoint")).unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn newest_records_cut_with_the_users_own_key_contradict_the_anchor_or_are_unanchored() {
    let scene = Scene::with_runs(4);
    let signer = UserKeys::of(&scene.home).signer().unwrap();
    let origin = origin(&scene);
    let cut = |scene: &Scene| {
        let mut kept = envelopes(scene);
        kept.pop();
        let last = scene.run_ids().pop().unwrap();
        fs::remove_dir_all(scene.fwai("runs").join(last)).unwrap();
        forge_log(scene, &kept, &signer, Some(&origin));
    };
    detects(&scene.after(cut), None, "checkpoint", "cut or rolled back");
    // Without the memory of the user's directory only the count remains, and it is told.
    fs::remove_dir_all(scene.home.join("anchors")).unwrap();
    let report = scene.after(cut);
    assert!(report.ok);
    assert_eq!((report.runs, report.unanchored), (3, 3));
}

#[test]
fn a_backup_put_back_is_a_rollback() {
    let scene = Scene::with_runs(2);
    copy_tree(&scene.root.join(".fwai"), &scene.root.join("backup"));
    scene.run("later");
    fs::remove_dir_all(scene.root.join(".fwai")).unwrap();
    fs::rename(scene.root.join("backup"), scene.root.join(".fwai")).unwrap();
    detects(&scene.verify(), None, "checkpoint", "rolled back");
    // Going on from the old state does not hide it: that is a fork.
    for label in ["other", "another"] {
        scene.run(label);
    }
    detects(&scene.verify(), None, "checkpoint", "rewritten");
}

#[test]
fn everything_deleted_is_seen_while_an_anchor_remembers() {
    let scene = Scene::with_runs(2);
    let report = scene.after(|scene| fs::remove_dir_all(scene.root.join(".fwai")).unwrap());
    detects(&report, None, "checkpoint", "gone");
    let report = scene.after(|scene| {
        fs::remove_dir_all(scene.root.join(".fwai")).unwrap();
        scene.run("fresh");
    });
    assert!(
        report.ok && report.notes.iter().any(|note| note.contains("another log with 2 records")),
        "{report:#?}"
    );
}

#[test]
fn everything_signed_again_with_another_key_is_not_trusted() {
    let scene = Scene::with_runs(2);
    let thief = Signer::from_seed(&[9; 32]);
    let origin = origin(&scene);
    let report = scene.after(|scene| forge_log(scene, &envelopes(scene), &thief, Some(&origin)));
    detects(&report, None, "checkpoint", "not signed by any trusted key");
    // A whole project of somebody else, put in place of ours.
    let other = Scene::with_runs(2);
    let report = scene.after(|scene| {
        fs::remove_dir_all(scene.root.join(".fwai")).unwrap();
        copy_tree(&other.root.join(".fwai"), &scene.root.join(".fwai"));
    });
    detects(&report, None, "attestation.dsse.json", "not signed by any trusted key");
    // Keys in the project's own directory never make anybody trusted.
    assert!(other.verify().ok);
    let by_name = Verification::new(&other.root, &scene.home, &[other.key()]).unwrap();
    assert!(verify_all(&by_name).ok, "policy names the key, so it counts");
}

#[test]
fn everything_signed_again_with_the_users_own_key_contradicts_the_anchor() {
    let scene = Scene::with_runs(3);
    let signer = UserKeys::of(&scene.home).signer().unwrap();
    let origin = origin(&scene);
    let forge = |scene: &Scene| {
        let mut entries = envelopes(scene);
        entries.reverse();
        forge_log(scene, &entries, &signer, Some(&origin));
    };
    detects(&scene.after(forge), None, "checkpoint", "rewritten");
    fs::remove_dir_all(scene.home.join("anchors")).unwrap();
    let report = scene.after(forge);
    assert!(report.ok && report.unanchored == 3, "only an anchor can tell: {report:#?}");
}

#[test]
fn swapped_keys_are_seen() {
    let scene = Scene::with_runs(1);
    let keys = files_under(&scene.fwai("keys"));
    let other = Signer::from_seed(&[4; 32]).public_key();
    let report = scene.after(|_| fs::write(&keys[0], other.to_pem()).unwrap());
    detects(&report, None, ".fwai/keys/", "is not the key");
    let path = scene.fwai("runs").join(&scene.run_ids()[0]).join("attestation.dsse.json");
    let report = scene.after(|scene| {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(&scene.key().id(), &other.id())).unwrap();
    });
    detects(&report, Some(&scene.run_ids()[0]), "attestation.dsse.json", "differs");
}

#[test]
fn a_fork_of_the_same_log_is_seen_by_whoever_kept_a_checkpoint() {
    let scene = Scene::with_runs(2);
    let git = |arguments: &[&str]| git(&scene.root, arguments);
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    let fork = scene.root.join("fork");
    copy_tree(&scene.root.join(".fwai"), &fork);
    scene.run("ours");
    let note = fs::read_to_string(scene.fwai("log/checkpoint")).unwrap();
    fwai_evidence::anchors::anchor_in_notes(&scene.root, &note).unwrap();
    fwai_evidence::anchors::anchor_in_tag(&scene.root, 3, &note, false).unwrap();
    let report = scene.verify();
    assert!(report.ok && report.unanchored == 0, "{report:#?}");
    let kinds: Vec<&str> = report.anchors.iter().map(|anchor| anchor.kind.as_str()).collect();
    assert_eq!(kinds, ["user", "git-notes", "git-tag"]);
    // The fork goes on elsewhere, with nothing of the user's memory, and comes back.
    fs::remove_dir_all(scene.home.join("anchors")).unwrap();
    fs::remove_dir_all(scene.root.join(".fwai")).unwrap();
    fs::rename(&fork, scene.root.join(".fwai")).unwrap();
    scene.run("theirs");
    scene.run("theirs");
    detects(&scene.verify(), None, "checkpoint", "git notes");
    detects(&scene.verify(), None, "checkpoint", "git tag");
}

fn git(root: &Path, arguments: &[&str]) {
    let done = std::process::Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
