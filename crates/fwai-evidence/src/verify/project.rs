//! The whole of a project, or one run of it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use fwai_schema::evidence::{Evidence, RunStatus};

use super::{
    CheckedLog, LeafKind, LogReport, Problem, Report,
    anchor_check::check_anchors,
    check_log,
    log_check::Leaf,
    run_check::{LoggedStatement, check_run},
};
use crate::{
    anchors::{Witness, find_anchors},
    dsse::Envelope,
    durable::{LARGEST_RECORD, read_plain},
    keys::{KeyError, ProjectKeys, UserKeys},
    log::{Log, LogSnapshot},
    merkle::{inclusion_proof, leaf_hash, verify_inclusion},
    public_key::PublicKey,
    runs::{
        ATTESTATION_FILE, EVIDENCE_FILE,
        attest::run_files,
        listing::run_ids,
        open_marker::{is_alive, marked_runs},
        run_id::is_run_id,
    },
    trust::{Standing, Trust, TrustInLog},
};

/// What to verify against.
#[derive(Debug, Clone)]
pub struct Verification {
    pub root: PathBuf,
    pub user_directory: PathBuf,
    pub trust: Trust,
    /// Keys that the user replaced; what they signed before holds.
    pub retired: Vec<PublicKey>,
    /// Whose countersignatures count.
    pub witness: Option<Witness>,
}

impl Verification {
    /// Trusts the keys that policy names, and the user's own.
    pub fn new(root: &Path, user_directory: &Path, policy_keys: &[PublicKey]) -> Result<Self, KeyError> {
        let user = UserKeys::of(user_directory);
        let retired = user.retired();
        let own = user.current()?.into_iter().chain(retired.iter().copied());
        Ok(Self {
            root: root.to_owned(),
            user_directory: user_directory.to_owned(),
            trust: Trust::new(policy_keys.iter().copied().chain(own)),
            retired,
            witness: None,
        })
    }
}

/// Verifies every run, the log, and the anchors.
pub fn verify_all(what: &Verification) -> Report {
    let mut report = Report::default();
    let snapshot = open_log(what, &mut report);
    let checked = snapshot
        .as_ref()
        .map(|log| check_log(log, &what.trust))
        .unwrap_or_else(|| CheckedLog { trust: what.trust.within(&[]), ..CheckedLog::default() });
    report.problems.extend(checked.problems.iter().cloned());
    let logged: BTreeMap<&str, &Leaf> = checked
        .leaves
        .iter()
        .filter_map(|leaf| match &leaf.kind {
            LeafKind::Run(id) => Some((id.as_str(), leaf)),
            _ => None,
        })
        .collect();
    for (run_id, leaf) in &logged {
        if !is_run_id(run_id) {
            report.problem(
                None,
                format!(".fwai/log (leaf {})", leaf.index),
                format!("{run_id:?} is not a run id"),
            );
            continue;
        }
        report.runs += 1;
        let entry = || snapshot.as_ref()?.entry(leaf.index).ok();
        let statement = LoggedStatement { index: leaf.index, hash: &leaf.hash, entry: &entry };
        check_run(&what.root, run_id, &statement, &checked.trust, &mut report);
    }
    let marked = marked_runs(&what.root.join(".fwai/runs"));
    match run_ids(&what.root) {
        Ok(ids) => {
            for id in ids.iter().filter(|id| !logged.contains_key(id.as_str())) {
                check_unlogged(what, id, marked.contains(id), &checked.trust, &mut report);
            }
        }
        Err(error) => report.problem(None, ".fwai/runs", error.to_string()),
    }
    for file in ProjectKeys::of(&what.root).misnamed() {
        report.problem(None, file, "is not the key that its name says");
    }
    finish(what, snapshot.as_ref(), &checked, report)
}

/// Verifies one run: its files, its place in the log, the checkpoint and the anchors.
pub fn verify_run(what: &Verification, run_id: &str) -> Report {
    let mut report = Report::default();
    let directory = what.root.join(".fwai/runs").join(run_id);
    if !is_run_id(run_id) || (!directory.is_dir() && !is_in_log(what, run_id)) {
        report.problem(Some(run_id), format!(".fwai/runs/{run_id}"), "there is no such run");
        return report.close();
    }
    let whole = verify_all(what);
    let about_it = |problem: &Problem| problem.run_id.as_deref().is_none_or(|id| id == run_id);
    report.problems = whole.problems.iter().filter(|problem| about_it(problem)).cloned().collect();
    let only = |ids: &[String]| ids.iter().filter(|id| *id == run_id).cloned().collect::<Vec<_>>();
    report.interrupted = only(&whole.interrupted);
    report.pending = only(&whole.pending);
    report.live = only(&whole.live);
    report.runs = 1;
    report.unanchored = whole.unanchored;
    report.anchors = whole.anchors;
    report.notes = whole.notes;
    report.log = whole.log;
    check_inclusion(what, run_id, &mut report);
    report.close()
}

/// The proof that a stranger would check, checked.
fn check_inclusion(what: &Verification, run_id: &str, report: &mut Report) {
    let Ok(Some(log)) = Log::of(&what.root).snapshot() else { return };
    let Ok(bytes) =
        read_plain(&what.root.join(".fwai/runs").join(run_id).join(ATTESTATION_FILE), LARGEST_RECORD)
    else {
        return;
    };
    let hash = leaf_hash(&bytes);
    let Ok(Some(index)) = log.position_of(&hash, 0) else { return };
    let holds = inclusion_proof(&log, index, log.size()).is_ok_and(|proof| {
        verify_inclusion(&hash, index, log.size(), &proof, &log.signed.checkpoint.root).is_ok()
    });
    if !holds {
        report.problem(
            Some(run_id),
            ".fwai/log",
            format!("no proof leads from leaf {index} to the checkpoint"),
        );
    }
}

