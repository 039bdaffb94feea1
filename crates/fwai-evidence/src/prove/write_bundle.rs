//! Collects a run, its place in the log and the verifier into a directory or a `.tar`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    bundle::{BundleIndex, Proof, encode_hash},
    dsse::Envelope,
    durable::{LARGEST_RECORD, read_plain},
    keys::UserKeys,
    log::{Log, LogError},
    merkle::{inclusion_proof, leaf_hash},
    prove::{VERIFIER, tar::archive},
    runs::{ATTESTATION_FILE, attest::run_files, run_id::is_run_id},
    statement::open_rotation,
    trust::Trust,
    verify::{LeafKind, check_log},
};

/// A bundle on disk.
#[derive(Debug, Clone)]
pub struct WrittenBundle {
    pub path: PathBuf,
    pub leaf_index: u64,
    pub tree_size: u64,
    pub proof_hashes: usize,
    pub files: Vec<String>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum ProveError {
    #[error("there is no run {run_id} here; `fwai evidence list` shows the runs")]
    NoSuchRun { run_id: String },
    #[error(
        "run {run_id} has no statement in the log yet; the next run completes it, or it was never signed"
    )]
    NotLogged { run_id: String },
    #[error("the proof for run {run_id} does not hold ({reason}); `fwai audit verify {run_id}` says why")]
    DoesNotHold { run_id: String, reason: String },
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} exists already; name another place with --output", path.display())]
    Exists { path: PathBuf },
    #[error("a file name of the run is too long for a .tar; write a directory instead")]
    NameTooLong,
}

/// Writes the bundle of a run to `target`: a directory, or one file where the name ends in `.tar`.
pub fn write_bundle(
    root: &Path,
    user: &UserKeys,
    run_id: &str,
    target: &Path,
) -> Result<WrittenBundle, ProveError> {
    let directory = root.join(".fwai/runs").join(run_id);
    if !is_run_id(run_id) || !directory.is_dir() {
        return Err(ProveError::NoSuchRun { run_id: run_id.to_owned() });
    }
    if target.exists() {
        return Err(ProveError::Exists { path: target.to_owned() });
    }
    let not_logged = || ProveError::NotLogged { run_id: run_id.to_owned() };
    let in_log = |source| ProveError::Io { path: root.join(".fwai/log"), source };
    let in_run = |source| ProveError::Io { path: directory.clone(), source };
    let attestation =
        read_plain(&directory.join(ATTESTATION_FILE), LARGEST_RECORD).map_err(|_| not_logged())?;
    let log = Log::of(root).snapshot()?.ok_or_else(not_logged)?;
    let leaf = leaf_hash(&attestation);
    let leaf_index = log.position_of(&leaf, 0).map_err(in_log)?.ok_or_else(not_logged)?;
    let proof = inclusion_proof(&log, leaf_index, log.size()).map_err(in_log)?;

    // Keys of rotations that the log states; a reader who trusts one of them needs the way to the others.
    let mut rotations: Vec<(u64, Vec<u8>)> = Vec::new();
    let own: Vec<_> = user.current().ok().flatten().into_iter().chain(user.retired()).collect();
    let checked = check_log(&log, &Trust::new(own.iter().copied()));
    for found in checked.leaves.iter().filter(|leaf| leaf.kind == LeafKind::Rotation) {
        rotations.push((found.index, log.entry(found.index).map_err(in_log)?));
    }
    let mut keys = own;
    for (_, bytes) in &rotations {
        if let Ok((old, new)) = Envelope::parse(bytes).map_err(Into::into).and_then(|e| open_rotation(&e)) {
            keys.extend([old, new]);
        }
    }
    let signers = Envelope::parse(&attestation).map(|e| e.signers_among(&keys)).unwrap_or_default();
    let mut named: Vec<_> = signers.into_iter().chain(log.signed.signer_among(&keys)).collect();
    named.dedup();
    let index = BundleIndex {
        version: 1,
        run_id: run_id.to_owned(),
        leaf_index,
        tree_size: log.size(),
        inclusion_proof: proof.iter().map(encode_hash).collect(),
        public_keys: named.iter().map(|key| key.to_base64()).collect(),
    };
    if !named.is_empty() {
        let claimed =
            Proof { index: &index, attestation: &attestation, checkpoint: &log.note, rotations: &rotations };
        claimed.verify(&Trust::new(named)).map_err(|error| ProveError::DoesNotHold {
            run_id: run_id.to_owned(),
            reason: error.to_string(),
        })?;
    }

    let mut files = vec![
        ("bundle.json".to_owned(), serde_json::to_vec_pretty(&index).expect("an index is plain data")),
        (ATTESTATION_FILE.to_owned(), attestation),
        ("checkpoint".to_owned(), log.note.clone().into_bytes()),
        ("verify.py".to_owned(), VERIFIER.as_bytes().to_vec()),
        ("README.txt".to_owned(), readme(&index).into_bytes()),
    ];
    files.extend(rotations.into_iter().map(|(index, bytes)| (format!("rotations/{index}.dsse.json"), bytes)));
    for name in run_files(&directory).map_err(in_run)? {
        let bytes = read_plain(&directory.join(&name), u64::MAX - 1).map_err(in_run)?;
        files.push((format!("files/{name}"), bytes));
    }
    write_files(target, &files)?;
    Ok(WrittenBundle {
        path: target.to_owned(),
        leaf_index,
        tree_size: index.tree_size,
        proof_hashes: index.inclusion_proof.len(),
        files: files.into_iter().map(|(name, _)| name).collect(),
    })
}

fn write_files(target: &Path, files: &[(String, Vec<u8>)]) -> Result<(), ProveError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ProveError::Io { path, source }
    };
    if target.extension().is_some_and(|extension| extension == "tar") {
        let bytes = archive(files).ok_or(ProveError::NameTooLong)?;
        return fs::write(target, bytes).map_err(failed(target));
    }
    for (name, bytes) in files {
        let path = target.join(name);
        fs::create_dir_all(path.parent().expect("the path has a name")).map_err(failed(&path))?;
        fs::write(&path, bytes).map_err(failed(&path))?;
    }
    Ok(())
}

fn readme(index: &BundleIndex) -> String {
    format!(
        "Proof of run {run}\n\n\
         attestation.dsse.json  signed statement (DSSE, in-toto Statement v1); it is leaf {leaf} of the log\n\
         checkpoint             signed size and root of the log ({size} leaves)\n\
         bundle.json            the hashes that lead from the leaf to the root\n\
         files/                 the files of the run, by name as stated\n\
         rotations/             changes of keys, signed by the old and the new one\n\n\
         Check it:  python3 verify.py --key KEY [IMAGE...]\n\n\
         KEY is the signer's public key, base64, which you got by a way that you trust. Without it the script\n\
         takes the key from this bundle and can only say that the bundle agrees with itself.\n\
         IMAGE is a firmware file; the script says whether the run states it. Needs Python 3.8 and `cryptography`.\n",
        run = index.run_id,
        leaf = index.leaf_index,
        size = index.tree_size,
    )
}
