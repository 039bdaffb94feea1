//! A turn as Gemini tells it.

use super::Telling;
use crate::model_server::{Piece, Stop};
use serde_json::{Value, json};

pub(super) fn whole(telling: &Telling<'_>) -> Value {
    let parts: Vec<Value> = telling.turn.content.iter().map(part).collect();
    chunk(telling, signed(telling, parts), true)
}

fn part(piece: &Piece) -> Value {
    match piece {
        Piece::Text { text } => json!({"text": text}),
        Piece::Tool { name, input } => json!({"functionCall": {"name": name, "args": input}}),
        Piece::BadTool { name, arguments } => json!({"functionCall": {"name": name, "args": arguments}}),
        Piece::Thinking { text } => json!({"text": text, "thought": true}),
    }
}

/// A model that thought signs the first part after its thoughts.
fn signed(telling: &Telling<'_>, mut parts: Vec<Value>) -> Vec<Value> {
    let thought = telling.turn.content.iter().find_map(|piece| match piece {
        Piece::Thinking { text } => Some(text.len()),
        _ => None,
    });
    if let (Some(length), Some(call)) =
        (thought, parts.iter_mut().find(|part| part["functionCall"].is_object()))
    {
        call["thoughtSignature"] = json!(format!("sig-{length}"));
    }
    parts
}

fn chunk(telling: &Telling<'_>, parts: Vec<Value>, last: bool) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    let usage = &telling.turn.usage;
    let mut out = json!({"modelVersion": telling.model, "responseId": format!("r{}", telling.number)});
    if last {
        candidate["finishReason"] = json!(match telling.turn.stop {
            Stop::Natural => "STOP",
            Stop::MaxTokens => "MAX_TOKENS",
            Stop::Refusal => "SAFETY",
        });
        out["usageMetadata"] = json!({
            "promptTokenCount": usage.total_input(),
            "candidatesTokenCount": usage.output_tokens - usage.reasoning_tokens,
            "thoughtsTokenCount": usage.reasoning_tokens,
            "cachedContentTokenCount": usage.cache_read_tokens,
            "totalTokenCount": usage.total_input() + usage.output_tokens,
        });
    }
    out["candidates"] = json!([candidate]);
    out
}

pub(super) fn events(telling: &Telling<'_>) -> Vec<Value> {
    let mut parts = Vec::new();
    for piece in &telling.turn.content {
        match piece {
            Piece::Text { text } => {
                parts.extend(telling.pieces(text).into_iter().map(|piece| json!({"text": piece})));
            }
            other => parts.push(part(other)),
        }
    }
    let parts = signed(telling, parts);
    let mut out: Vec<Value> = parts.into_iter().map(|part| chunk(telling, vec![part], false)).collect();
    out.push(chunk(telling, vec![json!({"text": ""})], true));
    out
}
