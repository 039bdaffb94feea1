//! What the agent needs of the place it runs in, as small traits that `fwai-app` (or the browser) fills:
//! time, event logs, permission, files of the session, and the library of agents and skills.
//!
//! [`Host`] bundles them. Each trait has one owner outside and can be filled on its own: [`Gate`] is the
//! joint to policy, hooks and snapshots; [`EventLog`] is where a session lives on disk.

use crate::{
    outcome::ToolOutcome,
    tool::{Effects, PathScope},
};
use fwai_llm::{BoxFuture, MaybeSend, MaybeSync, Provider};
use fwai_schema::{
    agent::AgentDef,
    event::{Event, EventBody, TurnStop},
    op::PermissionReply,
    permission::{Level, Mode, Verdict},
    skill::SkillDef,
};
use serde_json::Value;
use std::{borrow::Cow, sync::Arc};
use thiserror::Error;

/// The host broke: a full disk, a lost log. It ends the turn; what a tool merely could not do is a failed
/// outcome instead.
#[derive(Debug, Clone, PartialEq, Eq, Error, fwai_schema::Speak)]
#[error("{what}")]
pub struct HostError {
    /// What broke and where.
    pub what: String,
    /// The next step for a person.
    pub hint: Option<String>,
}

impl HostError {
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<std::io::Error> for HostError {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Everything that the agent asks of the place it runs in. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    pub clock: Arc<dyn Clock>,
    pub logs: Arc<dyn EventLogs>,
    pub gate: Arc<dyn Gate>,
    pub files: Arc<dyn SessionFiles>,
    pub library: Arc<dyn Library>,
}

/// Time and chance.
pub trait Clock: MaybeSend + MaybeSync {
    /// RFC 3339, UTC, milliseconds.
    fn now(&self) -> String;
    /// Microseconds since some fixed moment; never goes back.
    fn monotonic_us(&self) -> u64;
    fn sleep(&self, milliseconds: u64) -> BoxFuture<'static, ()>;
    /// A new id that no one will guess or meet again: lower-case letters and digits.
    fn random_id(&self) -> String;
}

/// Where the logs of sessions are kept.
pub trait EventLogs: MaybeSend + MaybeSync {
    /// Opens the log of a session for appending, and makes it where there is none. A log has one writer:
    /// a second `open` fails as long as the first [`EventLog`] lives.
    fn open(&self, session: &str) -> Result<Arc<dyn EventLog>, HostError>;
}

/// The log of one session. Appending is synchronous and cheap; it is on disk after [`EventLog::sync`].
pub trait EventLog: MaybeSend + MaybeSync {
    fn append(&self, event: &Event) -> Result<(), HostError>;
    /// Makes everything appended durable. Called at turn boundaries and before every effect.
    fn sync(&self) -> Result<(), HostError>;
    /// All whole events, oldest first.
    fn load(&self) -> Result<Vec<Event>, HostError>;
}

/// A tool call as policy sees it, after lookup and schema validation.
#[derive(Debug, Clone)]
pub struct CallRequest {
    pub session: String,
    pub turn: u32,
    /// Id of the tool call.
    pub id: String,
    pub tool: String,
    pub level: Level,
    pub read_only: bool,
    /// As the model wrote them; not redacted.
    pub arguments: Value,
    /// What the tool says it will touch. A shell command touches more than it says.
    pub effects: Effects,
    pub mode: Mode,
    /// Paths of the agents that this call runs for, outermost first; every one of them must agree.
    pub scopes: Vec<PathScope>,
}

/// What policy says to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    /// What will happen, in words for a person: "run `make clean` in the sandbox".
    pub what: String,
    /// Why it is allowed, asks, or is denied; goes to the model with a denial.
    pub reason: String,
    /// Words that a hook wants the model to read with the result.
    pub context: Option<String>,
}

impl Decision {
    pub fn allow() -> Self {
        Self { verdict: Verdict::Allow, what: String::new(), reason: String::new(), context: None }
    }

    pub fn ask(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::Ask, what: what.into(), reason: reason.into(), context: None }
    }

    pub fn deny(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::Deny, what: String::new(), reason: reason.into(), context: None }
    }
}

