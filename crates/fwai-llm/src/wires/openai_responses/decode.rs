//! A response's events as pieces of our answer.

use super::NAME;
use crate::{
    answer::{EventDecoder, read, refuse_error},
    fault::{ApiError, Fault},
    fold::{Fold, Slot},
};
use fwai_schema::message::{StopReason, Usage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{borrow::Cow, collections::HashMap};

#[derive(Default)]
pub(super) struct Decoder {
    /// What each output item became, by its index and, for text, the part's index.
    slots: HashMap<(u64, u64), Slot>,
    refused: bool,
    ended: bool,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(default)]
    output_index: u64,
    #[serde(default)]
    content_index: u64,
    #[serde(borrow, default)]
    delta: Cow<'a, str>,
    item: Option<Value>,
    response: Option<Value>,
}

impl EventDecoder for Decoder {
    fn event(&mut self, name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        if data.trim_ascii() == b"[DONE]" {
            return Ok(());
        }
        let event: Event<'_> = read(data)?;
        let kind = if event.kind.is_empty() { name } else { &*event.kind };
        let part = (event.output_index, event.content_index);
        match kind {
            "response.output_text.delta" => {
                let slot = *self.slots.entry(part).or_insert_with(|| fold.start_text());
                fold.text_at(slot, &event.delta);
            }
            "response.refusal.delta" => {
                let slot = *self.slots.entry(part).or_insert_with(|| fold.start_text());
                fold.text_at(slot, &event.delta);
                self.refused = true;
            }
            "response.function_call_arguments.delta" => {
                let Some(slot) = self.slots.get(&(event.output_index, 0)).copied() else {
                    return Err(Fault::Garbage(format!("output item {} never began", event.output_index)));
                };
                fold.tool_input(slot, &event.delta);
            }
            "response.output_item.added" => {
                self.begin(event.output_index, &event.item.unwrap_or_default(), fold)
            }
            "response.output_item.done" => {
                self.end(event.output_index, &event.item.unwrap_or_default(), fold)
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.done" => {
                self.conclude(&event.response.unwrap_or_default(), fold)?;
            }
            "error" => {
                let value: Value = read(data)?;
                let nested = if value["error"].is_object() { value } else { json!({"error": value}) };
                return Err(ApiError::from_body(&nested)
                    .map_or_else(|| Fault::Garbage("an error without a word".into()), Fault::Api));
            }
            kind if kind.starts_with("response.reasoning") => fold.thinks(),
            // A bare error object without a type.
            "" => refuse_error(&read::<Value>(data)?)?,
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        let response: Value = read(body)?;
        // An answer that went well carries `"error": null`.
        refuse_error(&response)?;
        let Some(items) = response["output"].as_array() else {
            return Err(Fault::Garbage("a response without output".into()));
        };
        for (index, item) in items.iter().enumerate() {
            self.begin(index as u64, item, fold);
            self.end(index as u64, item, fold);
        }
        self.conclude(&response, fold)
    }

    fn is_complete(&self) -> bool {
        self.ended
    }

    fn is_final(&self) -> bool {
        self.ended
    }
}

impl Decoder {
    fn begin(&mut self, index: u64, item: &Value, fold: &mut Fold) {
        match item["type"].as_str() {
            Some("function_call") => {
                let id = item["call_id"].as_str().or(item["id"].as_str());
                let slot = fold.start_tool(id, item["name"].as_str().unwrap_or_default());
                self.slots.insert((index, 0), slot);
            }
            Some("reasoning") => {
                fold.thinks();
                self.slots.insert((index, 0), fold.thinking(NAME, item.clone()));
            }
            _ => {}
        }
    }

    /// The item is whole: what no delta told is told now.
    fn end(&mut self, index: u64, item: &Value, fold: &mut Fold) {
        match item["type"].as_str() {
            Some("function_call") => {
                if !self.slots.contains_key(&(index, 0)) {
                    self.begin(index, item, fold);
                }
                let slot = self.slots[&(index, 0)];
                if fold.tool_input_len(slot) == 0 {
                    fold.tool_input(slot, item["arguments"].as_str().unwrap_or_default());
                }
            }
            Some("reasoning") => match self.slots.get(&(index, 0)) {
                Some(slot) => {
                    if let Some(data) = fold.thinking_at(*slot) {
                        *data = item.clone();
                    }
                }
                None => self.begin(index, item, fold),
            },
            Some("message") => {
                for (at, part) in item["content"].as_array().into_iter().flatten().enumerate() {
                    let text = part["text"].as_str().or(part["refusal"].as_str()).unwrap_or_default();
                    self.refused |= part["type"] == "refusal";
                    let slot = *self.slots.entry((index, at as u64)).or_insert_with(|| fold.start_text());
                    if fold.text_len(slot) == 0 {
                        fold.text_at(slot, text);
                    }
                }
            }
            _ => {}
        }
    }

    fn conclude(&mut self, response: &Value, fold: &mut Fold) -> Result<(), Fault> {
        if let Some(model) = response["model"].as_str().filter(|model| !model.is_empty()) {
            fold.model = model.to_owned();
        }
        fold.usage = usage(&response["usage"]);
        fold.stop_reason = Some(match response["status"].as_str() {
            Some("failed") => {
                let error = json!({"error": response["error"]});
                return Err(ApiError::from_body(&error)
                    .map_or_else(|| Fault::Cut("the server gave up without a word".into()), Fault::Api));
            }
            Some("cancelled") => return Err(Fault::Cut("the server cancelled the response".into())),
            Some("in_progress" | "queued") => return Err(Fault::Cut("the response is not finished".into())),
            Some("incomplete") => match response["incomplete_details"]["reason"].as_str() {
                Some("max_output_tokens" | "max_tokens") => StopReason::MaxTokens,
                Some("content_filter") => StopReason::Refusal,
                other => StopReason::Other(other.unwrap_or("incomplete").to_owned()),
            },
            _ if self.refused => StopReason::Refusal,
            _ => StopReason::EndTurn,
        });
        self.ended = true;
        Ok(())
    }
}

fn usage(reported: &Value) -> Usage {
    let cached = reported["input_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
    Usage {
        input_tokens: reported["input_tokens"].as_u64().unwrap_or(0).saturating_sub(cached),
        output_tokens: reported["output_tokens"].as_u64().unwrap_or(0),
        cache_read_tokens: cached,
        cache_write_tokens: 0,
        reasoning_tokens: reported["output_tokens_details"]["reasoning_tokens"].as_u64().unwrap_or(0),
    }
}
