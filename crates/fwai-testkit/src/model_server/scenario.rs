//! What a scripted server shall say, and how it shall fail. Plain data, so that a file can hold it.

use fwai_schema::message::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A whole play: one turn for each model call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Scenario {
    pub turns: Vec<Turn>,
    /// After the last turn: say it again, instead of refusing.
    pub repeat_last: bool,
    /// A request must carry this key.
    pub key: Option<String>,
    pub models: Vec<String>,
    pub context_length: u32,
    /// Characters of text, or of arguments, in one event.
    pub piece_chars: usize,
    /// Bytes of a streamed answer that are written at once; all of an event where absent.
    pub write_bytes: Option<usize>,
    /// Milliseconds between two events.
    pub pace_ms: u64,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            turns: Vec::new(),
            repeat_last: false,
            key: None,
            models: vec!["test-model".into()],
            context_length: 16_384,
            piece_chars: 7,
            write_bytes: None,
            pace_ms: 0,
        }
    }
}

impl From<Vec<Turn>> for Scenario {
    fn from(turns: Vec<Turn>) -> Self {
        Self { turns, ..Self::default() }
    }
}

/// One answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Turn {
    pub content: Vec<Piece>,
    pub stop: Stop,
    pub usage: Usage,
    /// Only for a request whose body contains this text; turns without it go in order.
    pub when: Option<String>,
    /// What goes wrong, one for each try; after the last the turn is given as it should be.
    pub faults: Vec<Fault>,
}

impl Turn {
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().and_text(text)
    }

    pub fn tool(name: impl Into<String>, input: Value) -> Self {
        Self::default().and_tool(name, input)
    }

    pub fn and_text(mut self, text: impl Into<String>) -> Self {
        self.content.push(Piece::Text { text: text.into() });
        self
    }

    pub fn and_tool(mut self, name: impl Into<String>, input: Value) -> Self {
        self.content.push(Piece::Tool { name: name.into(), input });
        self
    }

    /// A call whose arguments are this text, which need not be JSON.
    pub fn and_bad_tool(mut self, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        self.content.push(Piece::BadTool { name: name.into(), arguments: arguments.into() });
        self
    }

    pub fn and_thinking(mut self, text: impl Into<String>) -> Self {
        self.content.push(Piece::Thinking { text: text.into() });
        self
    }

    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    pub fn when(mut self, text: impl Into<String>) -> Self {
        self.when = Some(text.into());
        self
    }

    /// The next try at this turn goes wrong.
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// So do the next `times` tries.
    pub fn faults(mut self, fault: Fault, times: usize) -> Self {
        self.faults.extend(std::iter::repeat_n(fault, times));
        self
    }

    pub(super) fn has_tools(&self) -> bool {
        self.content.iter().any(|piece| matches!(piece, Piece::Tool { .. } | Piece::BadTool { .. }))
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Piece {
    Text { text: String },
    Tool { name: String, input: Value },
    BadTool { name: String, arguments: String },
    Thinking { text: String },
}

/// Why the model stops, where its content does not say it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The end, or a tool where the turn has one.
    #[default]
    Natural,
    MaxTokens,
    Refusal,
}

/// What may go wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fault {
    /// Nothing happens for a while; then the answer comes.
    Delay { ms: u64 },
    /// So many bytes of the body, then nothing for a while, then the rest.
    Stall { after: usize, ms: u64 },
    /// So many bytes of the body, then the connection breaks.
    Cut { after: usize },
    /// So many bytes of the body, then the answer ends as if it were whole.
    EndEarly { after: usize },
    /// So many events, then bytes that mean nothing.
    Garbage { after_events: usize },
    /// So many events, then an event with half a character in it.
    HalfUtf8 { after_events: usize },
    /// So many events, then an error in the server's own shape.
    ErrorEvent { after_events: usize, kind: String, message: String },
    /// A status that is no success.
    Status { status: u16, message: String, retry_after: Option<String> },
    /// Success, it says; but the body is an error.
    ErrorBody { message: String },
    /// Some proxy's page.
    WebPage { status: u16 },
    /// The connection closes without an answer.
    HangUp,
    /// An answer without end.
    Flood,
}

impl Fault {
    pub fn rate_limit(retry_after: &str) -> Self {
        Fault::Status { status: 429, message: "slow down".into(), retry_after: Some(retry_after.into()) }
    }

    pub fn overloaded() -> Self {
        Fault::Status { status: 529, message: "Overloaded".into(), retry_after: None }
    }
}
