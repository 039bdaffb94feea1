//! Runs as one JSON object: the records as they are, and what verification said of each.

use serde_json::{Value, json};

use super::RunExport;

pub fn json(runs: &[RunExport]) -> Value {
    let runs: Vec<Value> =
        runs.iter().map(|run| json!({"evidence": run.evidence, "verification": run.verification})).collect();
    json!({"format": "fwai-audit-export", "version": 1, "runs": runs})
}
