//! A turn as Responses tell it.

use super::Telling;
use crate::model_server::{Piece, Stop};
use serde_json::{Value, json};

pub(super) fn whole(telling: &Telling<'_>) -> Value {
    let items: Vec<Value> =
        telling.turn.content.iter().enumerate().map(|(at, piece)| item(telling, at, piece)).collect();
    response(telling, items, true)
}

fn response(telling: &Telling<'_>, output: Vec<Value>, ended: bool) -> Value {
    let (status, details) = match telling.turn.stop {
        _ if !ended => ("in_progress", Value::Null),
        Stop::Natural => ("completed", Value::Null),
        Stop::MaxTokens => ("incomplete", json!({"reason": "max_output_tokens"})),
        Stop::Refusal => ("incomplete", json!({"reason": "content_filter"})),
    };
    json!({
        "id": format!("resp_{}", telling.number), "object": "response", "created_at": 1_700_000_000,
        "status": status, "error": null, "incomplete_details": details, "model": telling.model,
        "output": output, "usage": if ended { usage(telling) } else { Value::Null },
    })
}

fn item(telling: &Telling<'_>, at: usize, piece: &Piece) -> Value {
    let call = |name: &str, arguments: &str| {
        json!({
            "type": "function_call", "id": format!("fc_{}_{at}", telling.number), "status": "completed",
            "call_id": telling.call_id(at), "name": name, "arguments": arguments,
        })
    };
    match piece {
        Piece::Text { text } => json!({
            "type": "message", "id": format!("msg_{}_{at}", telling.number), "role": "assistant",
            "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Piece::Tool { name, input } => call(name, &input.to_string()),
        Piece::BadTool { name, arguments } => call(name, arguments),
        Piece::Thinking { text } => json!({
            "type": "reasoning", "id": format!("rs_{}_{at}", telling.number), "summary": [],
            "encrypted_content": format!("enc-{}", text.len()),
        }),
    }
}

pub(super) fn events(telling: &Telling<'_>) -> Vec<Value> {
    let mut out = vec![
        json!({"type": "response.created", "response": response(telling, vec![], false)}),
        json!({"type": "response.in_progress", "response": response(telling, vec![], false)}),
    ];
    let mut items = Vec::new();
    for (at, piece) in telling.turn.content.iter().enumerate() {
        let done = item(telling, at, piece);
        let id = done["id"].clone();
        let mut begun = done.clone();
        begun["status"] = json!("in_progress");
        match piece {
            Piece::Text { text } => {
                begun["content"] = json!([]);
                out.push(json!({"type": "response.output_item.added", "output_index": at, "item": begun}));
                let part = json!({"type": "output_text", "text": "", "annotations": []});
                out.push(json!({"type": "response.content_part.added", "item_id": id, "output_index": at,
                    "content_index": 0, "part": part}));
                for piece in telling.pieces(text) {
                    out.push(json!({"type": "response.output_text.delta", "item_id": id, "output_index": at,
                        "content_index": 0, "delta": piece}));
                }
                out.push(json!({"type": "response.output_text.done", "item_id": id, "output_index": at,
                    "content_index": 0, "text": text}));
            }
            Piece::Tool { .. } | Piece::BadTool { .. } => {
                begun["arguments"] = json!("");
                out.push(json!({"type": "response.output_item.added", "output_index": at, "item": begun}));
                let arguments = done["arguments"].as_str().unwrap_or_default();
                for piece in telling.pieces(arguments) {
                    out.push(json!({"type": "response.function_call_arguments.delta", "item_id": id,
                        "output_index": at, "delta": piece}));
                }
                out.push(json!({"type": "response.function_call_arguments.done", "item_id": id,
                    "output_index": at, "arguments": arguments}));
            }
            Piece::Thinking { .. } => {
                begun["encrypted_content"] = Value::Null;
                out.push(json!({"type": "response.output_item.added", "output_index": at, "item": begun}));
                out.push(json!({"type": "response.reasoning_summary_text.delta", "item_id": id,
                    "output_index": at, "summary_index": 0, "delta": "…"}));
            }
        }
        out.push(json!({"type": "response.output_item.done", "output_index": at, "item": done}));
        items.push(done);
    }
    let last = match telling.turn.stop {
        Stop::Natural => "response.completed",
        Stop::MaxTokens | Stop::Refusal => "response.incomplete",
    };
    out.push(json!({"type": last, "response": response(telling, items, true)}));
    for (number, event) in out.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    out
}

fn usage(telling: &Telling<'_>) -> Value {
    let usage = &telling.turn.usage;
    json!({
        "input_tokens": usage.total_input(), "output_tokens": usage.output_tokens,
        "total_tokens": usage.total_input() + usage.output_tokens,
        "input_tokens_details": {"cached_tokens": usage.cache_read_tokens},
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    })
}
