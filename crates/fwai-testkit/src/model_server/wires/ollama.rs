//! A turn as Ollama tells it.

use super::Telling;
use crate::model_server::{Piece, Stop};
use serde_json::{Value, json};

pub(super) fn whole(telling: &Telling<'_>) -> Value {
    let (mut text, mut calls, mut thinking) = (String::new(), Vec::new(), String::new());
    for piece in &telling.turn.content {
        match piece {
            Piece::Text { text: more } => text.push_str(more),
            Piece::Thinking { text } => thinking.push_str(text),
            tool => calls.extend(call(tool)),
        }
    }
    let mut message = json!({"role": "assistant", "content": text});
    if !thinking.is_empty() {
        message["thinking"] = json!(thinking);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    line(telling, message, true)
}

fn call(piece: &Piece) -> Option<Value> {
    match piece {
        Piece::Tool { name, input } => Some(json!({"function": {"name": name, "arguments": input}})),
        Piece::BadTool { name, arguments } => {
            Some(json!({"function": {"name": name, "arguments": arguments}}))
        }
        Piece::Text { .. } | Piece::Thinking { .. } => None,
    }
}

fn line(telling: &Telling<'_>, message: Value, done: bool) -> Value {
    let mut out = json!({
        "model": telling.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": done,
    });
    if done {
        out["done_reason"] = json!(if telling.turn.stop == Stop::MaxTokens { "length" } else { "stop" });
        out["prompt_eval_count"] = json!(telling.turn.usage.total_input());
        out["eval_count"] = json!(telling.turn.usage.output_tokens);
        out["total_duration"] = json!(1_000_000);
    }
    out
}

pub(super) fn events(telling: &Telling<'_>) -> Vec<Value> {
    let mut out = Vec::new();
    let mut say = |message: Value| out.push(line(telling, message, false));
    for piece in &telling.turn.content {
        match piece {
            Piece::Text { text } => {
                telling
                    .pieces(text)
                    .into_iter()
                    .for_each(|piece| say(json!({"role": "assistant", "content": piece})));
            }
            Piece::Thinking { text } => telling
                .pieces(text)
                .into_iter()
                .for_each(|piece| say(json!({"role": "assistant", "content": "", "thinking": piece}))),
            tool => say(json!({"role": "assistant", "content": "", "tool_calls": [call(tool)]})),
        }
    }
    out.push(line(telling, json!({"role": "assistant", "content": ""}), true));
    out
}
