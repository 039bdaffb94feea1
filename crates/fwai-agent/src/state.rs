//! Everything that a session knows, as a fold over its events: the conversation, mode, todos, plan, cost.
//! Resuming is this fold over a log; forking is this fold over a part of one.

use crate::history::History;
use fwai_schema::{
    event::{Event, EventBody, ForkPoint},
    message::{ContentBlock, Role, Usage},
    permission::Mode,
    todo::Todo,
};

/// What a session knows.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub history: History,
    pub mode: Mode,
    /// The mode to go back to when a plan is approved.
    pub act_mode: Mode,
    /// The mode that the conversation was last told of; none before the first turn.
    pub told_mode: Option<Mode>,
    pub turn: u32,
    /// Of the last event, persisted or not.
    pub seq: u64,
    pub in_turn: bool,
    /// Tool calls that started and did not end: id and name.
    pub open_calls: Vec<(String, String)>,
    pub plan: Option<Plan>,
    pub usage: Usage,
    /// US dollars; only what could be priced.
    pub cost_usd: f64,
    pub title: Option<String>,
    pub started: Option<String>,
    pub forked_from: Option<ForkPoint>,
    /// What the provider counted as input of the last request, and how much the history was estimated at
    /// when it was sent.
    pub measured: Option<Measured>,
}

/// The plan of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub path: String,
    pub text: String,
    pub files: Vec<String>,
}

/// One request as the provider counted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    pub input_tokens: u64,
    pub estimated_history: u64,
}

impl State {
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    pub fn apply(&mut self, event: &Event) {
        self.seq = self.seq.max(event.seq);
        self.turn = self.turn.max(event.turn);
        self.history.apply(event);
        match &event.body {
            EventBody::SessionStarted { mode, title, forked_from, .. } => {
                self.set_mode(*mode);
                self.title.clone_from(title);
                self.forked_from.clone_from(forked_from);
                self.started = Some(event.ts.clone());
            }
            EventBody::TurnStarted {} => {
                self.in_turn = true;
                self.open_calls.clear();
            }
            EventBody::TurnEnded { .. } => {
                self.in_turn = false;
                self.open_calls.clear();
            }
            EventBody::Message { message, injected } => {
                if self.title.is_none() && !injected && message.role == Role::User {
                    self.title = title_of(&message.content);
                }
                if *injected {
                    self.told_mode = told_mode(&message.content).or(self.told_mode);
                }
            }
            EventBody::ToolCallStart { id, name, .. } => self.open_calls.push((id.clone(), name.clone())),
            EventBody::ToolCallEnd { id, .. } => self.open_calls.retain(|(open, _)| open != id),
            EventBody::ModeChanged { to, .. } => self.set_mode(*to),
            EventBody::PlanUpdated { path, plan, files } => {
                self.plan = Some(Plan { path: path.clone(), text: plan.clone(), files: files.clone() });
            }
            EventBody::Usage { purpose, usage, cost_usd, .. } => {
                self.usage += *usage;
                self.cost_usd += cost_usd.unwrap_or(0.0);
                if purpose == "turn" && usage.total_input() > 0 {
                    self.measured = Some(Measured {
                        input_tokens: usage.total_input(),
                        estimated_history: self.history.tokens(),
                    });
                }
            }
            EventBody::ContextCompacted { .. } => self.measured = None,
            _ => {}
        }
    }

    pub fn todos(&self) -> &[Todo] {
        self.history.todos()
    }

    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        if mode != Mode::Plan {
            self.act_mode = mode;
        }
    }
}

/// The first line that the user wrote, short enough for a list.
pub fn title_of(content: &[ContentBlock]) -> Option<String> {
    let line = content.iter().find_map(|block| match block {
        ContentBlock::Text { text } => text.lines().map(str::trim).find(|line| !line.is_empty()),
        _ => None,
    })?;
    let mut title: String = line.chars().take(72).collect();
    if line.chars().count() > 72 {
        title.push('…');
    }
    Some(title)
}

fn told_mode(content: &[ContentBlock]) -> Option<Mode> {
    content.iter().find_map(|block| match block {
        ContentBlock::Text { text } => {
            Mode::ALL.into_iter().find(|mode| text.starts_with(&format!("<fwai:mode name=\"{mode}\"")))
        }
        _ => None,
    })
}
