//! The calls of a turn as the session's events tell them, so that each of them is on record with its outcome.
//!
//! What takes effect is recorded as it happens, with its output. The rest is told when the turn ends: what only
//! looked, what was refused, what never ended. So reading costs a turn no write, and nothing that failed is
//! missing.

use fwai_evidence::runs::ToolRecord;
use fwai_schema::evidence::{AgenticCall, RunStatus};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// Descriptions of calls are cut here; the session has the whole.
const LONGEST_COMMAND: usize = 2_000;

/// One call, from its start event on.
pub struct TurnCall {
    pub session: String,
    pub call: AgenticCall,
    /// It was about to take effect.
    pub took_effect: bool,
    /// The run has it already, with its output.
    pub recorded: bool,
    /// The run that it left on its own.
    pub run_id: Option<String>,
    /// `None` until its end event.
    ended: Option<Ended>,
}

struct Ended {
    refused: Option<String>,
    /// What a call that failed said.
    complaint: Option<String>,
}

impl TurnCall {
    pub fn started(session: &str, id: &str, tool: &str, arguments: &Value, at: &str) -> Self {
        let call = AgenticCall {
            id: id.to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            success: false,
            start_time: Some(at.to_owned()),
            duration_ms: 0,
        };
        Self {
            session: session.to_owned(),
            call,
            took_effect: false,
            recorded: false,
            run_id: None,
            ended: None,
        }
    }

    pub fn end(
        &mut self,
        success: bool,
        duration_ms: u64,
        refused: Option<String>,
        said: impl FnOnce() -> String,
    ) {
        self.call.success = success;
        self.call.duration_ms = duration_ms;
        let complaint = (!success && !self.recorded).then(said);
        self.ended = Some(Ended { refused, complaint });
    }

    pub fn is(&self, session: &str, id: &str) -> bool {
        self.call.id == id && self.session == session
    }

    /// What the run says of a call that it does not have yet, and what the call said where it failed.
    pub fn record(&self) -> (ToolRecord, Option<&str>) {
        let refused = self.ended.as_ref().map(|ended| ended.refused.as_deref());
        let status = match refused {
            None | Some(Some("interrupted")) => RunStatus::Interrupted,
            Some(Some(_)) => RunStatus::Denied,
            Some(None) if self.call.success => RunStatus::Success,
            Some(None) => RunStatus::Failure,
        };
        let started = self.call.start_time.as_deref().and_then(|at| at.parse().ok());
        let record = ToolRecord::new(&self.call.tool, command(&self.call.tool, &self.call.arguments), None)
            .started(started)
            .duration_ms(self.call.duration_ms)
            .status(status)
            .read_only(!self.took_effect)
            .run_id(self.run_id.clone());
        (record, self.ended.as_ref().and_then(|ended| ended.complaint.as_deref()))
    }
}

/// A call in one line: the command of a shell, or the tool with its arguments.
pub fn command(tool: &str, arguments: &Value) -> String {
    match arguments.as_object() {
        Some(given) if !given.is_empty() => match given.get("command").and_then(Value::as_str) {
            Some(command) if tool == "bash" => command.to_owned(),
            _ => format!("{tool} {arguments}").chars().take(LONGEST_COMMAND).collect(),
        },
        _ => tool.to_owned(),
    }
}

/// When something began that an event tells of at its end.
pub fn began(at: &str, duration_ms: u64) -> Option<Timestamp> {
    let ended: Timestamp = at.parse().ok()?;
    ended.checked_sub(SignedDuration::from_millis(i64::try_from(duration_ms).ok()?)).ok()
}
