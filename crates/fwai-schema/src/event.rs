//! What comes out of a session. The REPL, `exec --json`, the session log, evidence, decision trace and
//! replay all read this one stream; nothing is shown that is not an event.
//!
//! An event of a type that this version does not know is kept as it came ([`EventBody::Unknown`]), so
//! that an older reader survives a newer writer.

use crate::{
    message::{Message, StopReason, ToolResultContent, Usage},
    op::{Answer, PermissionReply},
    permission::{Level, Mode},
    prelude::*,
    skill::{StepRecord, StepStatus},
    todo::Todo,
};
use serde_json::{Map, Value};

/// One thing that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Event {
    /// Counts up from 1 over the persisted and the transient events of a session.
    pub seq: u64,
    /// RFC 3339, UTC, milliseconds.
    pub ts: String,
    pub session: String,
    /// 0 before the first turn.
    pub turn: u32,
    #[serde(flatten)]
    pub body: EventBody,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    SessionStarted {
        /// Version of fwai that wrote the log.
        version: String,
        provider: String,
        model: String,
        mode: Mode,
        cwd: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Session and turn from which this one was forked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forked_from: Option<ForkPoint>,
        /// Session of the agent that started this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
    },
    TurnStarted {},
    /// A piece of the answer as it arrives. Never persisted: `message` repeats it whole.
    TextDelta {
        text: String,
    },
    /// A whole message, as the model will see it in the next request.
    Message {
        message: Message,
        /// True for what fwai itself put into the conversation (plan injection, queued notes).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        injected: bool,
    },
    /// A short stated reason for the next step; never raw chain of thought.
    Decision {
        step: u32,
        thought: String,
        plan_steps: u32,
    },
    PlanUpdated {
        path: String,
        plan: String,
        /// Files that the plan says it will touch.
        #[serde(default)]
        files: Vec<String>,
    },
    TodosUpdated {
        todos: Vec<Todo>,
    },
    ToolCallStart {
        id: String,
        name: String,
        /// Redacted and cut.
        arguments: Value,
    },
    /// Output of a running tool, for people to watch. Never persisted: `tool_call_end` has it.
    ToolOutput {
        id: String,
        text: String,
    },
    PermissionRequest {
        id: String,
        tool_call: String,
        tool: String,
        level: Level,
        /// What will happen, in words.
        what: String,
        /// Why it asks.
        reason: String,
    },
    PermissionResolved {
        id: String,
        reply: PermissionReply,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    ToolCallEnd {
        /// Equals that of the `tool_call_start`.
        id: String,
        name: String,
        success: bool,
        content: Vec<ToolResultContent>,
        duration_ms: u64,
        /// File that holds the whole output where `content` was cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        full_output: Option<String>,
        #[serde(default)]
        files_read: Vec<String>,
        #[serde(default)]
        files_written: Vec<String>,
        /// What kept the call from running, or cut it off: `policy`, `person`, `nobody` or `interrupted`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    Question {
        id: String,
        questions: Vec<Question>,
        /// Markdown to show above, for instance the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        markdown: Option<String>,
    },
    Answer {
        id: String,
        answers: Vec<Answer>,
    },
    ModeChanged {
        from: Mode,
        to: Mode,
    },
    /// A corrective hint after failures, put before the model.
    Hint {
        text: String,
    },
    ContextCompacted {
        /// Turns up to this one are replaced by the summary.
        through_seq: u64,
        summary: String,
        /// `model` or `window`.
        how: String,
        tokens_before: u64,
        tokens_after: u64,
    },
    Usage {
        provider: String,
        model: String,
        purpose: String,
        usage: Usage,
        /// Absent when the price is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
        duration_ms: u64,
    },
    EvidenceWritten {
        run_id: String,
        path: String,
        status: String,
    },
    FileChanged {
        path: String,
        /// `created`, `modified` or `deleted`.
        how: String,
        lines_added: u64,
        lines_removed: u64,
    },
    Board {
        name: String,
        state: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// A skill begins; everything up to `skill_ended` belongs to it.
    SkillStarted {
        name: String,
        #[serde(default)]
        inputs: BTreeMap<String, String>,
        /// Names of its steps, in order.
        steps: Vec<String>,
    },
    StepStarted {
        name: String,
        /// The tool, or the action.
        kind: String,
    },
    /// A step failed and is tried again.
    StepRetry {
        name: String,
        /// Of the try to come; the first one was 1.
        attempt: u32,
        delay_ms: u64,
        reason: String,
    },
    StepEnded {
        step: StepRecord,
    },
    SkillEnded {
        name: String,
        status: StepStatus,
        duration_ms: u64,
        /// Why it did not succeed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Warning {
        message: String,
    },
    Error {
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
    TurnEnded {
        stop_reason: TurnStop,
        final_text: String,
        tool_calls: u32,
        iterations: u32,
        #[serde(default)]
        usage: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
    },
    /// An event of a later version: kept and passed on, not understood.
    #[serde(skip_deserializing, untagged)]
    Unknown(Map<String, Value>),
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnStop {
    /// The model said all it wanted.
    EndTurn,
    /// The iteration limit was reached.
    MaxTurns,
    MaxCost,
    MaxTokens,
    Interrupted,
    /// A permission or a question needs a person, and none is there.
    NeedsPerson,
    /// The same failing call was repeated.
    Stuck,
    Refusal,
    Error,
    /// Why the model stopped, where it is none of the above.
    #[serde(untagged)]
    Other(StopReason),
}

/// Where a fork left its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkPoint {
    pub session: String,
    pub turn: u32,
}

/// One question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    pub question: String,
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// Several options may be chosen.
    #[serde(default)]
    pub multiple: bool,
    /// Words of the user's own are welcome too.
    #[serde(default = "yes")]
    pub free_text: bool,
}

/// One of the answers offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionOption {
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

fn yes() -> bool {
    true
}

impl EventBody {
    /// Transient events are shown and forgotten; all others are the session.
    pub fn is_persisted(&self) -> bool {
        !matches!(self, EventBody::TextDelta { .. } | EventBody::ToolOutput { .. })
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let mut map = Map::deserialize(deserializer)?;
        let mut take =
            |name: &'static str| map.shift_remove(name).ok_or_else(|| D::Error::missing_field(name));
        let seq = serde_json::from_value(take("seq")?).map_err(D::Error::custom)?;
        let ts = serde_json::from_value(take("ts")?).map_err(D::Error::custom)?;
        let session = serde_json::from_value(take("session")?).map_err(D::Error::custom)?;
        let turn = serde_json::from_value(take("turn")?).map_err(D::Error::custom)?;
        if !map.get("type").is_some_and(Value::is_string) {
            return Err(D::Error::missing_field("type"));
        }
        // Our own types are parsed by reference, so that a body that does not fit stays whole.
        let value = Value::Object(map);
        let body = match (EventBody::deserialize(&value), value) {
            (Ok(body), _) => body,
            (Err(_), Value::Object(map)) => EventBody::Unknown(map),
            (Err(error), _) => return Err(D::Error::custom(error)),
        };
        Ok(Event { seq, ts, session, turn, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_event_survives_a_round_trip() {
        let line =
            r#"{"seq":7,"ts":"2026-01-01T00:00:00.000Z","session":"s","turn":2,"type":"hologram","depth":3}"#;
        let event: Event = serde_json::from_str(line).unwrap();
        assert!(matches!(event.body, EventBody::Unknown(_)));
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
    }

    #[test]
    fn a_known_event_survives_a_round_trip() {
        let line = r#"{"seq":1,"ts":"t","session":"s","turn":0,"type":"turn_ended","stop_reason":"end_turn","final_text":"done","tool_calls":1,"iterations":2,"usage":{"input_tokens":3,"output_tokens":4}}"#;
        let event: Event = serde_json::from_str(line).unwrap();
        assert!(matches!(event.body, EventBody::TurnEnded { tool_calls: 1, .. }));
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
    }

    #[test]
    fn an_event_without_an_envelope_is_an_error() {
        assert!(serde_json::from_str::<Event>(r#"{"seq":1,"type":"warning"}"#).is_err());
        assert!(serde_json::from_str::<Event>(r#"{"seq":1,"ts":"t","session":"s","turn":0}"#).is_err());
    }
}
