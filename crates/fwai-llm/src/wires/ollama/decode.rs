//! Ollama's lines of JSON as pieces of our answer.

use super::NAME;
use crate::{
    answer::{EventDecoder, read, refuse_error},
    fault::Fault,
    fold::{Fold, Slot},
};
use fwai_schema::message::{StopReason, Usage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

#[derive(Default)]
pub(super) struct Decoder {
    thinking: Option<Slot>,
    done: bool,
}

#[derive(Deserialize)]
struct Line<'a> {
    model: Option<String>,
    #[serde(borrow)]
    message: Option<Piece<'a>>,
    #[serde(default)]
    done: bool,
    done_reason: Option<String>,
    prompt_eval_count: Option<u64>,
    eval_count: Option<u64>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow, default)]
    content: Cow<'a, str>,
    thinking: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl EventDecoder for Decoder {
    fn event(&mut self, _name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        let line: Line<'_> = read(data)?;
        if let Some(error) = line.error.filter(|error| !error.is_null()) {
            refuse_error(&json!({"error": error}))?;
        }
        if let Some(model) = line.model.filter(|model| !model.is_empty()) {
            fold.model = model;
        }
        if let Some(piece) = line.message {
            self.piece(piece, fold);
        }
        if line.done {
            self.done = true;
            fold.stop_reason = Some(match line.done_reason.as_deref() {
                None | Some("stop" | "") => StopReason::EndTurn,
                Some("length") => StopReason::MaxTokens,
                Some(other) => StopReason::Other(other.to_owned()),
            });
            fold.usage = Usage {
                // Absent when the whole prompt was still in the server's cache.
                input_tokens: line.prompt_eval_count.unwrap_or(0),
                output_tokens: line.eval_count.unwrap_or(0),
                ..Usage::default()
            };
        }
        Ok(())
    }

    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        self.event("", body, fold)
    }

    fn is_complete(&self) -> bool {
        self.done
    }

    fn is_final(&self) -> bool {
        self.done
    }
}

impl Decoder {
    fn piece(&mut self, piece: Piece<'_>, fold: &mut Fold) {
        if let Some(text) = piece.thinking.filter(|text| !text.is_empty()) {
            fold.thinks();
            let slot =
                *self.thinking.get_or_insert_with(|| fold.thinking(NAME, json!({"thinking": String::new()})));
            if let Some(Value::String(so_far)) =
                fold.thinking_at(slot).and_then(|data| data.get_mut("thinking"))
            {
                so_far.push_str(&text);
            }
        }
        fold.text(&piece.content);
        for call in piece.tool_calls.into_iter().flatten() {
            let arguments = match call.function.arguments {
                // By the book an object; some models' templates leave text.
                Value::String(text) => crate::fold::arguments_from_text(text),
                other => other,
            };
            fold.whole_tool(call.id.as_deref(), &call.function.name, arguments, None);
        }
    }
}
