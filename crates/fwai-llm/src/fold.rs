//! Folds the pieces of an answer into one message, and says each piece once to whoever listens.
//!
//! Whole and streamed answers go through the same fold, so that both give the same message.

use crate::provider::{Completion, Delta};
use fwai_schema::message::{ContentBlock, StopReason, Usage};
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// An answer that is being put together.
#[derive(Debug)]
pub struct Fold {
    blocks: Vec<Block>,
    deltas: VecDeque<Delta>,
    pub stop_reason: Option<StopReason>,
    pub usage: Usage,
    pub model: String,
    /// The model as we asked for it; marks its thoughts.
    asked_model: String,
    /// Tool calls that the conversation already has; counts up ids for servers that give none.
    calls_before: usize,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Tool { id: String, name: String, arguments: Arguments, opaque: Option<Value> },
    Thinking { provider: String, data: Value },
}

#[derive(Debug)]
enum Arguments {
    Json(String),
    Value(Value),
}

/// Where a block stands in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(usize);

impl Fold {
    pub fn new(model: &str, calls_before: usize) -> Self {
        Self {
            blocks: Vec::new(),
            deltas: VecDeque::new(),
            stop_reason: None,
            usage: Usage::default(),
            model: model.to_owned(),
            asked_model: model.to_owned(),
            calls_before,
        }
    }

    /// Begins a text block of its own.
    pub fn start_text(&mut self) -> Slot {
        self.push(Block::Text(String::new()))
    }

    /// Adds to a text block.
    pub fn text_at(&mut self, slot: Slot, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if let Some(Block::Text(text)) = self.blocks.get_mut(slot.0) {
            text.push_str(piece);
            self.deltas.push_back(Delta::Text { text: piece.to_owned() });
        }
    }

    /// Adds to the text block that is open, or begins one.
    pub fn text(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let slot = match self.blocks.last() {
            Some(Block::Text(_)) => Slot(self.blocks.len() - 1),
            _ => self.start_text(),
        };
        self.text_at(slot, piece);
    }

    /// What stands in a text block so far.
    pub fn text_len(&self, slot: Slot) -> usize {
        match self.blocks.get(slot.0) {
            Some(Block::Text(text)) => text.len(),
            _ => 0,
        }
    }

    /// Begins a tool call whose arguments arrive as pieces of JSON text.
    pub fn start_tool(&mut self, id: Option<&str>, name: &str) -> Slot {
        let id = self.call_id(id);
        self.deltas.push_back(Delta::ToolUseStart { id: id.clone(), name: name.to_owned() });
        self.push(Block::Tool {
            id,
            name: name.to_owned(),
            arguments: Arguments::Json(String::new()),
            opaque: None,
        })
    }

    pub fn tool_input(&mut self, slot: Slot, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if let Some(Block::Tool { id, arguments: Arguments::Json(json), .. }) = self.blocks.get_mut(slot.0) {
            json.push_str(piece);
            self.deltas.push_back(Delta::ToolUseInput { id: id.clone(), json: piece.to_owned() });
        }
    }

    /// Argument text that arrived so far.
    pub fn tool_input_len(&self, slot: Slot) -> usize {
        match self.blocks.get(slot.0) {
            Some(Block::Tool { arguments: Arguments::Json(json), .. }) => json.len(),
            _ => 0,
        }
    }

    /// A tool call that arrives at once.
    pub fn whole_tool(&mut self, id: Option<&str>, name: &str, input: Value, opaque: Option<Value>) {
        let id = self.call_id(id);
        self.deltas.push_back(Delta::ToolUseStart { id: id.clone(), name: name.to_owned() });
        self.deltas.push_back(Delta::ToolUseInput { id: id.clone(), json: input.to_string() });
        self.push(Block::Tool { id, name: name.to_owned(), arguments: Arguments::Value(input), opaque });
    }

    /// The model reasons, and there is nothing to keep yet.
    pub fn thinks(&mut self) {
        self.deltas.push_back(Delta::Thinking);
    }

    /// Reasoning that must go back as it came.
    pub fn thinking(&mut self, wire: &str, data: Value) -> Slot {
        let provider = format!("{wire}:{}", self.asked_model);
        self.push(Block::Thinking { provider, data })
    }

    /// The reasoning in a slot, to be completed.
    pub fn thinking_at(&mut self, slot: Slot) -> Option<&mut Value> {
        match self.blocks.get_mut(slot.0) {
            Some(Block::Thinking { data, .. }) => Some(data),
            _ => None,
        }
    }

    pub fn has_tool_calls(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Tool { .. }))
    }

    /// The next piece that nobody has been told yet.
    pub fn next_delta(&mut self) -> Option<Delta> {
        self.deltas.pop_front()
    }

    /// The whole answer.
    pub fn finish(self) -> Completion {
        let has_calls = self.has_tool_calls();
        let stop_reason = match self.stop_reason {
            // Several servers say `stop` although they ask for a tool.
            Some(StopReason::EndTurn) | None if has_calls => StopReason::ToolUse,
            Some(reason) => reason,
            None => StopReason::EndTurn,
        };
        let content = self.blocks.into_iter().filter_map(Block::finish).collect();
        Completion { content, stop_reason, usage: self.usage, model: self.model }
    }

    fn push(&mut self, block: Block) -> Slot {
        self.blocks.push(block);
        Slot(self.blocks.len() - 1)
    }

    fn call_id(&self, given: Option<&str>) -> String {
        match given {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ => {
                let here = self.blocks.iter().filter(|block| matches!(block, Block::Tool { .. })).count();
                format!("call_{}", self.calls_before + here + 1)
            }
        }
    }
}

impl Block {
    fn finish(self) -> Option<ContentBlock> {
        Some(match self {
            Block::Text(text) if text.is_empty() => return None,
            Block::Text(text) => ContentBlock::Text { text },
            Block::Tool { id, name, arguments, opaque } => {
                let input = match arguments {
                    Arguments::Json(text) => arguments_from_text(text),
                    Arguments::Value(Value::Null) => Value::Object(Map::new()),
                    Arguments::Value(value) => value,
                };
                ContentBlock::ToolUse { id, name, input, opaque }
            }
            Block::Thinking { provider, data } => ContentBlock::Thinking { provider, data },
        })
    }
}

/// A tool's arguments from the text that the model wrote. No text means no arguments; what is no JSON
/// stays a string, which the executor answers as a failed call.
pub fn arguments_from_text(text: String) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(&text) {
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(value) => value,
        Err(_) => Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_json_or_the_text_that_was_meant_to_be() {
        assert_eq!(arguments_from_text(" ".into()), serde_json::json!({}));
        assert_eq!(arguments_from_text("null".into()), serde_json::json!({}));
        assert_eq!(arguments_from_text("{\"a\":1}".into()), serde_json::json!({"a": 1}));
        assert_eq!(arguments_from_text("{\"a\":".into()), serde_json::json!("{\"a\":"));
    }

    #[test]
    fn calls_without_ids_are_counted_over_the_conversation() {
        let mut fold = Fold::new("m", 3);
        fold.whole_tool(None, "a", Value::Null, None);
        fold.whole_tool(Some(""), "b", Value::Null, None);
        let done = fold.finish();
        let ids = done.content.iter().map(|block| match block {
            ContentBlock::ToolUse { id, .. } => id.as_str(),
            other => panic!("{other:?}"),
        });
        assert_eq!(ids.collect::<Vec<_>>(), ["call_4", "call_5"]);
        assert_eq!(done.stop_reason, StopReason::ToolUse);
    }
}
