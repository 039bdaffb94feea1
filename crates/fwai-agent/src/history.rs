//! The conversation as a model sees it: a fold over the events of a session.
//!
//! Whatever the events were (a crash in the middle of a tool, a log that a newer version wrote, an
//! interrupt), the result is a conversation that every wire accepts: it starts with the user, the roles
//! alternate, ids are unique, each tool call is answered in the very next message and in its order, and no
//! block is empty. The fold is incremental: applying one more event costs nothing that grows.

mod clean;
mod compaction;

use crate::{fence, session_tools, tokens};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    message::{ContentBlock, Message, Role, ToolResultContent},
    todo::Todo,
};
use std::{collections::HashSet, sync::Arc};

pub use compaction::{Cut, open_todos};

/// What the model reads where a call never got its answer.
pub const INTERRUPTED_CALL: &str =
    "Interrupted before it finished. It may have had part of its effect; look before you repeat it.";

/// The conversation so far.
#[derive(Debug, Clone, Default)]
pub struct History {
    entries: Vec<Entry>,
    pending: Option<Pending>,
    used_ids: HashSet<String>,
    /// Said to the model with the user's next message.
    notes: Vec<String>,
    in_turn: bool,
    /// The first thing the user said; no compaction touches it.
    head: Option<Vec<ContentBlock>>,
    /// The plan that the user approved; kept by compactions.
    approved_plan: Option<String>,
    /// Failed calls that a compaction would forget, one line each.
    failures: Vec<String>,
    todos: Vec<Todo>,
    tokens: u64,
}

#[derive(Debug, Clone)]
struct Entry {
    message: Arc<Message>,
    /// The last event that added to this message.
    seq: u64,
    tokens: u64,
}

/// Calls of the last assistant message that wait for answers.
#[derive(Debug, Clone)]
struct Pending {
    calls: Vec<Call>,
    seq: u64,
}

#[derive(Debug, Clone)]
struct Call {
    /// As the events name it.
    event_id: String,
    /// As the conversation names it; differs only where a log repeats an id.
    id: String,
    shown: String,
    answer: Option<ContentBlock>,
}

