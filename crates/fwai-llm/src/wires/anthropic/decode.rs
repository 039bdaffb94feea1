//! Anthropic's events as pieces of our answer.

use super::NAME;
use crate::{
    answer::{EventDecoder, read, refuse_error},
    fault::{ApiError, Fault},
    fold::{Fold, Slot},
};
use fwai_schema::message::{StopReason, Usage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

#[derive(Default)]
pub(super) struct Decoder {
    /// What each content block of the server became; `None` for a kind that fwai does not use.
    slots: Vec<Option<Slot>>,
    stopped: bool,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    index: usize,
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    content_block: Option<Value>,
    message: Option<Value>,
    usage: Option<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    partial_json: Cow<'a, str>,
    #[serde(borrow, default)]
    thinking: Cow<'a, str>,
    #[serde(borrow, default)]
    signature: Cow<'a, str>,
    stop_reason: Option<String>,
}

impl EventDecoder for Decoder {
    fn event(&mut self, _name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        let event: Event<'_> = read(data)?;
        match &*event.kind {
            "message_start" => {
                let message = event.message.unwrap_or_default();
                if let Some(model) = message["model"].as_str().filter(|model| !model.is_empty()) {
                    fold.model = model.to_owned();
                }
                add_usage(&mut fold.usage, &message["usage"]);
            }
            "content_block_start" => {
                let slot = self.start_block(&event.content_block.unwrap_or_default(), fold);
                // The index counts up by one; anything else would address blocks that never began.
                if event.index != self.slots.len() {
                    return Err(Fault::Garbage(format!("content block {} out of order", event.index)));
                }
                self.slots.push(slot);
            }
            "content_block_delta" => {
                let Some(slot) = self.slots.get(event.index).copied() else {
                    return Err(Fault::Garbage(format!("content block {} never began", event.index)));
                };
                if let (Some(slot), Some(delta)) = (slot, event.delta) {
                    add_delta(slot, &delta, fold);
                }
            }
            "message_delta" => {
                if let Some(reason) = event.delta.and_then(|delta| delta.stop_reason) {
                    fold.stop_reason = Some(stop_reason(&reason));
                }
                add_usage(&mut fold.usage, &event.usage.unwrap_or_default());
            }
            "message_stop" => self.stopped = true,
            "error" => {
                let error = json!({"error": event.error});
                return Err(match ApiError::from_body(&error) {
                    Some(error) => Fault::Api(error),
                    None => Fault::Garbage("an error without a word".into()),
                });
            }
            // `ping`, `content_block_stop`, and whatever a later version adds.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        let message: Value = read(body)?;
        refuse_error(&message)?;
        let Some(blocks) = message["content"].as_array() else {
            return Err(Fault::Garbage("an answer without content".into()));
        };
        for block in blocks {
            self.start_block(block, fold);
        }
        if let Some(model) = message["model"].as_str().filter(|model| !model.is_empty()) {
            fold.model = model.to_owned();
        }
        fold.stop_reason = message["stop_reason"].as_str().map(stop_reason);
        add_usage(&mut fold.usage, &message["usage"]);
        self.stopped = true;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.stopped
    }

    fn is_final(&self) -> bool {
        self.stopped
    }
}

impl Decoder {
    /// A block as it stands in a whole answer, or as it begins in a stream.
    fn start_block(&mut self, block: &Value, fold: &mut Fold) -> Option<Slot> {
        match block["type"].as_str().unwrap_or_default() {
            "text" => {
                let slot = fold.start_text();
                fold.text_at(slot, block["text"].as_str().unwrap_or_default());
                Some(slot)
            }
            "tool_use" => {
                let name = block["name"].as_str().unwrap_or_default();
                let slot = fold.start_tool(block["id"].as_str(), name);
                // A stream begins with an empty object and sends the text in pieces.
                match &block["input"] {
                    Value::Null => {}
                    Value::Object(object) if object.is_empty() => {}
                    // What is no object is no arguments; the executor shall see it as it came.
                    Value::String(text) => fold.tool_input(slot, text),
                    input => fold.tool_input(slot, &input.to_string()),
                }
                Some(slot)
            }
            "thinking" | "redacted_thinking" => {
                fold.thinks();
                Some(fold.thinking(NAME, block.clone()))
            }
            _ => None,
        }
    }
}

fn add_delta(slot: Slot, delta: &Delta<'_>, fold: &mut Fold) {
    match &*delta.kind {
        "text_delta" => fold.text_at(slot, &delta.text),
        "input_json_delta" => fold.tool_input(slot, &delta.partial_json),
        "thinking_delta" => {
            append(fold, slot, "thinking", &delta.thinking);
            fold.thinks();
        }
        "signature_delta" => append(fold, slot, "signature", &delta.signature),
        _ => {}
    }
}

fn append(fold: &mut Fold, slot: Slot, field: &str, piece: &str) {
    if let Some(block) = fold.thinking_at(slot) {
        match block.get_mut(field) {
            Some(Value::String(text)) => text.push_str(piece),
            _ => block[field] = json!(piece),
        }
    }
}

fn stop_reason(name: &str) -> StopReason {
    match name {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        other => StopReason::Other(other.to_owned()),
    }
}

/// Later numbers replace earlier ones: they are totals so far.
fn add_usage(usage: &mut Usage, reported: &Value) {
    let set = |field: &mut u64, name: &str| {
        if let Some(tokens) = reported[name].as_u64() {
            *field = tokens;
        }
    };
    set(&mut usage.input_tokens, "input_tokens");
    set(&mut usage.output_tokens, "output_tokens");
    set(&mut usage.cache_read_tokens, "cache_read_input_tokens");
    set(&mut usage.cache_write_tokens, "cache_creation_input_tokens");
}
