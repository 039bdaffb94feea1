//! A turn as Anthropic tells it.

use super::Telling;
use crate::model_server::{Piece, Stop};
use serde_json::{Value, json};

pub(super) fn whole(telling: &Telling<'_>) -> Value {
    let content: Vec<Value> =
        telling.turn.content.iter().enumerate().map(|(at, piece)| block(telling, at, piece)).collect();
    json!({
        "id": format!("msg_{}", telling.number), "type": "message", "role": "assistant",
        "model": telling.model, "content": content, "stop_reason": stop_reason(telling),
        "stop_sequence": null, "usage": usage(telling),
    })
}

fn block(telling: &Telling<'_>, at: usize, piece: &Piece) -> Value {
    match piece {
        Piece::Text { text } => json!({"type": "text", "text": text}),
        Piece::Tool { name, input } => {
            json!({"type": "tool_use", "id": telling.call_id(at), "name": name, "input": input})
        }
        Piece::BadTool { name, arguments } => {
            json!({"type": "tool_use", "id": telling.call_id(at), "name": name, "input": arguments})
        }
        Piece::Thinking { text } => {
            json!({"type": "thinking", "thinking": text, "signature": signature(text)})
        }
    }
}

pub(super) fn signature(text: &str) -> String {
    format!("sig-{}", text.len())
}

pub(super) fn events(telling: &Telling<'_>) -> Vec<Value> {
    let mut usage_now = usage(telling);
    usage_now["output_tokens"] = json!(1);
    let mut out = vec![
        json!({"type": "message_start", "message": {
            "id": format!("msg_{}", telling.number), "type": "message", "role": "assistant", "model": telling.model,
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage_now,
        }}),
        json!({"type": "ping"}),
    ];
    for (index, piece) in telling.turn.content.iter().enumerate() {
        let (start, deltas) = match piece {
            Piece::Text { text } => (
                json!({"type": "text", "text": ""}),
                deltas(telling, text, |piece| json!({"type": "text_delta", "text": piece})),
            ),
            Piece::Tool { name, input } => {
                (tool(telling, index, name), json_deltas(telling, &input.to_string()))
            }
            Piece::BadTool { name, arguments } => {
                (tool(telling, index, name), json_deltas(telling, arguments))
            }
            Piece::Thinking { text } => {
                let mut all =
                    deltas(telling, text, |piece| json!({"type": "thinking_delta", "thinking": piece}));
                all.push(json!({"type": "signature_delta", "signature": signature(text)}));
                (json!({"type": "thinking", "thinking": "", "signature": ""}), all)
            }
        };
        out.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        for delta in deltas {
            out.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        out.push(json!({"type": "content_block_stop", "index": index}));
    }
    out.push(json!({
        "type": "message_delta", "delta": {"stop_reason": stop_reason(telling), "stop_sequence": null},
        "usage": {"output_tokens": telling.turn.usage.output_tokens},
    }));
    out.push(json!({"type": "message_stop"}));
    out
}

fn tool(telling: &Telling<'_>, index: usize, name: &str) -> Value {
    json!({"type": "tool_use", "id": telling.call_id(index), "name": name, "input": {}})
}

fn json_deltas(telling: &Telling<'_>, text: &str) -> Vec<Value> {
    deltas(telling, text, |piece| json!({"type": "input_json_delta", "partial_json": piece}))
}

fn deltas(telling: &Telling<'_>, text: &str, delta: impl Fn(String) -> Value) -> Vec<Value> {
    telling.pieces(text).into_iter().map(delta).collect()
}

fn stop_reason(telling: &Telling<'_>) -> &'static str {
    match telling.turn.stop {
        Stop::MaxTokens => "max_tokens",
        Stop::Refusal => "refusal",
        Stop::Natural if telling.turn.has_tools() => "tool_use",
        Stop::Natural => "end_turn",
    }
}

fn usage(telling: &Telling<'_>) -> Value {
    let usage = &telling.turn.usage;
    json!({
        "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
    })
}
