//! Runs: one directory under `.fwai/runs/` for every operation.

pub(crate) mod attest;
mod changes;
mod clock;
mod journal;
pub(crate) mod listing;
mod log_file;
pub(crate) mod open_marker;
mod record;
mod repair;
mod run;
pub(crate) mod run_id;
mod seal;
mod store;

pub(crate) use changes::git as git_command;
pub use changes::{ChangeBudget, ChangeScope, measure_changes};
pub use clock::{Clock, SystemClock, rfc3339};
pub use journal::JournalEntry;
pub use listing::{ListedRun, find_run, list_runs, load_evidence};
pub use log_file::LogFile;
pub use record::ToolRecord;
pub use run::{EndedRun, Run};
pub use run_id::run_id;
pub use store::{RunError, RunOptions, RunStore};

/// The record of a run.
pub const EVIDENCE_FILE: &str = "evidence.json";
/// What happened, as it happened, one JSON object a line.
pub const JOURNAL_FILE: &str = "journal.jsonl";
/// The diff against the commit that the run started from.
pub const DIFF_FILE: &str = "changes.diff";
/// The signed statement over all the other files.
pub const ATTESTATION_FILE: &str = "attestation.dsse.json";
