//! Our request as Anthropic's JSON.
//!
//! The server caches a prefix up to each of at most four marks. They stand at the end of the tools, of
//! the two last parts of the system prompt, and of the last message, where the mark moves along with
//! the conversation.

use super::NAME;
use crate::{
    provider::Request,
    wire::{WireSettings, arguments_object, is_thought_of},
    wires::openai_chat::encode::reasoning_effort,
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolDefinition, ToolResultContent};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Tokens of an answer where nobody says otherwise; the wire demands a number.
const DEFAULT_MAX_TOKENS: u32 = 32_000;
/// A model that nobody knows may be an old one.
const CAUTIOUS_MAX_TOKENS: u32 = 8_192;
/// Parts of the system prompt that end in a mark.
const SYSTEM_MARKS: usize = 2;

pub(super) fn body<'r>(settings: &'r WireSettings, request: &'r Request, stream: bool) -> Body<'r> {
    let mut max_tokens = settings.max_tokens(request).unwrap_or(match settings.max_output {
        Some(most) => most.min(DEFAULT_MAX_TOKENS),
        None => CAUTIOUS_MAX_TOKENS,
    });
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    let version = version(&settings.model);
    let thinking = settings.thinking_tokens.filter(|tokens| *tokens > 0);
    match thinking {
        // These models decide themselves how much they think, and refuse a number of tokens.
        Some(tokens) if version >= Some((4, 6)) => {
            body.insert("thinking".into(), json!({"type": "adaptive"}));
            body.insert("output_config".into(), json!({"effort": reasoning_effort(tokens)}));
        }
        Some(tokens) => {
            // The least that the server accepts; and the answer itself needs room too.
            let budget = tokens.max(1024);
            max_tokens = max_tokens.max(budget.saturating_add(4096));
            body.insert("thinking".into(), json!({"type": "enabled", "budget_tokens": budget}));
        }
        None => {}
    }
    // Neither a model that thinks nor any of the newer ones takes a temperature.
    let temperature = settings.temperature(request).filter(|_| thinking.is_none() && version < Some((4, 7)));
    if let Some(temperature) = temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    body.insert("max_tokens".into(), json!(max_tokens));
    if stream {
        body.insert("stream".into(), json!(true));
    }
    Body {
        settings: body,
        system: system(request),
        tools: tools(request),
        messages: messages(settings, request),
    }
}

/// A request as it is written. What is long is borrowed: a conversation is sent again with every turn.
#[derive(Serialize)]
pub(super) struct Body<'r> {
    #[serde(flatten)]
    settings: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'r>>,
    messages: Vec<Sent<'r>>,
}

#[derive(Serialize)]
struct Tool<'r> {
    name: &'r str,
    description: &'r str,
    input_schema: &'r Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Mark,
}

#[derive(Serialize)]
struct Sent<'r> {
    role: &'static str,
    content: Vec<Block<'r>>,
}

/// A block that may carry a mark.
#[derive(Serialize)]
struct Block<'r> {
    #[serde(flatten)]
    content: Content<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Mark,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'r> {
    Text {
        text: Cow<'r, str>,
    },
    ToolUse {
        id: Cow<'r, str>,
        name: &'r str,
        input: Cow<'r, Value>,
    },
    ToolResult {
        tool_use_id: Cow<'r, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<Content<'r>>,
        #[serde(skip_serializing_if = "is_false")]
        is_error: bool,
    },
    Image {
        source: Source<'r>,
    },
    /// Reasoning goes back as it came.
    #[serde(untagged)]
    Thought(&'r Value),
}

#[derive(Serialize)]
struct Source<'r> {
    r#type: &'static str,
    media_type: &'r str,
    data: &'r str,
}

/// The end of a prefix that the server keeps.
type Mark = Option<Ephemeral>;

#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename = "ephemeral")]
struct Ephemeral {}

fn is_false(value: &bool) -> bool {
    !value
}

impl<'r> From<Content<'r>> for Block<'r> {
    fn from(content: Content<'r>) -> Self {
        Self { content, cache_control: None }
    }
}

/// `(4, 5)` of `claude-sonnet-4-5-20250929`; `None` for a name that is no Claude's.
fn version(model: &str) -> Option<(u32, u32)> {
    let name = model.rsplit('/').next()?.strip_prefix("claude-")?;
    // A number of more than two digits is a date.
    let mut numbers = name.split(['-', '.', '@']).filter_map(|part| part.parse().ok()).filter(|n| *n < 100);
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}

fn system(request: &Request) -> Vec<Block<'_>> {
    let parts = request.system.iter().filter(|part| !part.trim().is_empty());
    let mut blocks: Vec<Block<'_>> = parts.map(|part| Content::Text { text: part.into() }.into()).collect();
    let unmarked = blocks.len().saturating_sub(SYSTEM_MARKS);
    blocks[unmarked..].iter_mut().for_each(|block| block.cache_control = Some(Ephemeral {}));
    if let Some(schema) = &request.output_schema {
        let words = format!(
            "Answer with one JSON value and nothing else: no Markdown, no words around it. It must fit this JSON Schema:\n{schema}"
        );
        blocks.push(Content::Text { text: words.into() }.into());
    }
    blocks
}

