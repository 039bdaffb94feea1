//! Shortening a conversation: where it may be cut, and what stays.
//!
//! The first task, the approved plan, failed attempts and open todos stay as they were; the rest of what
//! is cut is replaced by a summary. A cut lies only before an assistant message or before a user message
//! without answers, so that a tool call and its result never part.

use super::{Entry, History};
use crate::{fence, outcome::text_of};
use fwai_schema::{
    message::{ContentBlock, Message, Role},
    todo::{Todo, TodoStatus},
};

/// How many failed attempts a compaction remembers.
const FAILURES_KEPT: usize = 20;

/// A place where a conversation can be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Everything up to this event is summarised.
    pub through_seq: u64,
    /// What will be replaced, for the one who summarises.
    pub transcript: String,
    /// What the user said in the part that is cut, one line each.
    pub said: Vec<String>,
    pub messages: usize,
}

impl History {
    /// Where to cut so that about `keep_tokens` of the newest messages stay; none where there is nothing
    /// worth cutting.
    pub fn find_cut(&self, keep_tokens: u64) -> Option<Cut> {
        let last = self.entries.len();
        let mut kept = 0;
        let mut best = None;
        for index in (1..last).rev() {
            kept += self.entries[index].tokens;
            if !is_boundary(&self.entries[index]) {
                continue;
            }
            // The newest boundary is taken even where the newest exchange alone is too long.
            if best.is_none() || kept <= keep_tokens {
                best = Some(index);
            }
            if kept > keep_tokens {
                break;
            }
        }
        // Cutting only the head would replace it by itself.
        let index = best.filter(|index| *index > 1 || self.entries[0].message.content.len() > 1)?;
        let cut = &self.entries[..index];
        let through_seq = cut.last()?.seq;
        Some(Cut {
            through_seq,
            transcript: cut.iter().map(|entry| transcribed(&entry.message)).collect(),
            said: cut.iter().flat_map(|entry| said(&entry.message)).collect(),
            messages: cut.len(),
        })
    }

    pub(super) fn compact(&mut self, through_seq: u64, summary: &str) {
        let mut index = self.entries.partition_point(|entry| entry.seq <= through_seq);
        if self.pending.is_some() {
            index = index.min(self.entries.len() - 1);
        }
        if index < self.entries.len() && !is_boundary(&self.entries[index]) {
            index = index.saturating_sub(1);
        }
        if index == 0 {
            return;
        }
        let mut head = self.head.clone().unwrap_or_default();
        head.push(ContentBlock::text(fence::contain("summary", &[], summary)));
        if let Some(plan) = &self.approved_plan {
            head.push(ContentBlock::text(plan.clone()));
        }
        if !self.failures.is_empty() {
            let from = self.failures.len().saturating_sub(FAILURES_KEPT);
            let lines = self.failures[from..].join("\n");
            head.push(ContentBlock::text(fence::contain("failed-attempts", &[], &lines)));
        }
        if let Some(todos) = open_todos(&self.todos) {
            head.push(ContentBlock::text(todos));
        }
        let tail = self.entries.split_off(index);
        self.entries.clear();
        self.tokens = 0;
        self.push_user(head, through_seq);
        for entry in tail {
            if entry.message.role == Role::User && self.entries.len() == 1 {
                self.push_user(entry.message.content.clone(), entry.seq);
            } else {
                self.tokens += entry.tokens;
                self.entries.push(entry);
            }
        }
    }
}

/// Whether a conversation may begin (after its head) with this message.
fn is_boundary(entry: &Entry) -> bool {
    let answers = |block: &ContentBlock| matches!(block, ContentBlock::ToolResult { .. });
    !entry.message.content.iter().any(answers)
}

/// Todos that are not done, as they are put before the model after a compaction.
pub fn open_todos(todos: &[Todo]) -> Option<String> {
    let open = |todo: &&Todo| matches!(todo.status, TodoStatus::Pending | TodoStatus::InProgress);
    let lines: Vec<String> = todos
        .iter()
        .filter(open)
        .map(|todo| {
            let mark = if todo.status == TodoStatus::InProgress { ">" } else { " " };
            let parent =
                todo.parent.as_ref().map(|parent| format!(" (part of {parent})")).unwrap_or_default();
            format!("[{mark}] {}: {}{parent}", todo.id, todo.content)
        })
        .collect();
    (!lines.is_empty()).then(|| fence::contain("todos", &[], &lines.join("\n")))
}

fn transcribed(message: &Message) -> String {
    let who = if message.role == Role::User { "user" } else { "assistant" };
    let mut out = String::new();
    for block in &message.content {
        match block {
            ContentBlock::Text { text } => out.push_str(&format!("{who}: {text}\n")),
            ContentBlock::ToolUse { name, input, .. } => {
                out.push_str(&format!("{}\n", super::clean::shown_call(name, input)));
            }
            ContentBlock::ToolResult { content, is_error, .. } => {
                let text = text_of(content);
                let shown = crate::truncate::middle(&text, 1_500);
                out.push_str(if *is_error { "failed: " } else { "result: " });
                out.push_str(&format!("{shown}\n"));
            }
            ContentBlock::Image { .. } => out.push_str(&format!("{who}: (an image)\n")),
            ContentBlock::Thinking { .. } => {}
        }
    }
    out
}

fn said(message: &Message) -> Vec<String> {
    if message.role != Role::User {
        return Vec::new();
    }
    let line = |block: &ContentBlock| match block {
        ContentBlock::Text { text } if !text.starts_with("<fwai:") => {
            let first: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(crate::truncate::middle(&first, 240).into_owned())
        }
        _ => None,
    };
    message.content.iter().filter_map(line).collect()
}
