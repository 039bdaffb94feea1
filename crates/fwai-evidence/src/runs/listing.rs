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
    let ids = run_ids(root)?;
    let mut runs: Vec<ListedRun> = ids
        .into_iter()
        .rev()
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
        .collect();
    // An id counts seconds; of several in one second the record says which came later.
    runs.sort_by(|one, other| {
        second(&other.run_id).cmp(second(&one.run_id)).then_with(|| other.start_time.cmp(&one.start_time))
    });
    Ok(runs)
}

/// The second in which a run began: `20260228-161234`.
fn second(run_id: &str) -> &str {
    run_id.get(..15).unwrap_or(run_id)
}

/// The one that began last of several, the newest id last.
fn newest(root: &Path, ids: &[&String]) -> Option<String> {
    let last = ids.last()?;
    let from = ids.partition_point(|id| second(id) < second(last));
    if from + 1 == ids.len() {
        return Some((*last).clone());
    }
    let began = |id: &str| load_evidence(root, id).map(|evidence| evidence.start_time).unwrap_or_default();
    ids[from..].iter().max_by_key(|id| began(id)).map(|id| (*id).clone())
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
        return Ok(newest(root, &ids.iter().collect::<Vec<_>>()));
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
    Ok(newest(root, &ids.iter().filter(is_label).collect::<Vec<_>>()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_runs_in_one_second_the_later_one_is_the_newer() {
        let root = tempfile::tempdir().unwrap();
        for (label, millis) in [("flash", 700), ("memory", 300), ("build", 100)] {
            let id = format!("20260228-161234-{label}");
            let directory = root.path().join(".fwai/runs").join(&id);
            fs::create_dir_all(&directory).unwrap();
            let evidence = serde_json::json!({
                "run_id": id, "skill": label, "status": "success", "duration_ms": 1,
                "start_time": format!("2026-02-28T16:12:34.{millis}Z"),
            });
            fs::write(directory.join(EVIDENCE_FILE), serde_json::to_vec(&evidence).unwrap()).unwrap();
        }
        let order: Vec<String> = list_runs(root.path()).unwrap().into_iter().map(|run| run.skill).collect();
        assert_eq!(order, ["flash", "memory", "build"]);
        assert_eq!(find_run(root.path(), "latest").unwrap().as_deref(), Some("20260228-161234-flash"));
        assert_eq!(find_run(root.path(), "memory").unwrap().as_deref(), Some("20260228-161234-memory"));
    }
}