impl History {
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut history = Self::default();
        for event in events {
            history.apply(event);
        }
        history
    }

    pub fn apply(&mut self, event: &Event) {
        let seq = event.seq;
        match &event.body {
            EventBody::TurnStarted {} => {
                if self.in_turn {
                    self.close_calls(seq);
                    self.notes.push("fwai ended in the middle of your previous turn.".into());
                }
                self.in_turn = true;
            }
            EventBody::Message { message, injected } => match message.role {
                Role::User => self.add_user(clean::user_blocks(&message.content), *injected, seq),
                Role::Assistant => self.add_assistant(&message.content, seq),
            },
            EventBody::ToolCallEnd { id, name, success, content, .. } => {
                self.answer(id, name, *success, content, seq);
            }
            EventBody::Hint { text } => {
                self.close_calls(seq);
                self.push_user(vec![ContentBlock::text(fence::contain("hint", &[], text))], seq);
            }
            EventBody::TurnEnded { stop_reason, .. } => {
                self.close_calls(seq);
                self.in_turn = false;
                if let Some(note) = note_after(stop_reason) {
                    self.notes.push(note.into());
                }
            }
            EventBody::TodosUpdated { todos } => self.todos.clone_from(todos),
            EventBody::ContextCompacted { through_seq, summary, .. } => self.compact(*through_seq, summary),
            _ => {}
        }
    }

    /// The conversation, ready to be sent. Calls that wait for an answer are answered as interrupted.
    pub fn messages(&self) -> Vec<Arc<Message>> {
        let mut messages: Vec<Arc<Message>> =
            self.entries.iter().map(|entry| entry.message.clone()).collect();
        if let Some(pending) = &self.pending {
            messages.push(Arc::new(Message::user(pending.answers())));
        }
        messages
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    /// Estimated tokens of all messages.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Gives every tool call in a new answer an id that this conversation has not seen.
    pub fn make_ids_unique(&self, content: &mut [ContentBlock]) {
        let mut fresh = HashSet::new();
        for block in content {
            if let ContentBlock::ToolUse { id, .. } = block {
                let unique = self.unused_id(id, &fresh);
                fresh.insert(unique.clone());
                *id = unique;
            }
        }
    }

    fn unused_id(&self, wanted: &str, also: &HashSet<String>) -> String {
        let is_free = |id: &str| !id.is_empty() && !self.used_ids.contains(id) && !also.contains(id);
        if is_free(wanted) {
            return wanted.to_owned();
        }
        let stem = if wanted.is_empty() { "call" } else { wanted };
        (self.used_ids.len() + also.len()..)
            .map(|n| format!("{stem}_{n}"))
            .find(|id| is_free(id))
            .expect("an endless sequence of names has an unused one")
    }

    fn add_user(&mut self, blocks: Vec<ContentBlock>, injected: bool, seq: u64) {
        self.close_calls(seq);
        if injected {
            if let Some(plan) = clean::approved_plan(&blocks) {
                self.approved_plan = Some(plan);
            }
        } else if self.head.is_none() && !blocks.is_empty() {
            self.head = Some(blocks.clone());
        }
        let mut all = Vec::with_capacity(blocks.len() + 1);
        if !self.notes.is_empty() && !blocks.is_empty() {
            let notes = std::mem::take(&mut self.notes).join("\n");
            all.push(ContentBlock::text(fence::contain("note", &[], &notes)));
        }
        all.extend(blocks);
        self.push_user(all, seq);
    }

    fn push_user(&mut self, blocks: Vec<ContentBlock>, seq: u64) {
        if blocks.is_empty() {
            return;
        }
        let tokens: u64 = blocks.iter().map(tokens::of_block).sum();
        self.tokens += tokens;
        match self.entries.last_mut() {
            Some(last) if last.message.role == Role::User => {
                Arc::make_mut(&mut last.message).content.extend(blocks);
                last.seq = seq;
                last.tokens += tokens;
            }
            _ => self.entries.push(Entry { message: Arc::new(Message::user(blocks)), seq, tokens }),
        }
    }

    fn add_assistant(&mut self, content: &[ContentBlock], seq: u64) {
        self.close_calls(seq);
        let mut blocks = clean::assistant_blocks(content);
        if blocks.is_empty() {
            return;
        }
        match self.entries.last() {
            None => self.push_user(vec![ContentBlock::text("(The first message is not in the log.)")], seq),
            Some(last) if last.message.role == Role::Assistant => {
                self.push_user(vec![ContentBlock::text("Continue.")], seq);
            }
            Some(_) => {}
        }
        let mut calls = Vec::new();
        for block in &mut blocks {
            if let ContentBlock::ToolUse { id, name, input, .. } = block {
                let event_id = id.clone();
                *id = self.unused_id(id, &HashSet::new());
                self.used_ids.insert(id.clone());
                let shown = clean::shown_call(name, input);
                calls.push(Call { event_id, id: id.clone(), shown, answer: None });
            }
        }
        if !calls.is_empty() {
            self.pending = Some(Pending { calls, seq });
        }
        let message = Message::assistant(blocks);
        let tokens = tokens::of_message(&message);
        self.tokens += tokens;
        self.entries.push(Entry { message: Arc::new(message), seq, tokens });
    }

    fn answer(&mut self, id: &str, name: &str, success: bool, content: &[ToolResultContent], seq: u64) {
        let Some(pending) = &mut self.pending else { return };
        let waiting = |call: &&mut Call| call.event_id == id && call.answer.is_none();
        let Some(call) = pending.calls.iter_mut().find(waiting) else { return };
        if !success {
            self.failures.push(clean::failure_line(&call.shown, content));
        }
        let fenced = !session_tools::speaks_for_fwai(name);
        call.answer = Some(ContentBlock::ToolResult {
            tool_use_id: call.id.clone(),
            content: clean::result_content(name, content, fenced),
            is_error: !success,
        });
        pending.seq = seq;
        if pending.calls.iter().all(|call| call.answer.is_some()) {
            self.close_calls(seq);
        }
    }

    /// Answers what is still open, so that the conversation can go on.
    fn close_calls(&mut self, seq: u64) {
        if let Some(pending) = self.pending.take() {
            self.push_user(pending.answers(), seq.max(pending.seq));
        }
    }
}

impl Pending {
    fn answers(&self) -> Vec<ContentBlock> {
        let answer = |call: &Call| match &call.answer {
            Some(answer) => answer.clone(),
            None => ContentBlock::tool_result(&call.id, INTERRUPTED_CALL, true),
        };
        self.calls.iter().map(answer).collect()
    }
}

/// What the model must know of how its last turn ended, when the user speaks again.
fn note_after(stop: &TurnStop) -> Option<&'static str> {
    match stop {
        TurnStop::Interrupted => Some(
            "Your previous turn was interrupted. What was unfinished is not done; do what the user says now.",
        ),
        TurnStop::MaxTurns | TurnStop::MaxCost | TurnStop::MaxTokens => {
            Some("Your previous turn was ended by a limit before you finished.")
        }
        TurnStop::NeedsPerson => Some("Your previous turn ended because nobody was there to answer."),
        TurnStop::Stuck => Some("Your previous turn was ended because the same call kept failing."),
        TurnStop::Error => {
            Some("Your previous turn was ended by an error of the model connection or of fwai.")
        }
        TurnStop::EndTurn | TurnStop::Refusal | TurnStop::Other(_) => None,
    }
}

#[cfg(test)]
mod tests;
