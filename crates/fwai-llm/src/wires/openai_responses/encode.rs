//! Our request as items of a response.
//!
//! Nothing is stored at the server: the conversation goes along whole, and reasoning comes back
//! encrypted, so that it can go along too.

use super::NAME;
use crate::{
    provider::Request,
    wire::{WireSettings, arguments_object, data_url, is_thought_of, result_text, system_text},
    wires::openai_chat::{encode::reasoning_effort, is_openai_itself},
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Map, Value, json};

pub(super) fn body(settings: &WireSettings, request: &Request, stream: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    if let Some(text) = system_text(request) {
        body.insert("instructions".into(), json!(text));
    }
    body.insert("input".into(), Value::Array(input(settings, request)));
    if !request.tools.is_empty() {
        let tool = |tool: &fwai_schema::message::ToolDefinition| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.input_schema, "strict": false,
            })
        };
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    body.insert("store".into(), json!(false));
    if reasons(&settings.model) {
        body.insert("include".into(), json!(["reasoning.encrypted_content"]));
        if let Some(tokens) = settings.thinking_tokens {
            body.insert("reasoning".into(), json!({"effort": reasoning_effort(tokens)}));
        }
    }
    if let Some(most) = settings.max_tokens(request) {
        body.insert("max_output_tokens".into(), json!(most));
    }
    // A model that reasons refuses a temperature.
    let takes_temperature = !(reasons(&settings.model) && is_openai_itself(settings));
    if let Some(temperature) = settings.temperature(request).filter(|_| takes_temperature) {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(schema) = &request.output_schema {
        let format = json!({"type": "json_schema", "name": "answer", "schema": schema, "strict": false});
        body.insert("text".into(), json!({"format": format}));
    }
    if stream {
        body.insert("stream".into(), json!(true));
    }
    Value::Object(body)
}

/// The older families refuse to be asked for reasoning.
pub(crate) fn reasons(model: &str) -> bool {
    let model = model.rsplit('/').next().unwrap_or(model);
    !["gpt-3", "gpt-4", "chatgpt", "gpt-5-chat"].iter().any(|family| model.starts_with(family))
}

fn input(settings: &WireSettings, request: &Request) -> Vec<Value> {
    let mut out = Vec::new();
    for message in &request.messages {
        match message.role {
            Role::User => user(message, &mut out),
            Role::Assistant => assistant(settings, message, &mut out),
        }
    }
    out
}

fn user(message: &Message, out: &mut Vec<Value>) {
    let mut parts = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                let output = result_text(content, *is_error);
                out.push(json!({"type": "function_call_output", "call_id": tool_use_id, "output": output}));
                for part in content {
                    if let ToolResultContent::Image { media_type, data } = part {
                        let text = format!("The image of tool call {tool_use_id}:");
                        parts.push(json!({"type": "input_text", "text": text}));
                        parts.push(json!({"type": "input_image", "image_url": data_url(media_type, data)}));
                    }
                }
            }
            ContentBlock::Text { text } if !text.is_empty() => {
                parts.push(json!({"type": "input_text", "text": text}));
            }
            ContentBlock::Image { media_type, data } => {
                parts.push(json!({"type": "input_image", "image_url": data_url(media_type, data)}));
            }
            _ => {}
        }
    }
    if !parts.is_empty() {
        out.push(json!({"type": "message", "role": "user", "content": parts}));
    }
}

fn assistant(settings: &WireSettings, message: &Message, out: &mut Vec<Value>) {
    for block in &message.content {
        match block {
            ContentBlock::Text { text } if !text.is_empty() => out.push(json!({
                "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}],
            })),
            ContentBlock::ToolUse { id, name, input, .. } => out.push(json!({
                "type": "function_call", "call_id": id, "name": name,
                "arguments": arguments_object(input).to_string(),
            })),
            ContentBlock::Thinking { provider, data } if is_thought_of(provider, NAME, settings) => {
                out.push(data.clone());
            }
            _ => {}
        }
    }
}
