//! Our request as Gemini's contents and parts.
//!
//! Gemini matches a function's response to its call by name and order. So the responses to the calls
//! of one message all stand in the next, in the order of the calls, whatever order they were made in.

use super::{NAME, SIGNATURE, schema::narrow};
use crate::{
    provider::Request,
    wire::{WireSettings, arguments_object, is_thought_of, system_text, tool_names},
    wires::openai_chat::encode::reasoning_effort,
};
use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What the third generation accepts for a call that it has not signed itself.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn body(settings: &WireSettings, request: &Request) -> Value {
    let mut body = Map::new();
    if let Some(text) = system_text(request) {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": text}]}));
    }
    body.insert("contents".into(), Value::Array(contents(settings, request)));
    if !request.tools.is_empty() {
        body.insert("tools".into(), json!([{"functionDeclarations": declarations(request)}]));
    }
    let mut generation = Map::new();
    if let Some(most) = settings.max_tokens(request) {
        generation.insert("maxOutputTokens".into(), json!(most));
    }
    if let Some(temperature) = settings.temperature(request) {
        generation.insert("temperature".into(), json!(temperature));
    }
    if let Some(tokens) = settings.thinking_tokens {
        // The third generation counts in words, the ones before in tokens.
        let config = match is_third_generation(settings) {
            true => json!({"thinkingLevel": reasoning_effort(tokens)}),
            false => json!({"thinkingBudget": tokens}),
        };
        generation.insert("thinkingConfig".into(), config);
    }
    if let Some(schema) = &request.output_schema {
        generation.insert("responseMimeType".into(), json!("application/json"));
        generation.insert("responseSchema".into(), narrow(schema));
    }
    if !generation.is_empty() {
        body.insert("generationConfig".into(), Value::Object(generation));
    }
    Value::Object(body)
}

fn is_third_generation(settings: &WireSettings) -> bool {
    settings.model.trim_start_matches("models/").starts_with("gemini-3")
}

fn declarations(request: &Request) -> Vec<Value> {
    request
        .tools
        .iter()
        .map(|tool| {
            let mut out = json!({"name": tool.name, "description": tool.description});
            let parameters = narrow(&tool.input_schema);
            // A function without parameters must not describe them.
            if parameters["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
                out["parameters"] = parameters;
            }
            out
        })
        .collect()
}

fn contents(settings: &WireSettings, request: &Request) -> Vec<Value> {
    let names = tool_names(&request.messages);
    let wants_signatures = is_third_generation(settings);
    let mut out: Vec<Value> = Vec::new();
    let mut calls: Vec<Call<'_>> = Vec::new();
    for message in &request.messages {
        let (role, parts) = match message.role {
            Role::User => ("user", user(message, &calls, &names)),
            Role::Assistant => {
                calls = calls_of(message);
                ("model", model(settings, message, wants_signatures))
            }
        };
        if parts.is_empty() {
            continue;
        }
        // The two sides must take turns.
        match out.last_mut() {
            Some(last) if last["role"] == role => {
                if let Some(before) = last["parts"].as_array_mut() {
                    before.extend(parts);
                }
            }
            _ => out.push(json!({"role": role, "parts": parts})),
        }
    }
    out
}

/// A call of the message before, in its order.
struct Call<'a> {
    id: &'a str,
    /// The id that Gemini itself gave, where it did.
    own_id: Option<&'a Value>,
}

fn calls_of(message: &Message) -> Vec<Call<'_>> {
    message.content.iter().filter_map(call_of).collect()
}

fn call_of(block: &ContentBlock) -> Option<Call<'_>> {
    let ContentBlock::ToolUse { id, opaque, .. } = block else { return None };
    Some(Call { id, own_id: opaque.as_ref().and_then(|opaque| opaque.get("id")) })
}

fn user(message: &Message, calls: &[Call<'_>], names: &HashMap<&str, &str>) -> Vec<Value> {
    let mut results = Vec::new();
    let mut others = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                let place = calls.iter().position(|call| call.id == tool_use_id);
                let name = names.get(tool_use_id.as_str()).copied().unwrap_or("unknown_tool");
                let mut response = json!({"name": name, "response": outcome(content, *is_error)});
                if let Some(id) = place.and_then(|place| calls[place].own_id) {
                    response["id"] = id.clone();
                }
                results.push((place.unwrap_or(usize::MAX), json!({"functionResponse": response})));
                others.extend(content.iter().filter_map(|part| match part {
                    ToolResultContent::Image { media_type, data } => Some(image(media_type, data)),
                    ToolResultContent::Text { .. } => None,
                }));
            }
            ContentBlock::Text { text } if !text.is_empty() => others.push(json!({"text": text})),
            ContentBlock::Image { media_type, data } => others.push(image(media_type, data)),
            _ => {}
        }
    }
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, part)| part).chain(others).collect()
}

fn outcome(content: &[ToolResultContent], is_error: bool) -> Value {
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| match part {
            ToolResultContent::Text { text } => Some(text.as_str()),
            ToolResultContent::Image { .. } => None,
        })
        .collect();
    json!({ (if is_error { "error" } else { "output" }): texts.join("\n") })
}

fn image(media_type: &str, data: &str) -> Value {
    json!({"inlineData": {"mimeType": media_type, "data": data}})
}

fn model(settings: &WireSettings, message: &Message, wants_signatures: bool) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut is_first_call = true;
    for block in &message.content {
        match block {
            ContentBlock::Text { text } if !text.is_empty() => parts.push(json!({"text": text})),
            ContentBlock::ToolUse { name, input, opaque, .. } => {
                let mut call = json!({"name": name, "args": arguments_object(input)});
                let opaque = opaque.clone().unwrap_or_default();
                if let Some(id) = opaque.get("id") {
                    call["id"] = id.clone();
                }
                let mut part = json!({"functionCall": call});
                if let Some(signature) = opaque.get(SIGNATURE) {
                    part[SIGNATURE] = signature.clone();
                } else if wants_signatures && is_first_call {
                    part[SIGNATURE] = json!(NO_SIGNATURE);
                }
                is_first_call = false;
                parts.push(part);
            }
            ContentBlock::Thinking { provider, data } if is_thought_of(provider, NAME, settings) => {
                // The signature belongs to the text before it.
                match parts.last_mut().filter(|part| part["text"].is_string() && part[SIGNATURE].is_null()) {
                    Some(part) => part[SIGNATURE] = data[SIGNATURE].clone(),
                    None => parts.push(json!({"text": "", SIGNATURE: data[SIGNATURE]})),
                }
            }
            _ => {}
        }
    }
    parts
}
