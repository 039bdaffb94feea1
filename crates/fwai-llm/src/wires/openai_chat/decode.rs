//! Chunks of a chat completion as pieces of our answer.

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
    calls: Vec<OpenCall>,
    /// OpenRouter's reasoning, which wants to come back.
    details: Vec<Value>,
    finished: bool,
    done: bool,
}

/// A tool call whose pieces arrive.
struct OpenCall {
    index: u64,
    id: String,
    slot: Slot,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    model: Option<String>,
    #[serde(borrow)]
    choices: Option<Vec<Choice<'a>>>,
    usage: Option<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: u64,
    #[serde(borrow)]
    delta: Option<Piece<'a>>,
    /// Where the answer is whole.
    #[serde(borrow)]
    message: Option<Piece<'a>>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow, default)]
    content: Option<Content<'a>>,
    refusal: Option<String>,
    reasoning_content: Option<serde::de::IgnoredAny>,
    reasoning: Option<serde::de::IgnoredAny>,
    reasoning_details: Option<Vec<Value>>,
    tool_calls: Option<Vec<CallPiece>>,
}

/// Text, or the list of parts that some servers send.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Parts(Vec<Value>),
}

#[derive(Deserialize)]
struct CallPiece {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    /// Text by the book; some servers send the object itself.
    arguments: Option<Value>,
}

impl EventDecoder for Decoder {
    fn event(&mut self, _name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        if data.trim_ascii() == b"[DONE]" {
            self.done = true;
            self.keep_details(fold);
            return Ok(());
        }
        let chunk: Chunk<'_> = read(data)?;
        self.chunk(chunk, fold)
    }

    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        let chunk: Chunk<'_> = read(body)?;
        let is_empty = chunk.choices.as_ref().is_none_or(Vec::is_empty);
        self.chunk(chunk, fold)?;
        if is_empty {
            return Err(Fault::Garbage("an answer without choices".into()));
        }
        self.keep_details(fold);
        self.done = true;
        Ok(())
    }

    /// Servers that never say `[DONE]` have at least said why they stopped.
    fn is_complete(&self) -> bool {
        self.done || self.finished
    }

    fn is_final(&self) -> bool {
        self.done
    }
}

impl Decoder {
    fn chunk(&mut self, chunk: Chunk<'_>, fold: &mut Fold) -> Result<(), Fault> {
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            refuse_error(&json!({"error": error}))?;
        }
        if let Some(model) = chunk.model.filter(|model| !model.is_empty()) {
            fold.model = model;
        }
        if let Some(reported) = chunk.usage.filter(|usage| !usage.is_null()) {
            fold.usage = usage(&reported);
        }
        for choice in chunk.choices.into_iter().flatten().filter(|choice| choice.index == 0) {
            for piece in [choice.delta, choice.message].into_iter().flatten() {
                self.piece(piece, fold);
            }
            if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
                if reason == "error" {
                    return Err(Fault::Cut("the server stopped with an error".into()));
                }
                self.finished = true;
                // A refusal in words is one whatever the server calls the end.
                if fold.stop_reason != Some(StopReason::Refusal) {
                    fold.stop_reason = Some(stop_reason(&reason));
                }
            }
        }
        Ok(())
    }

    fn piece(&mut self, piece: Piece<'_>, fold: &mut Fold) {
        if piece.reasoning_content.is_some() || piece.reasoning.is_some() {
            fold.thinks();
        }
        self.details.extend(piece.reasoning_details.unwrap_or_default());
        match piece.content {
            Some(Content::Text(text)) => fold.text(&text),
            Some(Content::Parts(parts)) => {
                parts.iter().filter_map(|part| part["text"].as_str()).for_each(|text| fold.text(text));
            }
            None => {}
        }
        if let Some(refusal) = piece.refusal.filter(|text| !text.is_empty()) {
            fold.text(&refusal);
            fold.stop_reason = Some(StopReason::Refusal);
        }
        let count = piece.tool_calls.as_ref().map_or(0, Vec::len);
        for (at, call) in piece.tool_calls.into_iter().flatten().enumerate() {
            self.call(call, if count > 1 { at as u64 } else { 0 }, fold);
        }
    }

    /// Adds a piece to the call that it belongs to. By the book that is the index; a new id under a known
    /// index is another call all the same, since some servers number nothing.
    fn call(&mut self, piece: CallPiece, position: u64, fold: &mut Fold) {
        let index = piece.index.unwrap_or(position);
        let id = piece.id.unwrap_or_default();
        let function = piece.function.unwrap_or(FunctionPiece { name: None, arguments: None });
        let open = self.calls.iter().rposition(|call| call.index == index);
        let open =
            open.filter(|at| id.is_empty() || self.calls[*at].id.is_empty() || self.calls[*at].id == id);
        let slot = match open {
            Some(at) => self.calls[at].slot,
            None => {
                let name = function.name.as_deref().unwrap_or_default();
                let slot = fold.start_tool(Some(&id), name);
                self.calls.push(OpenCall { index, id, slot });
                slot
            }
        };
        match function.arguments {
            Some(Value::String(text)) => fold.tool_input(slot, &text),
            None | Some(Value::Null) => {}
            Some(value) => fold.tool_input(slot, &value.to_string()),
        }
    }

    fn keep_details(&mut self, fold: &mut Fold) {
        if !self.details.is_empty() {
            let details = std::mem::take(&mut self.details);
            fold.thinking(NAME, json!({"reasoning_details": details}));
        }
    }
}

fn stop_reason(name: &str) -> StopReason {
    match name {
        "stop" | "eos" | "end_turn" => StopReason::EndTurn,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        other => StopReason::Other(other.to_owned()),
    }
}

fn usage(reported: &Value) -> Usage {
    let cached = reported["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
    Usage {
        input_tokens: reported["prompt_tokens"].as_u64().unwrap_or(0).saturating_sub(cached),
        output_tokens: reported["completion_tokens"].as_u64().unwrap_or(0),
        cache_read_tokens: cached,
        cache_write_tokens: 0,
        reasoning_tokens: reported["completion_tokens_details"]["reasoning_tokens"].as_u64().unwrap_or(0),
    }
}
