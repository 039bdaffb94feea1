//! One run as it is exported: the record, its logs, its diff, and what verification said.

use std::{
    collections::BTreeMap,
    path::{Component, Path},
};

use fwai_schema::evidence::Evidence;
use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{
    durable::{LARGEST_RECORD, open_plain, read_plain},
    runs::{JOURNAL_FILE, attest::sha256_of_file},
};

/// Longer logs are shown with their beginning and their end.
const SHOWN: usize = 256 << 10;
const SHOWN_HEAD: usize = 64 << 10;
/// Larger files are hashed and named, not read.
const LARGEST_SHOWN: u64 = 64 << 20;

/// What is known about the truth of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub state: VerificationState,
    /// What is wrong and where.
    pub problems: Vec<String>,
    /// Records since the last outside anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanchored: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationState {
    #[default]
    NotChecked,
    Verified,
    Failed,
}

/// A log as far as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogText {
    pub text: String,
    /// Bytes that are left out in the middle.
    pub left_out: u64,
    /// Whether its hash is the recorded one; absent where none is recorded.
    pub hash_ok: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct RunExport {
    pub evidence: Evidence,
    /// By name, relative to the run's directory.
    pub logs: BTreeMap<String, LogText>,
    pub diff: Option<String>,
    /// When each tool of the record ended, in milliseconds since the start; as far as the journal says.
    pub tool_ends: Vec<u64>,
    pub verification: Verification,
}

/// Why a run could not be exported.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum ExportError {
    #[error("{path}: {source}; `fwai evidence list` shows the runs there are")]
    Read { path: String, source: std::io::Error },
    #[error("{path}: not a record of a run: {source}; `fwai audit verify` says more")]
    Record { path: String, source: serde_json::Error },
}

impl RunExport {
    /// Reads a run's directory. Logs that are missing or unreadable are shown as such.
    pub fn read(directory: &Path, verification: Verification) -> Result<Self, ExportError> {
        let path = directory.join("evidence.json");
        let shown = path.display().to_string();
        let text = read_plain(&path, LARGEST_RECORD)
            .map_err(|source| ExportError::Read { path: shown.clone(), source })?;
        let evidence: Evidence =
            serde_json::from_slice(&text).map_err(|source| ExportError::Record { path: shown, source })?;
        Ok(Self::with_record(directory, evidence, verification))
    }

    /// The same for a record that is at hand, for instance that of an interrupted run.
    pub fn with_record(directory: &Path, evidence: Evidence, verification: Verification) -> Self {
        let mut logs = BTreeMap::new();
        let hashed =
            evidence.tools.iter().filter_map(|tool| Some((tool.log_file.clone()?, tool.log_sha256.clone())));
        let boot = evidence.boot_status.iter().filter_map(|boot| Some((boot.log_file.clone()?, None)));
        for (name, sha256) in hashed.chain(boot) {
            let log = read_inside(directory, &name).map(|bytes| log_text(&bytes, sha256.as_deref()));
            let log = log.unwrap_or_else(|error| LogText {
                text: format!("({error})"),
                hash_ok: sha256.and_then(|sum| has_hash(directory, &name, &sum)),
                ..LogText::default()
            });
            // A boot log that a tool also names keeps the entry with the hash.
            logs.entry(name).or_insert(log);
        }
        let diff_path = evidence.changes.as_ref().and_then(|changes| changes.diff_path.clone());
        let diff = diff_path.map(|name| match read_inside(directory, &name) {
            Ok(bytes) => cut_text(&bytes).0,
            Err(error) => format!("({error})"),
        });
        let tool_ends = read_inside(directory, JOURNAL_FILE)
            .map(|journal| tool_ends(&evidence.start_time, &journal))
            .unwrap_or_default();
        Self { evidence, logs, diff, tool_ends, verification }
    }
}

fn tool_ends(start: &str, journal: &[u8]) -> Vec<u64> {
    let Ok(start) = start.parse::<Timestamp>() else { return Vec::new() };
    let lines = journal.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    entries
        .filter(|entry| entry["what"] == "tool")
        .map_while(|entry| entry["at"].as_str()?.parse::<Timestamp>().ok())
        .map(|at| u64::try_from(at.duration_since(start).as_millis()).unwrap_or(0))
        .collect()
}

/// Reads a file that a record names, but never one outside the run.
fn read_inside(directory: &Path, name: &str) -> Result<Vec<u8>, String> {
    let is_inside =
        Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path = directory.join(name);
    let is_link = path.symlink_metadata().is_ok_and(|meta| meta.file_type().is_symlink());
    if !is_inside || is_link {
        return Err(format!("{name} does not lie in the run's directory"));
    }
    read_plain(&path, LARGEST_SHOWN).map_err(|error| format!("{name} cannot be shown: {error}"))
}

/// Whether a file that is too large to be shown has its hash; `None` where it cannot be read at all.
fn has_hash(directory: &Path, name: &str, sha256: &str) -> Option<bool> {
    let is_plain = Path::new(name).components().eq([Component::Normal(name.as_ref())]);
    let file = is_plain.then(|| open_plain(&directory.join(name)).ok())??;
    Some(sha256_of_file(file).ok()?.eq_ignore_ascii_case(sha256))
}

fn log_text(bytes: &[u8], sha256: Option<&str>) -> LogText {
    let (text, left_out) = cut_text(bytes);
    let hash_ok = sha256.map(|expected| hex::encode(Sha256::digest(bytes)).eq_ignore_ascii_case(expected));
    LogText { text, left_out, hash_ok }
}

fn cut_text(bytes: &[u8]) -> (String, u64) {
    if bytes.len() <= SHOWN {
        return (String::from_utf8_lossy(bytes).into_owned(), 0);
    }
    let left_out = bytes.len() - SHOWN;
    let head = String::from_utf8_lossy(&bytes[..SHOWN_HEAD]);
    let tail = String::from_utf8_lossy(&bytes[SHOWN_HEAD + left_out..]);
    (format!("{head}\n… {left_out} bytes left out …\n{tail}"), left_out as u64)
}
