//! What a wire format must be able to do, and what it needs to know for it.

use crate::{
    ApiKey, MaybeSend, MaybeSync,
    answer::EventDecoder,
    fault::Fault,
    http::HttpRequest,
    provider::{ModelInfo, Request},
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Value, json};
use std::{borrow::Cow, collections::HashMap, sync::Arc};

/// One server's language: pure functions from our shapes to its bytes and back.
pub trait Wire: MaybeSend + MaybeSync {
    /// Marks thinking blocks, so that they go back only to where they came from.
    fn name(&self) -> &'static str;

    /// A question to the model.
    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest;

    fn decoder(&self) -> Box<dyn EventDecoder>;

    /// Whether a streamed answer is lines of JSON instead of server-sent events.
    fn streams_lines_of_json(&self) -> bool {
        false
    }

    /// Asks which models there are; costs nothing.
    fn encode_models(&self, settings: &WireSettings) -> HttpRequest;

    fn decode_models(&self, body: &[u8]) -> Result<Vec<ModelInfo>, Fault>;

    /// Asks for the context window of the configured model, where the server can tell.
    fn encode_context_window(&self, _settings: &WireSettings) -> Option<HttpRequest> {
        None
    }

    fn decode_context_window(&self, _body: &[u8]) -> Option<u32> {
        None
    }
}

/// Everything that does not change from one request to the next.
#[derive(Debug, Clone, Default)]
pub struct WireSettings {
    /// As the user wrote it; each wire knows which path to add.
    pub base_url: String,
    pub model: String,
    pub key: Option<ApiKey>,
    pub headers: Vec<(String, String)>,
    pub max_tokens: Option<u32>,
    /// Tokens that one answer of this model can have at most.
    pub max_output: Option<u32>,
    pub temperature: Option<f64>,
    pub thinking_tokens: Option<u32>,
    /// Tokens that the server shall hold, where it must be told (Ollama).
    pub context_window: Option<u32>,
}

impl WireSettings {
    /// Adds what every request carries: the user's headers, and the key where the wire puts it.
    pub(crate) fn dress(&self, mut request: HttpRequest, key_header: &str, bearer: bool) -> HttpRequest {
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match &self.key {
            Some(key) if bearer => request.secret_header(key_header, key.bearer()),
            Some(key) => request.secret_header(key_header, key.clone()),
            None => request,
        }
    }

    pub(crate) fn temperature(&self, request: &Request) -> Option<f64> {
        // By way of its shortest text: 0.7 shall stay 0.7 and not become 0.699999988.
        let asked = request.temperature.and_then(|value| value.to_string().parse().ok());
        asked.or(self.temperature)
    }

    pub(crate) fn max_tokens(&self, request: &Request) -> Option<u32> {
        match (request.max_tokens.or(self.max_tokens), self.max_output) {
            (Some(asked), Some(most)) => Some(asked.min(most)),
            (asked, _) => asked,
        }
    }

    /// The server's root: the address without slashes at its end and without any of `endings`, so that
    /// users may write it with or without the version.
    pub(crate) fn root(&self, endings: &[&str]) -> &str {
        let mut root = self.base_url.trim().trim_end_matches('/');
        while let Some(shorter) = endings.iter().find_map(|ending| root.strip_suffix(ending)) {
            root = shorter.trim_end_matches('/');
        }
        root
    }
}

/// Whether reasoning may go back: only to the wire, and to the model, that it came from. Servers refuse the
/// thoughts of another model.
pub(crate) fn is_thought_of(provider: &str, wire: &str, settings: &WireSettings) -> bool {
    match provider.split_once(':') {
        Some((name, model)) => name == wire && model == settings.model,
        None => provider == wire,
    }
}

/// All parts of the system prompt in one text.
pub(crate) fn system_text(request: &Request) -> Option<String> {
    let text = request.system.iter().filter(|part| !part.trim().is_empty()).cloned().collect::<Vec<_>>();
    (!text.is_empty()).then(|| text.join("\n\n"))
}

/// A tool's arguments as the object that every server demands in its history; text that was no JSON is
/// shown to the model as what it was.
pub(crate) fn arguments_object(input: &Value) -> Cow<'_, Value> {
    match input {
        Value::Object(_) => Cow::Borrowed(input),
        Value::Null => Cow::Owned(json!({})),
        other => Cow::Owned(json!({ "invalid_arguments": other })),
    }
}

/// Which tool each call of the conversation named; for servers that match results by name.
pub(crate) fn tool_names(messages: &[Arc<Message>]) -> HashMap<&str, &str> {
    messages
        .iter()
        .flat_map(|message| &message.content)
        .filter_map(|block| match block {
            ContentBlock::ToolUse { id, name, .. } => Some((id.as_str(), name.as_str())),
            _ => None,
        })
        .collect()
}

/// Tool calls that the conversation already has.
pub(crate) fn count_calls(messages: &[Arc<Message>]) -> usize {
    messages
        .iter()
        .filter(|message| message.role == Role::Assistant)
        .map(|message| message.tool_uses().count())
        .sum()
}

/// The text of a tool's result, for servers that take text only; a failure says that it is one.
pub(crate) fn result_text(content: &[ToolResultContent], is_error: bool) -> String {
    let mut out = String::from(if is_error { "Error: " } else { "" });
    let mut first = true;
    for part in content {
        if !first {
            out.push('\n');
        }
        first = false;
        match part {
            ToolResultContent::Text { text } => out.push_str(text),
            ToolResultContent::Image { .. } => out.push_str("(an image; it follows)"),
        }
    }
    out
}

/// A data address, as OpenAI takes images.
pub(crate) fn data_url(media_type: &str, data: &str) -> String {
    format!("data:{media_type};base64,{data}")
}
