//! What a verification says.

use serde::Serialize;

/// The result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// Nothing contradicts the evidence.
    pub ok: bool,
    /// Runs that were checked.
    pub runs: u64,
    /// Records since the last outside anchor; of these nobody but the signer can say that none is missing.
    pub unanchored: u64,
    pub problems: Vec<Problem>,
    /// What a reader should know and what is no contradiction.
    pub notes: Vec<String>,
    /// Runs that were cut off and not completed yet.
    pub interrupted: Vec<String>,
    /// Runs that are complete and get their leaf with the next run.
    pub pending: Vec<String>,
    /// Runs whose process is at work.
    pub live: Vec<String>,
    pub anchors: Vec<AnchorReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogReport>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// Absent when the log as a whole is meant.
    pub run_id: Option<String>,
    /// Relative to the project.
    pub file: String,
    pub what: String,
}

/// An anchor that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnchorReport {
    /// `user`, `git-notes`, `git-tag`, `witness` or `beside`.
    pub kind: String,
    pub place: String,
    pub size: u64,
    /// Whether it lies outside the project's own files.
    pub outside: bool,
    pub ok: bool,
}

/// The log in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogReport {
    pub origin: String,
    pub size: u64,
    /// Base64.
    pub root: String,
    /// Base64; absent when no trusted key signed the checkpoint.
    pub signed_by: Option<String>,
}

impl Report {
    pub(super) fn problem(&mut self, run_id: Option<&str>, file: impl Into<String>, what: impl Into<String>) {
        self.problems.push(Problem {
            run_id: run_id.map(str::to_owned),
            file: file.into(),
            what: what.into(),
        });
    }

    pub(super) fn close(mut self) -> Self {
        self.problems.sort();
        self.problems.dedup();
        self.ok = self.problems.is_empty();
        self
    }
}
