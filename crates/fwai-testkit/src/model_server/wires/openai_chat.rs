//! A turn as Chat Completions tell it.

use super::Telling;
use crate::model_server::{Piece, Stop};
use serde_json::{Value, json};

pub(super) fn whole(telling: &Telling<'_>) -> Value {
    let (mut text, mut calls, mut reasoning) = (String::new(), Vec::new(), String::new());
    for (at, piece) in telling.turn.content.iter().enumerate() {
        match piece {
            Piece::Text { text: more } => text.push_str(more),
            Piece::Tool { name, input } => calls.push(call(telling, at, name, &input.to_string())),
            Piece::BadTool { name, arguments } => calls.push(call(telling, at, name, arguments)),
            Piece::Thinking { text } => reasoning.push_str(text),
        }
    }
    let mut message = json!({"role": "assistant", "content": text, "refusal": null});
    if text.is_empty() {
        message["content"] = Value::Null;
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    if !reasoning.is_empty() {
        message["reasoning_content"] = json!(reasoning);
    }
    json!({
        "id": format!("chatcmpl-{}", telling.number), "object": "chat.completion", "created": 1_700_000_000,
        "model": telling.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(telling)}],
        "usage": usage(telling),
    })
}

fn call(telling: &Telling<'_>, at: usize, name: &str, arguments: &str) -> Value {
    json!({"id": telling.call_id(at), "type": "function", "function": {"name": name, "arguments": arguments}})
}

pub(super) fn events(telling: &Telling<'_>) -> Vec<Value> {
    let mut out = vec![chunk(telling, json!({"role": "assistant", "content": ""}), Value::Null)];
    let mut index = 0;
    for (at, piece) in telling.turn.content.iter().enumerate() {
        let mut tool = |name: &str, arguments: &str| {
            let mut first = call(telling, at, name, "");
            first["index"] = json!(index);
            out.push(chunk(telling, json!({"tool_calls": [first]}), Value::Null));
            for piece in telling.pieces(arguments) {
                let delta = json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]});
                out.push(chunk(telling, delta, Value::Null));
            }
            index += 1;
        };
        match piece {
            Piece::Tool { name, input } => tool(name, &input.to_string()),
            Piece::BadTool { name, arguments } => tool(name, arguments),
            Piece::Text { text } => {
                let pieces = telling.pieces(text).into_iter();
                out.extend(pieces.map(|piece| chunk(telling, json!({"content": piece}), Value::Null)));
            }
            Piece::Thinking { text } => {
                let pieces = telling.pieces(text).into_iter();
                out.extend(
                    pieces.map(|piece| chunk(telling, json!({"reasoning_content": piece}), Value::Null)),
                );
            }
        }
    }
    out.push(chunk(telling, json!({}), json!(finish_reason(telling))));
    let mut last = chunk(telling, json!({}), Value::Null);
    last["choices"] = json!([]);
    last["usage"] = usage(telling);
    out.push(last);
    out
}

fn chunk(telling: &Telling<'_>, delta: Value, finish_reason: Value) -> Value {
    json!({
        "id": format!("chatcmpl-{}", telling.number), "object": "chat.completion.chunk",
        "created": 1_700_000_000, "model": telling.model, "usage": null,
        "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason}],
    })
}

fn finish_reason(telling: &Telling<'_>) -> &'static str {
    match telling.turn.stop {
        Stop::MaxTokens => "length",
        Stop::Refusal => "content_filter",
        Stop::Natural if telling.turn.has_tools() => "tool_calls",
        Stop::Natural => "stop",
    }
}

fn usage(telling: &Telling<'_>) -> Value {
    let usage = &telling.turn.usage;
    json!({
        "prompt_tokens": usage.total_input(), "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_input() + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    })
}
