//! Refuses what a real server would refuse: a missing header, a result without its call.

use super::wires::WireName;
use serde_json::Value;

/// Why a real server would answer 400; `None` where it would not.
pub(super) fn complaint(wire: WireName, headers: &[(String, String)], body: &Value) -> Option<String> {
    match wire {
        WireName::Anthropic => anthropic(headers, body),
        WireName::OpenaiChat => openai_chat(body),
        WireName::OpenaiResponses => openai_responses(body),
        WireName::Gemini => gemini(body),
        WireName::Ollama => list(body, "messages").is_none().then(|| "messages is required".into()),
    }
}

/// The key that a request carries, however its wire does that.
pub(super) fn key_of(headers: &[(String, String)]) -> Option<&str> {
    let value = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    value("x-api-key")
        .or_else(|| value("x-goog-api-key"))
        .or_else(|| value("authorization").and_then(|value| value.strip_prefix("Bearer ")))
}

fn list<'a>(body: &'a Value, name: &str) -> Option<&'a Vec<Value>> {
    body[name].as_array().filter(|list| !list.is_empty())
}

fn anthropic(headers: &[(String, String)], body: &Value) -> Option<String> {
    if !headers.iter().any(|(name, _)| name == "anthropic-version") {
        return Some("anthropic-version: header is required".into());
    }
    if !body["max_tokens"].is_u64() {
        return Some("max_tokens: Field required".into());
    }
    let Some(messages) = list(body, "messages") else {
        return Some("messages: at least one message is required".into());
    };
    if messages[0]["role"] != "user" {
        return Some("messages: first message must use the \"user\" role".into());
    }
    let marks = body.to_string().matches("\"cache_control\"").count();
    if marks > 4 {
        return Some(format!("A maximum of 4 blocks with cache_control may be provided. Found {marks}."));
    }
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let blocks: Vec<&Value> = message["content"].as_array().into_iter().flatten().collect();
        let ids = |kind: &str, field: &str| -> Vec<&str> {
            blocks
                .iter()
                .filter(|block| block["type"] == kind)
                .filter_map(|block| block[field].as_str())
                .collect()
        };
        let results = ids("tool_result", "tool_use_id");
        if let Some(missing) = open.iter().find(|id| !results.contains(id)) {
            return Some(format!(
                "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {missing}"
            ));
        }
        if let Some(stray) = results.iter().find(|id| !open.contains(id)) {
            return Some(format!(
                "messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {stray}"
            ));
        }
        let empty = |block: &&&Value| block["type"] == "text" && block["text"] == "";
        let plain = message["content"].as_str().is_some_and(|text| !text.is_empty());
        if (blocks.is_empty() && !plain) || blocks.iter().any(|block| empty(&block)) {
            return Some(format!("messages.{at}: text content blocks must be non-empty"));
        }
        if blocks.iter().any(|block| block["type"] == "tool_use" && !block["input"].is_object()) {
            return Some(format!("messages.{at}: tool_use.input: Input should be a valid dictionary"));
        }
        open = ids("tool_use", "id");
    }
    None
}

fn openai_chat(body: &Value) -> Option<String> {
    let messages = match list(body, "messages") {
        Some(messages) => messages,
        None => return Some("'messages' is a required property".into()),
    };
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message["role"].as_str() {
            Some("tool") => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                match open.iter().position(|call| *call == id) {
                    Some(at) => drop(open.remove(at)),
                    None => return Some(format!("messages with role 'tool' must answer a tool call: {id}")),
                }
            }
            _ if !open.is_empty() => {
                return Some(format!("tool_call_ids did not have response messages: {}", open.join(", ")));
            }
            Some("assistant") => {
                let calls = message["tool_calls"].as_array().into_iter().flatten();
                open = calls.filter_map(|call| call["id"].as_str()).collect();
            }
            _ => {}
        }
    }
    (!open.is_empty()).then(|| format!("tool_call_ids did not have response messages: {}", open.join(", ")))
}

fn openai_responses(body: &Value) -> Option<String> {
    let Some(items) = list(body, "input") else { return Some("Missing required parameter: 'input'".into()) };
    let ids = |kind: &str| -> Vec<&str> {
        items.iter().filter(|item| item["type"] == kind).filter_map(|item| item["call_id"].as_str()).collect()
    };
    let (calls, outputs) = (ids("function_call"), ids("function_call_output"));
    if let Some(id) = calls.iter().find(|id| !outputs.contains(id)) {
        return Some(format!("No tool output found for function call {id}."));
    }
    outputs.iter().find(|id| !calls.contains(id)).map(|id| format!("No tool call found for call_id {id}."))
}

fn gemini(body: &Value) -> Option<String> {
    let Some(contents) = list(body, "contents") else { return Some("contents is not specified".into()) };
    let text = body["tools"].to_string();
    for word in ["\"$ref\"", "\"additionalProperties\"", "\"oneOf\"", "\"const\"", "\"$schema\""] {
        if text.contains(word) {
            return Some(format!("Invalid JSON payload received. Unknown name {word}"));
        }
    }
    let names = |content: &Value, kind: &str| -> Vec<String> {
        let parts = content["parts"].as_array().into_iter().flatten();
        parts.filter_map(|part| Some(part[kind]["name"].as_str()?.to_owned())).collect()
    };
    let mut open: Vec<String> = Vec::new();
    for content in contents {
        if names(content, "functionResponse") != open {
            return Some(
                "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.".into(),
            );
        }
        open = names(content, "functionCall");
    }
    None
}
