//! Checkpoints that go into git: after each run where the setting says so, and as a tag that git signs.

mod scene;

use std::{fs, path::Path, process::Command};

use fwai_evidence::{
    anchors::anchor_in_tag,
    runs::{RunOptions, RunStore},
};
use fwai_schema::evidence::RunStatus;
use scene::Scene;

fn git(root: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let output = Command::new("git").arg("-C").arg(root).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A run with `evidence.git_notes: true`.
fn run(scene: &Scene) {
    let mut options = RunOptions::new(&scene.home);
    options.git_notes = true;
    let store = RunStore::open(&scene.root, options).unwrap();
    let mut run = store.create_run("build").unwrap();
    run.begin("build").unwrap();
    run.end(RunStatus::Success).unwrap();
}

#[test]
fn with_the_setting_every_run_leaves_its_checkpoint_in_git_notes() {
    let scene = Scene::new();
    // Neither a directory without git nor a repository without a commit keeps a run from being written.
    run(&scene);
    git(&scene.root, &["init", "-q"]);
    run(&scene);
    git(&scene.root, &["commit", "-q", "--allow-empty", "-m", "first"]);
    for size in 3..6 {
        run(&scene);
        let note = git(&scene.root, &["notes", "--ref", "fwai", "show", "HEAD"]);
        let checkpoint = fs::read_to_string(scene.fwai("log/checkpoint")).unwrap();
        assert_eq!(note.trim_end(), checkpoint.trim_end());
        let report = scene.verify();
        let anchor = report.anchors.iter().find(|anchor| anchor.kind == "git-notes").unwrap();
        assert!(report.ok && anchor.ok && anchor.size == size, "{report:#?}");
    }
    git(&scene.root, &["commit", "-q", "--allow-empty", "-m", "second"]);
    run(&scene);
    // Git alone remembers: the user's own copy is gone, and the newest record is covered all the same.
    fs::remove_dir_all(scene.home.join("anchors")).unwrap();
    let report = scene.verify();
    assert!(report.ok && report.unanchored == 0, "{report:#?}");
    let kept = report.anchors.iter().filter(|anchor| anchor.kind == "git-notes").count();
    assert_eq!(kept, 2, "one for each commit");
}

#[test]
fn a_signed_tag_is_an_anchor_and_git_verifies_it() {
    let scene = Scene::with_runs(2);
    git(&scene.root, &["init", "-q"]);
    git(&scene.root, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let key = scene.home.join("tag-key");
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    assert!(made.expect("ssh-keygen comes with openssh-client").success());
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    let signers = scene.home.join("signers");
    fs::write(&signers, format!("t@example.org {public}")).unwrap();
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingkey", key.to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", signers.to_str().unwrap()),
        ("user.name", "t"),
        ("user.email", "t@example.org"),
    ] {
        git(&scene.root, &["config", name, value]);
    }
    let checkpoint = fs::read_to_string(scene.fwai("log/checkpoint")).unwrap();
    anchor_in_tag(&scene.root, 2, &checkpoint, true).unwrap();
    git(&scene.root, &["tag", "-v", "fwai/2"]);
    let anchors = scene.verify().anchors;
    let tag = anchors.iter().find(|anchor| anchor.kind == "git-tag").unwrap();
    assert!(tag.ok && tag.size == 2, "{anchors:#?}");
    // Rolled back behind the tag.
    fs::remove_dir_all(scene.home.join("anchors")).unwrap();
    fs::remove_dir_all(scene.root.join(".fwai")).unwrap();
    let report = scene.verify();
    assert!(!report.ok && report.problems[0].what.contains("git tag fwai/2"), "{report:#?}");
}
