//! Reading runs back: newest first, with interrupted ones told from those still at work.

use std::{fs, io, path::Path};

use fwai_schema::evidence::{Evidence, RunStatus};
use serde::Serialize;

use crate::durable;

use super::{EVIDENCE_FILE, JOURNAL_FILE, journal, open_marker::is_alive, run_id::is_run_id};

/// One line of a list of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedRun {
    pub run_id: String,
    pub skill: String,
    pub status: RunStatus,
    pub start_time: String,
    pub duration_ms: u64,
    /// Why the record cannot be read, where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The runs of a project, newest first.
pub fn list_runs(root: &Path) -> io::Result<Vec<ListedRun>> {
    let mut ids = run_ids(root)?;
    ids.reverse();
    Ok(ids
        .into_iter()
        .map(|run_id| match load_evidence(root, &run_id) {
            Ok(evidence) => ListedRun {
                run_id,
                skill: evidence.skill,
                status: evidence.status,
                start_time: evidence.start_time,
                duration_ms: evidence.duration_ms,
                problem: None,
            },
            Err(error) => ListedRun {
                skill: String::new(),
                status: RunStatus::Interrupted,
                start_time: String::new(),
                duration_ms: 0,
                problem: Some(error.to_string()),
                run_id,
            },
        })
        .collect())
}

/// The record of a run; for one that was cut off, what its journal still says.
pub fn load_evidence(root: &Path, run_id: &str) -> io::Result<Evidence> {
    if !is_run_id(run_id) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{run_id} is not a run id")));
    }
    let runs = root.join(".fwai/runs");
    let directory = runs.join(run_id);
    let path = directory.join(EVIDENCE_FILE);
    let bytes = durable::read_plain(&path, durable::LARGEST_RECORD)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let evidence: Evidence = serde_json::from_slice(&bytes).map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
    })?;
    if evidence.status == RunStatus::Running && !is_alive(&runs, run_id) {
        return Ok(journal::fold(evidence, journal::read(&directory.join(JOURNAL_FILE))));
    }
    Ok(evidence)
}

/// The run that a person means: an id, the beginning of one, `latest`, or a label such as `build` for the
/// newest run of that name.
pub fn find_run(root: &Path, text: &str) -> io::Result<Option<String>> {
    let ids = run_ids(root)?;
    if ids.iter().any(|id| id == text) {
        return Ok(Some(text.to_owned()));
    }
    if matches!(text, "latest" | "last") {
        return Ok(ids.last().cloned());
    }
    let mut beginning = ids.iter().filter(|id| !text.is_empty() && id.starts_with(text));
    if let (Some(only), None) = (beginning.next(), beginning.next()) {
        return Ok(Some(only.clone()));
    }
    let is_label = |id: &&String| {
        let label = &id[16..];
        let plain =
            label.rsplit_once('-').filter(|(_, serial)| serial.bytes().all(|byte| byte.is_ascii_digit()));
        label == text || plain.is_some_and(|(label, _)| label == text)
    };
    Ok(ids.iter().rev().find(is_label).cloned())
}

/// Ids of all runs, oldest first.
pub fn run_ids(root: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(root.join(".fwai/runs")) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && is_run_id(&name)
        {
            ids.push(name);
        }
    }
    ids.sort();
    Ok(ids)
}
