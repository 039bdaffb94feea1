//! `fwai security scan`: secrets in a tree, in what is staged, and in the whole history of git.
//!
//! [`tree`] walks files, [`git`] reads blobs through `git cat-file`; both give the same findings.

mod git;
mod tree;

use fwai_policy::secrets::SecretFinding;
use serde::Serialize;

pub use git::{scan_history, scan_staged};
pub use tree::{TreeOptions, scan_tree};

/// A secret in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileFinding {
    pub rule: String,
    /// Relative to where the scan began.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub redacted: String,
    pub title: String,
    /// Commit that brought it in, for scans of the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl FileFinding {
    fn new(file: &str, commit: Option<&str>, found: SecretFinding) -> Self {
        Self {
            rule: found.rule,
            file: file.to_owned(),
            line: found.line,
            column: found.column,
            end_line: found.end_line,
            end_column: found.end_column,
            redacted: found.redacted,
            title: found.title,
            commit: commit.map(str::to_owned),
        }
    }
}

/// What a scan looked at and found.
#[derive(Debug, Default, Serialize)]
pub struct ScanReport {
    /// By file and place.
    pub findings: Vec<FileFinding>,
    pub files: u64,
    pub bytes: u64,
    /// Files that could not be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

impl ScanReport {
    fn sorted(mut self) -> Self {
        self.findings.sort_by(|a, b| {
            (&a.file, a.line, a.column, &a.rule, &a.commit)
                .cmp(&(&b.file, b.line, b.column, &b.rule, &b.commit))
        });
        self.unread.sort();
        self
    }
}

/// Why a scan could not be made.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum ScanError {
    #[error("{path}: {source}; name a file or directory that exists")]
    Path { path: String, source: std::io::Error },
    #[error("git {command} failed in {directory}: {reason}; run it inside a git repository")]
    Git { command: String, directory: String, reason: String },
}
