//! Our request as Ollama's chat.

use super::NAME;
use crate::{
    provider::Request,
    wire::{WireSettings, arguments_object, is_thought_of, result_text, system_text, tool_names},
    wires::openai_chat::encode::tools,
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

pub(super) fn body(settings: &WireSettings, request: &Request, stream: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    body.insert("messages".into(), Value::Array(messages(settings, request)));
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request));
    }
    // The server streams unless told not to.
    body.insert("stream".into(), json!(stream));
    if let Some(tokens) = settings.thinking_tokens {
        body.insert("think".into(), json!(tokens > 0));
    }
    if let Some(schema) = &request.output_schema {
        body.insert("format".into(), schema.clone());
    }
    let mut options = Map::new();
    // Left alone, the server cuts off the beginning of a long conversation without a word.
    if let Some(window) = settings.context_window {
        options.insert("num_ctx".into(), json!(window));
    }
    if let Some(most) = settings.max_tokens(request) {
        options.insert("num_predict".into(), json!(most));
    }
    if let Some(temperature) = settings.temperature(request) {
        options.insert("temperature".into(), json!(temperature));
    }
    if !options.is_empty() {
        body.insert("options".into(), Value::Object(options));
    }
    Value::Object(body)
}

fn messages(settings: &WireSettings, request: &Request) -> Vec<Value> {
    let names = tool_names(&request.messages);
    let mut out = Vec::new();
    if let Some(text) = system_text(request) {
        out.push(json!({"role": "system", "content": text}));
    }
    for message in &request.messages {
        match message.role {
            Role::User => user(message, &names, &mut out),
            Role::Assistant => out.extend(assistant(settings, message)),
        }
    }
    out
}

fn user(message: &Message, names: &HashMap<&str, &str>, out: &mut Vec<Value>) {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for block in &message.content {
        match block {
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                let mut result = json!({"role": "tool", "content": result_text(content, *is_error)});
                if let Some(name) = names.get(tool_use_id.as_str()) {
                    result["tool_name"] = json!(name);
                }
                out.push(result);
                images.extend(content.iter().filter_map(|part| match part {
                    ToolResultContent::Image { data, .. } => Some(data.as_str()),
                    ToolResultContent::Text { .. } => None,
                }));
            }
            ContentBlock::Text { text } if !text.is_empty() => texts.push(text.as_str()),
            ContentBlock::Image { data, .. } => images.push(data),
            _ => {}
        }
    }
    if texts.is_empty() && images.is_empty() {
        return;
    }
    let mut said = json!({"role": "user", "content": texts.join("\n\n")});
    if !images.is_empty() {
        said["images"] = json!(images);
    }
    out.push(said);
}

fn assistant(settings: &WireSettings, message: &Message) -> Option<Value> {
    let mut out = json!({"role": "assistant", "content": message.text()});
    let calls: Vec<Value> = message
        .tool_uses()
        .map(|call| json!({"function": {"name": call.name, "arguments": arguments_object(call.input)}}))
        .collect();
    if calls.is_empty() && message.text().is_empty() {
        return None;
    }
    if !calls.is_empty() {
        out["tool_calls"] = Value::Array(calls);
    }
    for block in &message.content {
        if let ContentBlock::Thinking { provider, data } = block
            && is_thought_of(provider, NAME, settings)
        {
            out["thinking"] = data["thinking"].clone();
        }
    }
    Some(out)
}
