//! How long a text is to a model. An estimate that errs on the long side; the provider's own count
//! corrects it as soon as there is one.

use fwai_schema::message::{ContentBlock, Message, ToolDefinition, ToolResultContent};
use serde_json::Value;

/// What an image costs, roughly, with every provider.
const IMAGE: u64 = 1_600;

/// Four bytes of ASCII make a token; other scripts spend about one a character.
pub fn of_text(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let leads = bytes.iter().filter(|byte| **byte >= 0xC0).count();
    let ascii = bytes.iter().filter(|byte| byte.is_ascii()).count();
    (ascii.div_ceil(4) + leads) as u64
}

pub fn of_json(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 2,
        Value::String(text) => of_text(text) + 1,
        Value::Array(items) => 1 + items.iter().map(of_json).sum::<u64>(),
        Value::Object(map) => {
            1 + map.iter().map(|(key, inner)| of_text(key) + 1 + of_json(inner)).sum::<u64>()
        }
    }
}

pub fn of_block(block: &ContentBlock) -> u64 {
    match block {
        ContentBlock::Text { text } => of_text(text),
        ContentBlock::ToolUse { name, input, .. } => 12 + of_text(name) + of_json(input),
        ContentBlock::ToolResult { content, .. } => 10 + content.iter().map(of_result).sum::<u64>(),
        ContentBlock::Thinking { data, .. } => of_json(data),
        ContentBlock::Image { .. } => IMAGE,
    }
}

fn of_result(content: &ToolResultContent) -> u64 {
    match content {
        ToolResultContent::Text { text } => of_text(text),
        ToolResultContent::Image { .. } => IMAGE,
    }
}

pub fn of_message(message: &Message) -> u64 {
    4 + message.content.iter().map(of_block).sum::<u64>()
}

pub fn of_tools(tools: &[ToolDefinition]) -> u64 {
    let of_one = |tool: &ToolDefinition| {
        8 + of_text(&tool.name) + of_text(&tool.description) + of_json(&tool.input_schema)
    };
    tools.iter().map(of_one).sum()
}