fn is_in_log(what: &Verification, run_id: &str) -> bool {
    let Ok(Some(log)) = Log::of(&what.root).snapshot() else { return false };
    let checked = check_log(&log, &what.trust);
    checked.leaves.iter().any(|leaf| matches!(&leaf.kind, LeafKind::Run(id) if id == run_id))
}

fn open_log(what: &Verification, report: &mut Report) -> Option<LogSnapshot> {
    let log = Log::of(&what.root);
    match log.snapshot() {
        Ok(None) => {
            if log.directory().join("tile").exists() {
                report.problem(None, ".fwai/log/checkpoint", "is missing, though the log has entries");
            }
            None
        }
        Ok(snapshot) => snapshot,
        Err(error) => {
            report.problem(None, ".fwai/log/checkpoint", error.to_string());
            None
        }
    }
}

/// A run that no leaf speaks of.
fn check_unlogged(what: &Verification, run_id: &str, marked: bool, trust: &TrustInLog, report: &mut Report) {
    let runs = what.root.join(".fwai/runs");
    let directory = runs.join(run_id);
    let id = run_id.to_owned();
    if marked && is_alive(&runs, run_id) {
        return report.live.push(id);
    }
    let files = run_files(&directory).unwrap_or_default();
    let stated = directory.join(ATTESTATION_FILE).exists();
    if files.is_empty() && !stated {
        // Cut off before its first record.
        return;
    }
    report.runs += 1;
    if marked && stated {
        // What waits for its leaf is held to all that a leaf would be; anybody can put a marker beside a run.
        check_waiting(what, run_id, trust, report);
        return report.pending.push(id);
    }
    if marked {
        return report.interrupted.push(id);
    }
    let file = format!(".fwai/runs/{run_id}");
    let record = read_plain(&directory.join(EVIDENCE_FILE), LARGEST_RECORD).ok();
    let record = record.and_then(|bytes| serde_json::from_slice::<Evidence>(&bytes).ok());
    let what = match record {
        _ if stated => "is signed but not in the log: it was added from elsewhere, or the log was cut",
        Some(evidence) if evidence.waivers.iter().any(|waiver| waiver == "evidence.sign: off") => {
            "is not signed (`evidence.sign` was off), so nothing vouches for it"
        }
        Some(evidence) if evidence.status == RunStatus::Running => {
            "says that it runs, but no process and no marker belongs to it"
        }
        _ => "is neither signed nor in the log",
    };
    report.problem(Some(run_id), file, what);
}

/// A statement that is written and not yet in the log.
fn check_waiting(what: &Verification, run_id: &str, trust: &TrustInLog, report: &mut Report) {
    let size = Log::of(&what.root).size().unwrap_or(0);
    let file = what.root.join(".fwai/runs").join(run_id).join(ATTESTATION_FILE);
    let Ok(bytes) = read_plain(&file, LARGEST_RECORD) else {
        let file = format!(".fwai/runs/{run_id}/{ATTESTATION_FILE}");
        return report.problem(Some(run_id), file, "cannot be read");
    };
    let signers = Envelope::parse(&bytes).map(|envelope| envelope.signers_among(trust.keys()));
    let signers = signers.unwrap_or_default();
    if !signers.iter().any(|key| trust.standing(key, size) == Standing::Trusted) {
        let file = format!(".fwai/runs/{run_id}/{ATTESTATION_FILE}");
        report.problem(Some(run_id), file, "is neither in the log nor signed by any trusted key");
    }
    let statement = LoggedStatement { index: size, hash: &leaf_hash(&bytes), entry: &|| None };
    check_run(&what.root, run_id, &statement, trust, report);
}

fn finish(
    what: &Verification,
    snapshot: Option<&LogSnapshot>,
    checked: &CheckedLog,
    mut report: Report,
) -> Report {
    if let Some(log) = snapshot {
        let checkpoint = &log.signed.checkpoint;
        let signer = log.signed.signer_among(checked.trust.signers_of(checkpoint.size));
        if signer.is_none() {
            let what = match log.signed.signer_among(checked.trust.keys()) {
                Some(key) => format!("is signed by {key}, which the log says was replaced"),
                None => {
                    "is not signed by any trusted key: it was changed, or its key is unknown here".to_owned()
                }
            };
            report.problem(None, ".fwai/log/checkpoint", what);
        }
        // Whoever has a key that was replaced can make a log that says nothing of the change.
        if let Some(key) = signer.filter(|key| what.retired.contains(key)) {
            report.notes.push(format!(
                "the log is signed by {key}, which you replaced since; the next run here states the change, and \
                 until then nothing tells your records from those of somebody who has that key"
            ));
        }
        report.log = Some(LogReport {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            root: STANDARD.encode(checkpoint.root),
            signed_by: signer.map(|key| key.to_base64()),
        });
    }
    let anchors = find_anchors(&what.root, &what.user_directory, what.witness.as_ref());
    check_anchors(snapshot, anchors, &checked.trust, &mut report);
    report.close()
}
