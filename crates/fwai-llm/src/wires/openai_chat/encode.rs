//! Our request as a chat completion.

use super::{NAME, is_openai_itself};
use crate::{
    provider::Request,
    wire::{WireSettings, arguments_object, data_url, is_thought_of, result_text, system_text},
    wires::openai_responses::encode::reasons,
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Map, Value, json};

pub(super) fn body(settings: &WireSettings, request: &Request, stream: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    body.insert("messages".into(), Value::Array(messages(settings, request)));
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request));
    }
    if let Some(most) = settings.max_tokens(request) {
        let name = if is_openai_itself(settings) { "max_completion_tokens" } else { "max_tokens" };
        body.insert(name.into(), json!(most));
    }
    // A model that reasons refuses a temperature.
    let takes_temperature = !(is_openai_itself(settings) && reasons(&settings.model));
    if let Some(temperature) = settings.temperature(request).filter(|_| takes_temperature) {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(tokens) = settings.thinking_tokens {
        body.insert("reasoning_effort".into(), json!(reasoning_effort(tokens)));
    }
    if let Some(schema) = &request.output_schema {
        body.insert(
            "response_format".into(),
            json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}),
        );
    }
    if stream {
        body.insert("stream".into(), json!(true));
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    Value::Object(body)
}

/// OpenAI counts effort in words.
pub(crate) fn reasoning_effort(tokens: u32) -> &'static str {
    match tokens {
        0..=2048 => "low",
        2049..=8192 => "medium",
        _ => "high",
    }
}

pub(crate) fn tools(request: &Request) -> Value {
    let tool = |tool: &fwai_schema::message::ToolDefinition| {
        json!({"type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
        }})
    };
    request.tools.iter().map(tool).collect()
}

fn messages(settings: &WireSettings, request: &Request) -> Vec<Value> {
    let mut out = Vec::new();
    if let Some(text) = system_text(request) {
        out.push(json!({"role": "system", "content": text}));
    }
    for message in &request.messages {
        match message.role {
            Role::User => user(message, &mut out),
            Role::Assistant => out.extend(assistant(settings, message)),
        }
    }
    out
}

/// Results first, since they answer the calls of the message before; what a result cannot hold here (an
/// image) follows as the user's words.
fn user(message: &Message, out: &mut Vec<Value>) {
    let mut parts = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                out.push(json!({
                    "role": "tool", "tool_call_id": tool_use_id, "content": result_text(content, *is_error),
                }));
                for part in content {
                    if let ToolResultContent::Image { media_type, data } = part {
                        parts.push(text(&format!("The image of tool call {tool_use_id}:")));
                        parts.push(image(media_type, data));
                    }
                }
            }
            ContentBlock::Text { text: words } if !words.is_empty() => parts.push(text(words)),
            ContentBlock::Image { media_type, data } => parts.push(image(media_type, data)),
            _ => {}
        }
    }
    // Many servers take nothing but a string where no image is.
    let only_text: Option<Vec<&str>> = parts.iter().map(|part| part["text"].as_str()).collect();
    match only_text {
        Some(texts) if texts.is_empty() => {}
        Some(texts) => out.push(json!({"role": "user", "content": texts.join("\n\n")})),
        None => out.push(json!({"role": "user", "content": parts})),
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image(media_type: &str, data: &str) -> Value {
    json!({"type": "image_url", "image_url": {"url": data_url(media_type, data)}})
}

fn assistant(settings: &WireSettings, message: &Message) -> Option<Value> {
    let calls: Vec<Value> = message
        .tool_uses()
        .map(|call| {
            json!({"id": call.id, "type": "function", "function": {
                "name": call.name, "arguments": arguments_object(call.input).to_string(),
            }})
        })
        .collect();
    let text = message.text();
    let mut out = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        if text.is_empty() {
            out["content"] = Value::Null;
        }
        out["tool_calls"] = Value::Array(calls);
    } else if text.is_empty() {
        return None;
    }
    for block in &message.content {
        if let ContentBlock::Thinking { provider, data: Value::Object(fields) } = block
            && is_thought_of(provider, NAME, settings)
        {
            for (name, value) in fields {
                out[name] = value.clone();
            }
        }
    }
    Some(out)
}
