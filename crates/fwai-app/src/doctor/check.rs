//! One line of the doctor's report.

use serde::Serialize;

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Ok,
    /// Some work will not be possible.
    Warning,
    /// What this project needs, or fwai itself, does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: String,
    pub status: Status,
    pub detail: String,
    /// The command that mends it, or what to do; absent where nothing is to be done.
    pub fix: Option<String>,
}

impl Check {
    pub fn ok(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Ok, detail: detail.into(), fix: None }
    }

    pub fn warning(name: impl Into<String>, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Warning, detail: detail.into(), fix: Some(fix.into()) }
    }

    pub fn problem(name: impl Into<String>, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { status: Status::Problem, ..Self::warning(name, detail, fix) }
    }
}
