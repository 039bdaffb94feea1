//! One file a wire: a turn as a whole body, and as the events of a stream.
//!
//! Written from the providers' documentation, not from fwai's own code, so that a misunderstanding
//! there does not meet the same misunderstanding here.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use super::{Scenario, Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The five wire formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireName {
    Anthropic,
    OpenaiChat,
    OpenaiResponses,
    Gemini,
    Ollama,
}

impl WireName {
    pub const ALL: [WireName; 5] =
        [Self::Anthropic, Self::OpenaiChat, Self::OpenaiResponses, Self::Gemini, Self::Ollama];

    /// The value of `FWAI_PROVIDER`.
    pub fn provider(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiChat | Self::OpenaiResponses => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }
}

/// Which wire a path belongs to, and whether the path itself asks for a stream.
pub(super) fn route(path: &str) -> Option<(WireName, bool)> {
    let path = path.split('?').next().unwrap_or(path);
    Some(match path {
        _ if path.ends_with("/v1/messages") => (WireName::Anthropic, false),
        _ if path.ends_with("/chat/completions") => (WireName::OpenaiChat, false),
        _ if path.ends_with("/responses") => (WireName::OpenaiResponses, false),
        _ if path.ends_with("/api/chat") => (WireName::Ollama, false),
        _ if path.contains("/v1beta/models/") && path.ends_with(":generateContent") => {
            (WireName::Gemini, false)
        }
        _ if path.contains("/v1beta/models/") && path.ends_with(":streamGenerateContent") => {
            (WireName::Gemini, true)
        }
        _ => return None,
    })
}

/// What a turn needs to be written.
pub(super) struct Telling<'a> {
    pub turn: &'a Turn,
    pub model: &'a str,
    /// Counts the answers of this server; makes ids.
    pub number: usize,
    pub piece_chars: usize,
}

impl Telling<'_> {
    fn call_id(&self, at: usize) -> String {
        format!("call_t{}_{at}", self.number)
    }

    /// `text` in pieces as a stream sends them.
    fn pieces(&self, text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        chars.chunks(self.piece_chars.max(1)).map(|piece| piece.iter().collect()).collect()
    }
}

pub(super) fn whole(wire: WireName, telling: &Telling<'_>) -> Value {
    match wire {
        WireName::Anthropic => anthropic::whole(telling),
        WireName::OpenaiChat => openai_chat::whole(telling),
        WireName::OpenaiResponses => openai_responses::whole(telling),
        WireName::Gemini => gemini::whole(telling),
        WireName::Ollama => ollama::whole(telling),
    }
}

/// The events of a stream, each as the bytes that go out.
pub(super) fn events(wire: WireName, telling: &Telling<'_>) -> Vec<String> {
    match wire {
        WireName::Anthropic => named(anthropic::events(telling)),
        WireName::OpenaiResponses => named(openai_responses::events(telling)),
        WireName::OpenaiChat => {
            let mut events = unnamed(openai_chat::events(telling));
            events.push("data: [DONE]\n\n".into());
            events
        }
        WireName::Gemini => {
            unnamed(gemini::events(telling)).into_iter().map(|event| event.replace('\n', "\r\n")).collect()
        }
        WireName::Ollama => ollama::events(telling).iter().map(|line| format!("{line}\n")).collect(),
    }
}

fn named(events: Vec<Value>) -> Vec<String> {
    let event =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    events.iter().map(event).collect()
}

fn unnamed(events: Vec<Value>) -> Vec<String> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// A streamed answer as the bytes of its body, for tests that need no socket.
pub fn stream_bytes(wire: WireName, turn: &Turn, piece_chars: usize) -> Vec<u8> {
    let telling = Telling { turn, model: "test-model", number: 1, piece_chars };
    events(wire, &telling).concat().into_bytes()
}

pub(super) fn content_type(wire: WireName, stream: bool) -> &'static str {
    match (wire, stream) {
        (WireName::Ollama, true) => "application/x-ndjson",
        (_, true) => "text/event-stream; charset=utf-8",
        (_, false) => "application/json",
    }
}

/// An error in the body of a response.
pub(super) fn error_body(wire: WireName, status: u16, kind: &str, message: &str) -> Value {
    match wire {
        WireName::Anthropic => json!({"type": "error", "error": {"type": kind, "message": message}}),
        WireName::OpenaiChat | WireName::OpenaiResponses => {
            json!({"error": {"message": message, "type": kind, "param": null, "code": null}})
        }
        WireName::Gemini => {
            json!({"error": {"code": status, "message": message, "status": kind.to_ascii_uppercase()}})
        }
        WireName::Ollama => json!({"error": message}),
    }
}

/// An error in the middle of a stream.
pub(super) fn error_event(wire: WireName, kind: &str, message: &str) -> String {
    let body = error_body(wire, 500, kind, message);
    match wire {
        WireName::Anthropic => format!("event: error\ndata: {body}\n\n"),
        WireName::OpenaiResponses => {
            let event = json!({"type": "error", "code": kind, "message": message, "param": null});
            format!("event: error\ndata: {event}\n\n")
        }
        WireName::OpenaiChat | WireName::Gemini => format!("data: {body}\n\n"),
        WireName::Ollama => format!("{body}\n"),
    }
}

/// Answers to everything but a question to the model: lists of models, facts of one.
pub(super) fn side_question(scenario: &Scenario, method: &str, path: &str) -> Option<Value> {
    let path = path.split('?').next().unwrap_or(path);
    let models = &scenario.models;
    Some(match (method, path) {
        ("GET", "/api/tags") => {
            let model = |name: &String| json!({"name": name, "model": name, "size": 1});
            json!({"models": models.iter().map(model).collect::<Vec<_>>()})
        }
        ("POST", "/api/show") => json!({
            "capabilities": ["completion", "tools"],
            "model_info": {"general.architecture": "test", "test.context_length": scenario.context_length},
        }),
        ("GET", path) if path.ends_with("/v1beta/models") => {
            let model = |name: &String| {
                json!({"name": format!("models/{name}"), "inputTokenLimit": scenario.context_length,
                    "supportedGenerationMethods": ["generateContent"]})
            };
            json!({"models": models.iter().map(model).collect::<Vec<_>>()})
        }
        ("GET", path) if path.ends_with("/v1/models") => {
            let model = |name: &String| json!({"id": name, "object": "model", "type": "model"});
            json!({"object": "list", "has_more": false, "data": models.iter().map(model).collect::<Vec<_>>()})
        }
        _ => return None,
    })
}
