//! What callers hand in about one tool, before redaction and hashing.

use fwai_schema::evidence::RunStatus;

/// One command or tool that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRecord {
    pub tool: String,
    pub command: String,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
    pub status: RunStatus,
}

impl ToolRecord {
    /// A tool that ran; the status follows from the exit code until it is set.
    pub fn new(tool: impl Into<String>, command: impl Into<String>, exit_code: Option<i32>) -> Self {
        let status = if exit_code == Some(0) { RunStatus::Success } else { RunStatus::Failure };
        Self { tool: tool.into(), command: command.into(), exit_code, duration_ms: 0, status }
    }

    pub fn duration_ms(mut self, duration_ms: u64) -> Self {
        self.duration_ms = duration_ms;
        self
    }

    pub fn status(mut self, status: RunStatus) -> Self {
        self.status = status;
        self
    }
}
