//! One run: its files against its statement, its record against both.

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::report::Report;
use crate::{
    dsse::Envelope,
    durable::{LARGEST_RECORD, open_plain, read_plain},
    merkle::{Hash, leaf_hash},
    runs::{
        ATTESTATION_FILE, EVIDENCE_FILE,
        attest::{SUMS_FILE, run_files, sha256_of_file},
    },
    signed_record::open_record,
    statement::{RUN_PREDICATE, RunPredicate, Statement},
    trust::{Standing, TrustInLog},
};

/// Where the log says that a run's statement stands.
pub struct LoggedStatement<'l> {
    pub index: u64,
    pub hash: &'l Hash,
    /// The statement itself, read when the file differs.
    pub entry: &'l dyn Fn() -> Option<Vec<u8>>,
}

/// Checks the directory of a run whose statement is in the log.
pub fn check_run(
    root: &Path,
    run_id: &str,
    logged: &LoggedStatement<'_>,
    trust: &TrustInLog,
    report: &mut Report,
) {
    let directory = root.join(".fwai/runs").join(run_id);
    let name = |file: &str| format!(".fwai/runs/{run_id}/{file}");
    if !directory.is_dir() {
        let what = format!("is missing, but leaf {} of the log states it", logged.index);
        report.problem(Some(run_id), format!(".fwai/runs/{run_id}"), what);
        return;
    }
    let mut statement_bytes = read_plain(&directory.join(ATTESTATION_FILE), LARGEST_RECORD).ok();
    let wrong = match &statement_bytes {
        None => Some("is missing".to_owned()),
        Some(bytes) if leaf_hash(bytes) != *logged.hash => {
            Some(format!("differs from the statement at leaf {} of the log", logged.index))
        }
        Some(_) => None,
    };
    if let Some(what) = wrong {
        report.problem(Some(run_id), name(ATTESTATION_FILE), what);
        // The log still knows what was stated, so the other files can be told right from wrong.
        statement_bytes = (logged.entry)().filter(|entry| leaf_hash(entry) == *logged.hash);
    }
    let Some(statement_bytes) = statement_bytes else { return };
    let statement = match Envelope::parse(&statement_bytes)
        .map_err(Into::into)
        .and_then(|e| Statement::open(&e))
    {
        Ok(statement) if statement.predicate_type == RUN_PREDICATE => statement,
        Ok(_) => {
            return report.problem(Some(run_id), name(ATTESTATION_FILE), "is not a statement about a run");
        }
        Err(error) => return report.problem(Some(run_id), name(ATTESTATION_FILE), error.to_string()),
    };
    check_files(&directory, run_id, &statement, report);
    check_record(&directory, run_id, logged.index, statement.predicate, trust, report);
}

fn check_files(directory: &Path, run_id: &str, statement: &Statement, report: &mut Report) {
    let prefix = format!(".fwai/runs/{run_id}/");
    let mut listed = BTreeSet::new();
    let mut expected: Vec<(String, String)> = Vec::new();
    for subject in &statement.subject {
        let Some(file) = subject.name.strip_prefix(&prefix) else { continue };
        if file.contains('/') || file == ".." {
            report.problem(Some(run_id), subject.name.clone(), "is stated, but lies outside the run");
            continue;
        }
        expected.push((file.to_owned(), subject.sha256().unwrap_or_default().to_owned()));
    }
    if let Some(position) = expected.iter().position(|(file, _)| file == SUMS_FILE) {
        match read_plain(&directory.join(SUMS_FILE), LARGEST_RECORD) {
            Ok(sums) if hex::encode(Sha256::digest(&sums)) == expected[position].1 => {
                let sums = String::from_utf8_lossy(&sums);
                let lines = sums.lines().filter_map(|line| line.split_once("  "));
                expected.extend(lines.map(|(sum, file)| (file.to_owned(), sum.to_owned())));
            }
            // Reported below, as any other changed file.
            _ => {}
        }
    }
    for (file, sum) in expected {
        let sum_now = open_plain(&directory.join(&file)).and_then(sha256_of_file);
        let problem = match sum_now {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some("is missing".to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Some(error.to_string()),
            Err(error) => Some(format!("cannot be read: {error}")),
            Ok(now) if now != sum => Some("was changed after it was signed".to_owned()),
            Ok(_) => None,
        };
        if let Some(what) = problem {
            report.problem(Some(run_id), format!("{prefix}{file}"), what);
        }
        listed.insert(file);
    }
    for file in run_files(directory).unwrap_or_default() {
        if !listed.contains(&file) {
            report.problem(Some(run_id), format!("{prefix}{file}"), "was added after the run was signed");
        }
    }
}

fn check_record(
    directory: &Path,
    run_id: &str,
    index: u64,
    predicate: Value,
    trust: &TrustInLog,
    report: &mut Report,
) {
    let file = format!(".fwai/runs/{run_id}/{EVIDENCE_FILE}");
    // A record that is gone or changed has been reported with the files.
    let Ok(bytes) = read_plain(&directory.join(EVIDENCE_FILE), LARGEST_RECORD) else { return };
    let Ok(predicate) = serde_json::from_value::<RunPredicate>(predicate) else {
        return report.problem(
            Some(run_id),
            format!(".fwai/runs/{run_id}/{ATTESTATION_FILE}"),
            "has no evidence in it",
        );
    };
    let Some((mut record, key)) = open_record(&bytes) else {
        return report.problem(Some(run_id), file, "its own signature does not hold");
    };
    if trust.standing(&key, index) != Standing::Trusted {
        report.problem(Some(run_id), file.clone(), format!("is signed by {key}, which is not trusted here"));
    }
    if let Some(fields) = record.as_object_mut() {
        for omitted in &predicate.omitted {
            fields.shift_remove(omitted);
        }
    }
    if record != predicate.evidence {
        report.problem(Some(run_id), file.clone(), "says something else than its signed statement");
    }
    if predicate.run_id != run_id || record.get("run_id").and_then(Value::as_str) != Some(run_id) {
        report.problem(Some(run_id), file, "belongs to another run");
    }
}
