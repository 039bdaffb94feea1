//! From a complete record to a leaf in the log.
//!
//! Order, and what a crash leaves after each step: signed `evidence.json` (the record holds, the statement is
//! made again) → `attestation.dsse.json` (the statement holds, its leaf is appended) → leaf (nothing is left
//! to do but to remove the marker). Repair runs the same steps from where they stopped.

use std::path::Path;

use fwai_schema::evidence::Evidence;

use super::{ATTESTATION_FILE, EVIDENCE_FILE, RunError, RunStore, attest::attest};
use crate::{
    anchors::{UserAnchors, anchor_in_notes},
    durable,
    keys::{ProjectKeys, UserKeys},
    log::{Appended, Log},
    merkle::leaf_hash,
    signed_record::{settle, sign_record},
    signer::Signer,
};

/// Writes `evidence.json`, signed where the configuration says so.
pub fn write_record(directory: &Path, evidence: &Evidence) -> Result<(), RunError> {
    let path = directory.join(EVIDENCE_FILE);
    let mut bytes =
        serde_json::to_vec_pretty(evidence).map_err(|error| RunError::write(&path)(error.into()))?;
    bytes.push(b'\n');
    durable::replace_file(&path, &bytes).map_err(RunError::write(&path))
}

/// Signs a record, states it, and appends the statement to the log.
pub fn seal(
    store: &RunStore,
    directory: &Path,
    evidence: &mut Evidence,
) -> Result<Option<Appended>, RunError> {
    if !store.options.sign {
        evidence.signature = None;
        let waiver = "evidence.sign: off".to_owned();
        if !evidence.waivers.contains(&waiver) {
            evidence.waivers.push(waiver);
        }
        write_record(directory, evidence)?;
        return Ok(None);
    }
    let signer = UserKeys::of(&store.options.user_directory).signer()?;
    settle(evidence);
    sign_record(evidence, &signer);
    write_record(directory, evidence)?;
    let envelope = write_statement(directory, evidence, &signer)?;
    append(store, &envelope, &signer).map(Some)
}

/// Writes `attestation.dsse.json` and returns its bytes.
pub fn write_statement(directory: &Path, evidence: &Evidence, signer: &Signer) -> Result<Vec<u8>, RunError> {
    let path = directory.join(ATTESTATION_FILE);
    let envelope = attest(directory, evidence, signer).map_err(RunError::write(&path))?.to_bytes();
    durable::replace_file(&path, &envelope).map_err(RunError::write(&path))?;
    Ok(envelope)
}

/// Appends a statement, after those about changes of keys that this project has not seen yet.
pub fn append(store: &RunStore, envelope: &[u8], signer: &Signer) -> Result<Appended, RunError> {
    let appended = append_with_rotations(store, Some(envelope), signer)?;
    Ok(appended.expect("there is at least the statement to append"))
}

/// Appends what this project has not seen of the user's changes of keys, and a statement behind it.
pub fn append_with_rotations(
    store: &RunStore,
    envelope: Option<&[u8]>,
    signer: &Signer,
) -> Result<Option<Appended>, RunError> {
    let log = Log::of(&store.root);
    let keys = ProjectKeys::of(&store.root);
    let key = signer.public_key();
    let is_new_key = !keys.knows(&key);
    let user = UserKeys::of(&store.options.user_directory);
    let rotations = if is_new_key { keys.rotations_to(&key, &user) } else { Vec::new() };
    let entries: Vec<&[u8]> =
        rotations.iter().map(|rotation| &rotation.envelope[..]).chain(envelope).collect();
    if entries.is_empty() {
        return Ok(None);
    }
    let appended = log.append(&entries, signer)?;
    if is_new_key {
        let written = rotations.iter().try_for_each(|rotation| keys.add_rotation(rotation));
        written.and_then(|()| keys.add(&key)).map_err(RunError::write(&store.root.join(".fwai/keys")))?;
    }
    // The copy outside the project is a second witness; a user's directory that cannot be written must not
    // undo a run that is durable, and `verify` counts what is not anchored.
    let _ = UserAnchors::of(&store.options.user_directory, &store.root).remember(&log, &appended);
    if store.options.git_notes {
        let _ = anchor_in_notes(&store.root, &appended.note);
    }
    Ok(Some(appended))
}

/// Appends a statement that was written but perhaps not logged; `from` is where its leaf can be at the earliest.
pub fn append_once(store: &RunStore, directory: &Path, from: u64, signer: &Signer) -> Result<(), RunError> {
    if is_logged(store, directory, from)? {
        return Ok(());
    }
    let path = directory.join(ATTESTATION_FILE);
    let envelope = durable::read_plain(&path, durable::LARGEST_RECORD).map_err(RunError::write(&path))?;
    append(store, &envelope, signer).map(drop)
}

/// Whether the statement of a run is in the log, at `from` or behind it.
pub fn is_logged(store: &RunStore, directory: &Path, from: u64) -> Result<bool, RunError> {
    let path = directory.join(ATTESTATION_FILE);
    let envelope = durable::read_plain(&path, durable::LARGEST_RECORD).map_err(RunError::write(&path))?;
    let Some(snapshot) = Log::of(&store.root).snapshot()? else { return Ok(false) };
    let place = snapshot.position_of(&leaf_hash(&envelope), from);
    Ok(place.map_err(RunError::write(&store.root.join(".fwai/log")))?.is_some())
}
