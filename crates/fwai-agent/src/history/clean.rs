//! Blocks as a wire accepts them, and the short forms of calls that outlive a compaction.

use crate::{fence, outcome::text_of};
use fwai_schema::message::{ContentBlock, ToolResultContent};
use serde_json::Value;

/// What a user message may hold: text that says something, and images.
pub(super) fn user_blocks(content: &[ContentBlock]) -> Vec<ContentBlock> {
    let keep = |block: &&ContentBlock| match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::Image { data, .. } => !data.is_empty(),
        _ => false,
    };
    content.iter().filter(keep).cloned().collect()
}

/// What an assistant message may hold. Reasoning alone is no message.
pub(super) fn assistant_blocks(content: &[ContentBlock]) -> Vec<ContentBlock> {
    let keep = |block: &&ContentBlock| match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::ToolUse { name, .. } => !name.is_empty(),
        ContentBlock::Thinking { .. } => true,
        ContentBlock::ToolResult { .. } | ContentBlock::Image { .. } => false,
    };
    let blocks: Vec<ContentBlock> = content.iter().filter(keep).cloned().collect();
    if blocks.iter().all(|block| matches!(block, ContentBlock::Thinking { .. })) {
        Vec::new()
    } else {
        blocks
    }
}

/// A tool's answer: never empty, and in a container unless fwai itself speaks.
pub(super) fn result_content(
    tool: &str,
    content: &[ToolResultContent],
    fenced: bool,
) -> Vec<ToolResultContent> {
    let mut out = Vec::with_capacity(content.len().max(1));
    for part in content {
        match part {
            ToolResultContent::Text { text } if text.trim().is_empty() => {}
            ToolResultContent::Text { text } if fenced => {
                out.push(ToolResultContent::Text { text: fence::data(tool, text) });
            }
            other => out.push(other.clone()),
        }
    }
    if out.is_empty() {
        out.push(ToolResultContent::Text { text: "(no output)".into() });
    }
    out
}

/// A call in one line: `bash {"command":"make"}`.
pub(super) fn shown_call(name: &str, input: &Value) -> String {
    let arguments = input.to_string();
    let mut shown = format!("{name} ");
    shown.extend(arguments.chars().take(160));
    if arguments.chars().count() > 160 {
        shown.push('…');
    }
    shown
}

/// A failed call in one line: `bash {"command":"make"}: make: *** No targets.`
pub(super) fn failure_line(shown: &str, content: &[ToolResultContent]) -> String {
    let text = text_of(content);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("failed");
    let mut line = format!("{shown}: ");
    line.extend(first.chars().take(160));
    line
}

/// The plan in an injected message, where there is one.
pub(super) fn approved_plan(blocks: &[ContentBlock]) -> Option<String> {
    blocks.iter().find_map(|block| match block {
        ContentBlock::Text { text } if text.starts_with("<fwai:plan") => Some(text.clone()),
        _ => None,
    })
}
