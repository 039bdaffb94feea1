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
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Map, Value, json};

/// Tokens of an answer where nobody says otherwise; the wire demands a number.
const DEFAULT_MAX_TOKENS: u32 = 32_000;
/// A model that nobody knows may be an old one.
const CAUTIOUS_MAX_TOKENS: u32 = 8_192;
/// Parts of the system prompt that end in a mark.
const SYSTEM_MARKS: usize = 2;

pub(super) fn body(settings: &WireSettings, request: &Request, stream: bool) -> Value {
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
    let system = system(request);
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request));
    }
    body.insert("messages".into(), Value::Array(messages(settings, request)));
    Value::Object(body)
}

/// `(4, 5)` of `claude-sonnet-4-5-20250929`; `None` for a name that is no Claude's.
fn version(model: &str) -> Option<(u32, u32)> {
    let name = model.rsplit('/').next()?.strip_prefix("claude-")?;
    // A number of more than two digits is a date.
    let mut numbers = name.split(['-', '.', '@']).filter_map(|part| part.parse().ok()).filter(|n| *n < 100);
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}

fn mark(block: &mut Value) {
    block["cache_control"] = json!({"type": "ephemeral"});
}

fn system(request: &Request) -> Vec<Value> {
    let parts = request.system.iter().filter(|part| !part.trim().is_empty());
    let mut blocks: Vec<Value> = parts.map(|part| json!({"type": "text", "text": part})).collect();
    let unmarked = blocks.len().saturating_sub(SYSTEM_MARKS);
    blocks[unmarked..].iter_mut().for_each(mark);
    if let Some(schema) = &request.output_schema {
        let text = format!(
            "Answer with one JSON value and nothing else: no Markdown, no words around it. It must fit this JSON Schema:\n{schema}"
        );
        blocks.push(json!({"type": "text", "text": text}));
    }
    blocks
}

fn tools(request: &Request) -> Value {
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema})
        })
        .collect();
    if let Some(last) = tools.last_mut() {
        mark(last);
    }
    Value::Array(tools)
}

fn messages(settings: &WireSettings, request: &Request) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for message in &request.messages {
        let content = content(settings, message);
        if content.is_empty() {
            continue;
        }
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        out.push(json!({"role": role, "content": content}));
    }
    // Reasoning cannot carry a mark.
    let last = out.last_mut().and_then(|message| message["content"].as_array_mut());
    let markable =
        |block: &&mut Value| !matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
    if let Some(block) = last.and_then(|blocks| blocks.iter_mut().rev().find(markable)) {
        mark(block);
    }
    out
}

/// The blocks of a message; results stand before anything else, as the server demands.
fn content(settings: &WireSettings, message: &Message) -> Vec<Value> {
    let is_result = |block: &&ContentBlock| matches!(block, ContentBlock::ToolResult { .. });
    let results = message.content.iter().filter(is_result);
    let others = message.content.iter().filter(|block| !is_result(block));
    results.chain(others).filter_map(|block| encode_block(settings, block)).collect()
}

fn encode_block(settings: &WireSettings, block: &ContentBlock) -> Option<Value> {
    Some(match block {
        ContentBlock::Text { text } if text.trim().is_empty() => return None,
        ContentBlock::Text { text } => json!({"type": "text", "text": text}),
        ContentBlock::ToolUse { id, name, input, .. } => {
            json!({"type": "tool_use", "id": call_id(id), "name": name, "input": arguments_object(input)})
        }
        ContentBlock::ToolResult { tool_use_id, content, is_error } => {
            let mut out = json!({"type": "tool_result", "tool_use_id": call_id(tool_use_id)});
            let content: Vec<Value> = content.iter().filter_map(result_content).collect();
            if !content.is_empty() {
                out["content"] = Value::Array(content);
            }
            if *is_error {
                out["is_error"] = json!(true);
            }
            out
        }
        ContentBlock::Thinking { provider, data } if is_thought_of(provider, NAME, settings) => data.clone(),
        ContentBlock::Thinking { .. } => return None,
        ContentBlock::Image { media_type, data } => image(media_type, data),
    })
}

fn result_content(content: &ToolResultContent) -> Option<Value> {
    Some(match content {
        ToolResultContent::Text { text } if text.trim().is_empty() => return None,
        ToolResultContent::Text { text } => json!({"type": "text", "text": text}),
        ToolResultContent::Image { media_type, data } => image(media_type, data),
    })
}

fn image(media_type: &str, data: &str) -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
}

/// An id that another provider made may hold what this one refuses.
fn call_id(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
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
            body(&settings, &Request::default(), false)
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