/// A turn that is about to end.
#[derive(Debug, Clone)]
pub struct TurnEnding {
    pub session: String,
    pub turn: u32,
    pub stop: TurnStop,
    pub final_text: String,
    pub iterations: u32,
    pub tool_calls: u32,
}

/// The joint to policy, permissions, hooks, snapshots and secrets. The executor calls, for each tool call
/// and in this order: `decide`, (asks the person and `remember`s), `before_change`, the tool, `after`.
pub trait Gate: MaybeSend + MaybeSync {
    /// Policy, rules, remembered permissions and `before_tool` hooks together.
    fn decide<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Decision>;

    /// A person answered. `Session` and `Always` must hold for later calls that are alike.
    fn remember(&self, call: &CallRequest, reply: PermissionReply) -> Result<(), HostError>;

    /// Called before a tool that is not read-only runs: the moment to take a snapshot for undo. The events
    /// since the last sync are durable by then.
    fn before_change<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Result<(), HostError>>;

    /// Called after every call: measure changes and budgets, run `after_tool` hooks, write evidence. It may
    /// alter the outcome (add context, turn it into a failure); the events it returns join the stream.
    fn after<'a>(
        &'a self,
        call: &'a CallRequest,
        outcome: &'a mut ToolOutcome,
    ) -> BoxFuture<'a, Result<Vec<EventBody>, HostError>>;

    /// Called when a turn is about to end, before its last event: the moment to complete evidence. The events
    /// it returns join the stream.
    fn turn_ending<'a>(&'a self, _ending: &'a TurnEnding) -> BoxFuture<'a, Vec<EventBody>> {
        Box::pin(async { Vec::new() })
    }

    /// A step of a skill asks that what the steps left so far is put together now; the text says what that is.
    fn collect_evidence(&self) -> BoxFuture<'_, Result<String, HostError>> {
        Box::pin(async { Ok("evidence is switched off".to_owned()) })
    }

    /// Restores the work tree to what it was before tool call `to` (a `seq`), or before the last change.
    /// The text says what was restored; files that differ join the stream as `file_changed`.
    fn undo(&self, to: Option<u64>) -> BoxFuture<'_, Result<(String, Vec<EventBody>), HostError>>;

    /// The text without secrets.
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str>;
}

/// Files that belong to a session, all of them beside its log.
pub trait SessionFiles: MaybeSend + MaybeSync {
    /// Project-relative path of the session's plan: `.fwai/sessions/<id>/plan.md`.
    fn plan_path(&self, session: &str) -> String;
    fn read_plan<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Option<String>, HostError>>;
    fn write_plan<'a>(&'a self, session: &'a str, plan: &'a str) -> BoxFuture<'a, Result<(), HostError>>;
    /// Keeps the whole output of a call whose answer was cut; returns a path that `read_file` can read.
    fn keep_output<'a>(
        &'a self,
        session: &'a str,
        call: &'a str,
        text: &'a str,
    ) -> BoxFuture<'a, Result<String, HostError>>;
}

/// Agents and skills that can be found, and models that can be asked.
pub trait Library: MaybeSend + MaybeSync {
    fn agents(&self) -> Vec<AgentDef>;

    /// Names and one-line descriptions, in the order in which to list them.
    fn skills(&self) -> Vec<SkillEntry>;

    /// The documentation of a skill: the `SKILL.md` text, or the YAML workflow rendered for reading.
    fn skill_document(&self, name: &str) -> Result<String, HostError>;

    /// The steps of a YAML workflow; none for a `SKILL.md` skill and where there is no such skill.
    fn workflow(&self, _name: &str) -> Option<SkillDef> {
        None
    }

    /// Runs a YAML workflow; the text is its summary. A `SKILL.md` skill is instructions and is not run:
    /// `Ok(None)`.
    fn run_skill<'a>(
        &'a self,
        name: &'a str,
        inputs: &'a Value,
    ) -> BoxFuture<'a, Result<Option<ToolOutcome>, HostError>>;

    /// The provider for a sub-agent that names its own `model` or `provider/model`.
    fn provider(&self, model: &str) -> Result<Arc<dyn Provider>, HostError>;
}

/// A skill as the prompt lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillEntry {
    pub name: String,
    pub description: String,
}