fn tools(request: &Request) -> Vec<Tool<'_>> {
    let mut tools: Vec<Tool<'_>> = request
        .tools
        .iter()
        .map(|ToolDefinition { name, description, input_schema }| Tool {
            name,
            description,
            input_schema,
            cache_control: None,
        })
        .collect();
    if let Some(last) = tools.last_mut() {
        last.cache_control = Some(Ephemeral {});
    }
    tools
}

fn messages<'r>(settings: &WireSettings, request: &'r Request) -> Vec<Sent<'r>> {
    let mut out: Vec<Sent<'r>> = Vec::with_capacity(request.messages.len());
    for message in &request.messages {
        let content = content(settings, message);
        if content.is_empty() {
            continue;
        }
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        out.push(Sent { role, content });
    }
    // Reasoning cannot carry a mark.
    let markable = |block: &&mut Block<'_>| !matches!(block.content, Content::Thought(_));
    if let Some(block) = out.last_mut().and_then(|last| last.content.iter_mut().rev().find(markable)) {
        block.cache_control = Some(Ephemeral {});
    }
    out
}

/// The blocks of a message; results stand before anything else, as the server demands.
fn content<'r>(settings: &WireSettings, message: &'r Message) -> Vec<Block<'r>> {
    let is_result = |block: &&ContentBlock| matches!(block, ContentBlock::ToolResult { .. });
    let results = message.content.iter().filter(is_result);
    let others = message.content.iter().filter(|block| !is_result(block));
    results.chain(others).filter_map(|block| encode_block(settings, block)).map(Block::from).collect()
}

fn encode_block<'r>(settings: &WireSettings, block: &'r ContentBlock) -> Option<Content<'r>> {
    Some(match block {
        ContentBlock::Text { text } if text.trim().is_empty() => return None,
        ContentBlock::Text { text } => Content::Text { text: text.into() },
        ContentBlock::ToolUse { id, name, input, .. } => {
            Content::ToolUse { id: call_id(id), name, input: arguments_object(input) }
        }
        ContentBlock::ToolResult { tool_use_id, content, is_error } => Content::ToolResult {
            tool_use_id: call_id(tool_use_id),
            content: content.iter().filter_map(result_content).collect(),
            is_error: *is_error,
        },
        ContentBlock::Thinking { provider, data }
            if data.is_object() && is_thought_of(provider, NAME, settings) =>
        {
            Content::Thought(data)
        }
        ContentBlock::Thinking { .. } => return None,
        ContentBlock::Image { media_type, data } => image(media_type, data),
    })
}

fn result_content(content: &ToolResultContent) -> Option<Content<'_>> {
    Some(match content {
        ToolResultContent::Text { text } if text.trim().is_empty() => return None,
        ToolResultContent::Text { text } => Content::Text { text: text.into() },
        ToolResultContent::Image { media_type, data } => image(media_type, data),
    })
}

fn image<'r>(media_type: &'r str, data: &'r str) -> Content<'r> {
    Content::Image { source: Source { r#type: "base64", media_type, data } }
}

/// An id that another provider made may hold what this one refuses.
fn call_id(id: &str) -> Cow<'_, str> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match id.chars().all(is_fine) {
        true => id.into(),
        false => id.chars().map(|c| if is_fine(c) { c } else { '_' }).collect::<String>().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_models() {
        for (model, expect) in [
            ("claude-sonnet-4-5-20250929", Some((4, 5))),
            ("claude-opus-4-20250514", Some((4, 0))),
            ("claude-3-7-sonnet-20250219", Some((3, 7))),
            ("anthropic/claude-opus-5.5", Some((5, 5))),
            ("claude-sonnet-5", Some((5, 0))),
            ("test-model", None),
        ] {
            assert_eq!(version(model), expect, "{model}");
        }
    }

    #[test]
    fn newer_models_are_asked_in_their_own_way() {
        let ask = |model: &str, thinking_tokens| {
            let settings = WireSettings {
                model: model.into(),
                thinking_tokens,
                temperature: Some(0.5),
                ..WireSettings::default()
            };
            serde_json::to_value(body(&settings, &Request::default(), false)).unwrap()
        };
        let old = ask("claude-sonnet-4-5", Some(5000));
        assert_eq!(old["thinking"], json!({"type": "enabled", "budget_tokens": 5000}));
        assert!(old["max_tokens"].as_u64() > Some(5000) && old["temperature"].is_null());
        let new = ask("claude-sonnet-5-5", Some(5000));
        assert_eq!(new["thinking"], json!({"type": "adaptive"}));
        assert_eq!(new["output_config"], json!({"effort": "medium"}));
        assert!(ask("claude-sonnet-5-5", None)["temperature"].is_null());
        assert_eq!(ask("claude-sonnet-4-5", None)["temperature"], 0.5);
    }
}
