//! ReAct-Plus: the short stated decision of each step, and the hint after two failures in a row.
//!
//! A decision is what the model said it is about to do, or, where it said nothing, what it does. Reasoning
//! blocks are never read here: no raw chain of thought is shown or stored as such.

use fwai_schema::{
    message::{ContentBlock, Message},
    todo::{Todo, TodoStatus},
};

const THOUGHT_LENGTH: usize = 160;

/// The line of the decision trace.
pub fn trace_line(step: u32, thought: &str, plan_steps: u32) -> String {
    format!("[Decision] Step {step}: Thought: {thought} | Plan steps: {plan_steps}")
}

/// What the model decided in this answer, in one short sentence.
pub fn thought_of(content: &[ContentBlock]) -> String {
    let message = Message::assistant(content.to_vec());
    let calls: Vec<String> = message.tool_uses().map(|call| shown(call.name, call.input)).collect();
    if calls.is_empty() {
        return "Answer the user.".into();
    }
    let text = message.text();
    match first_sentence(&text) {
        Some(sentence) => sentence,
        None => cut(&format!("Call {}.", calls.join(", "))),
    }
}

/// How many steps are planned: open todos, or else the calls of this answer.
pub fn plan_steps(todos: &[Todo], content: &[ContentBlock]) -> u32 {
    let open = |todo: &&Todo| matches!(todo.status, TodoStatus::Pending | TodoStatus::InProgress);
    let open = todos.iter().filter(open).count();
    let calls = content.iter().filter(|block| matches!(block, ContentBlock::ToolUse { .. })).count();
    u32::try_from(if open > 0 { open } else { calls }).unwrap_or(u32::MAX)
}

fn first_sentence(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut end = line.len();
    for (at, mark) in line.char_indices() {
        let after = at + mark.len_utf8();
        let wide = matches!(mark, '。' | '！' | '？');
        let narrow = matches!(mark, '.' | '!' | '?') && line[after..].starts_with(' ');
        if wide || narrow {
            end = after;
            break;
        }
    }
    Some(cut(&line[..end]))
}

fn cut(text: &str) -> String {
    // A trace line is one line, whatever the model wrote.
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if one_line.chars().count() <= THOUGHT_LENGTH {
        return one_line;
    }
    let mut short: String = one_line.chars().take(THOUGHT_LENGTH).collect();
    short.push('…');
    short
}

fn shown(name: &str, input: &serde_json::Value) -> String {
    let first = input.as_object().and_then(|map| map.values().find_map(|value| value.as_str()));
    match first {
        Some(value) => {
            let short: String = value.chars().take(40).collect();
            format!("{name}({short})")
        }
        None => name.to_owned(),
    }
}

/// Counts failures in a row and says when a hint is due.
#[derive(Debug, Default)]
pub struct FailureStreak {
    failed: Vec<String>,
}

impl FailureStreak {
    /// Records one call; the hint, when this was the second failure in a row.
    pub fn record(&mut self, tool: &str, success: bool, error: &str) -> Option<String> {
        if success {
            self.failed.clear();
            return None;
        }
        let first = error.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
        self.failed.push(format!("- {tool}: {}", cut(first)));
        if self.failed.len() < 2 {
            return None;
        }
        let failed = std::mem::take(&mut self.failed).join("\n");
        Some(format!(
            "Two tool calls in a row failed:\n{failed}\nDo not repeat them as they were. Find out why first: \
             read the error, check that the path, name or precondition is right, then try another way, or \
             ask the user."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_thought_is_the_first_sentence_that_the_model_said() {
        let said = |text: &str| {
            thought_of(&[
                ContentBlock::text(text),
                ContentBlock::tool_use("1", "grep", json!({"pattern": "baud"})),
            ])
        };
        assert_eq!(said("Look at src/uart.c v1.2 first. Then edit."), "Look at src/uart.c v1.2 first.");
        assert_eq!(said("讓我先查看 UART 設定...\n然後"), "讓我先查看 UART 設定...");
        assert_eq!(said("先看。再改。"), "先看。");
        assert_eq!(said("\n  "), "Call grep(baud).");
        assert_eq!(thought_of(&[ContentBlock::text("Done.")]), "Answer the user.");
        assert_eq!(trace_line(1, "x", 2), "[Decision] Step 1: Thought: x | Plan steps: 2");
    }

    #[test]
    fn raw_reasoning_is_never_a_thought() {
        let content = [
            ContentBlock::Thinking {
                provider: "anthropic".into(),
                data: json!({"thinking": "secret musings"}),
            },
            ContentBlock::tool_use("1", "bash", json!({"command": "make"})),
        ];
        assert_eq!(thought_of(&content), "Call bash(make).");
    }

    #[test]
    fn two_failures_bring_one_hint_that_names_them() {
        let mut streak = FailureStreak::default();
        assert!(streak.record("grep", false, "no such dir").is_none());
        let hint = streak.record("read_file", false, "src/uart.c not found\nmore").unwrap();
        assert!(hint.contains("- grep: no such dir\n- read_file: src/uart.c not found\n"), "{hint}");
        assert!(streak.record("grep", false, "again").is_none());
        assert!(streak.record("grep", true, "").is_none());
        assert!(streak.record("grep", false, "again").is_none());
    }
}
