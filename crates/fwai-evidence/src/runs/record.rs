//! What callers hand in about one tool, before redaction and hashing.

use fwai_schema::evidence::RunStatus;
use jiff::Timestamp;

/// One command or tool that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRecord {
    pub tool: String,
    pub command: String,
    pub exit_code: Option<i32>,
    /// Where it is not set, the run goes by `begin_tool`, or by the end and the duration.
    pub started: Option<Timestamp>,
    pub duration_ms: u64,
    pub status: RunStatus,
    /// It could change nothing: it only looked, or never ran.
    pub read_only: bool,
    /// The run that it left on its own.
    pub run_id: Option<String>,
}

impl ToolRecord {
    /// A tool that ran; the status follows from the exit code until it is set.
    pub fn new(tool: impl Into<String>, command: impl Into<String>, exit_code: Option<i32>) -> Self {
        let status = if exit_code == Some(0) { RunStatus::Success } else { RunStatus::Failure };
        Self {
            tool: tool.into(),
            command: command.into(),
            exit_code,
            started: None,
            duration_ms: 0,
            status,
            read_only: false,
            run_id: None,
        }
    }

    pub fn started(mut self, started: Option<Timestamp>) -> Self {
        self.started = started;
        self
    }

    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    pub fn run_id(mut self, run_id: Option<String>) -> Self {
        self.run_id = run_id;
        self
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
