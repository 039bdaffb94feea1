//! A bundle altered part by part before two verifiers, the Rust half and the bundle's own script, that must agree.

mod scene;

use std::{fs, path::PathBuf, process::Command};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD},
};
use fwai_evidence::{
    bundle::{BundleIndex, Proof},
    dsse::Envelope,
    keys::UserKeys,
    note::{Checkpoint, SignedCheckpoint},
    prove::write_bundle,
    signer::Signer,
    statement::PAYLOAD_TYPE,
    trust::Trust,
};
use scene::{Scene, python};
use serde_json::{Value, json};

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
