//! The stage on which scenarios play: a scripted model, a project in a temporary directory with a few real
//! tools, and a host whose clock and ids repeat from run to run.

pub mod host;
pub mod model;
pub mod tools;
pub mod valid;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use fwai_agent::{
    Session, SessionConfig, SessionHandle, host::Host, memory_logs::MemoryLogs, outcome::text_of,
    registry::Registry,
};
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Message, Role},
    op::{Answer, Op, PermissionReply},
};
use host::TestHost;
use model::ScriptedModel;
use std::sync::Arc;
use tools::Project;

pub const SESSION: &str = "s1";

/// Everything of one scenario.
pub struct Stage {
    pub project: Arc<Project>,
    pub model: Arc<ScriptedModel>,
    pub host: Arc<TestHost>,
    pub logs: MemoryLogs,
    pub config: SessionConfig,
    pub registry: Registry,
}

impl Stage {
    pub fn new(script: Vec<model::Step>) -> Self {
        let project = Arc::new(Project::new());
        let host = Arc::new(TestHost::new(project.root().to_owned()));
        let config = SessionConfig::new(SESSION, project.root());
        let registry = tools::registry(&project);
        let model = Arc::new(ScriptedModel::new(script));
        Self { project, model, host, logs: MemoryLogs::default(), config, registry }
    }

    pub fn file(self, path: &str, text: &str) -> Self {
        self.project.write(path, text);
        self
    }

    pub fn with(mut self, change: impl FnOnce(&mut SessionConfig)) -> Self {
        change(&mut self.config);
        self
    }

    pub fn host(&self) -> Host {
        Host {
            clock: self.host.clone(),
            logs: Arc::new(self.logs.clone()),
            gate: self.host.clone(),
            files: self.host.clone(),
            library: self.host.clone(),
        }
    }

    /// Starts the session; its driver runs as a task of its own.
    pub fn start(&self) -> Play {
        let started =
            Session::start(self.config.clone(), self.host(), self.model.clone(), self.registry.clone())
                .unwrap();
        let driver = tokio::spawn(started.driver);
        Play { handle: started.handle, heard: started.events, events: Vec::new(), driver }
    }

    /// One turn from start to end.
    pub async fn play(&self, text: &str) -> Vec<Event> {
        let mut play = self.start();
        play.handle.say(text);
        play.until_end().await;
        play.leave().await
    }

    /// The messages of the request with this number, from 0.
    pub fn sent(&self, request: usize) -> Vec<Arc<Message>> {
        self.model.requests()[request].messages.clone()
    }
}

/// A running session, seen from its door.
pub struct Play {
    pub handle: SessionHandle,
    heard: UnboundedReceiver<Event>,
    pub events: Vec<Event>,
    driver: tokio::task::JoinHandle<()>,
}

impl Play {
    pub async fn next(&mut self) -> Event {
        let limit = std::time::Duration::from_secs(30);
        let event = tokio::time::timeout(limit, self.heard.next()).await;
        let event = event.unwrap_or_else(|_| panic!("nothing was heard after:\n{}", written(&self.events)));
        let event = event.expect("the session lives");
        self.events.push(event.clone());
        event
    }

    /// Listens until an event fits.
    pub async fn until(&mut self, fits: impl Fn(&EventBody) -> bool) -> Event {
        loop {
            let event = self.next().await;
            if fits(&event.body) {
                return event;
            }
        }
    }

    pub async fn until_end(&mut self) -> Event {
        self.until(|body| matches!(body, EventBody::TurnEnded { .. })).await
    }

    pub async fn until_question(&mut self) -> String {
        let event = self.until(|body| matches!(body, EventBody::Question { .. })).await;
        let EventBody::Question { id, .. } = event.body else { unreachable!() };
        id
    }

    pub async fn until_permission(&mut self) -> String {
        let event = self.until(|body| matches!(body, EventBody::PermissionRequest { .. })).await;
        let EventBody::PermissionRequest { id, .. } = event.body else { unreachable!() };
        id
    }

    pub fn answer(&self, id: String, choices: &[&str], text: Option<&str>) {
        let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        self.handle.send(Op::Answer { id, answer: Answer { choices, text: text.map(str::to_owned) } });
    }

    pub fn reply(&self, id: String, reply: PermissionReply, note: Option<&str>) {
        self.handle.send(Op::PermissionReply { id, reply, note: note.map(str::to_owned) });
    }

    /// Ends the session and gives everything that was heard.
    pub async fn leave(mut self) -> Vec<Event> {
        self.handle.send(Op::Shutdown);
        while let Some(event) = self.heard.next().await {
            self.events.push(event);
        }
        self.driver.await.unwrap();
        self.events
    }
}

/// How the last turn ended.
pub fn end_of(events: &[Event]) -> (String, String) {
    let end = events.iter().rev().find_map(|event| match &event.body {
        EventBody::TurnEnded { stop_reason, final_text, .. } => {
            let stop = serde_json::to_string(stop_reason).unwrap();
            Some((stop.trim_matches('"').to_owned(), final_text.clone()))
        }
        _ => None,
    });
    end.expect("a turn ended")
}

/// Events for snapshots: type and what matters, one line each.
pub fn written(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        let line = match &event.body {
            EventBody::TextDelta { .. } => continue,
            EventBody::Message { message, injected } => {
                let injected = if *injected { " injected" } else { "" };
                format!("message{injected} {}", message_line(message))
            }
            EventBody::ToolCallStart { id, name, arguments } => {
                format!("tool_call_start {id} {name} {arguments}")
            }
            EventBody::ToolCallEnd { id, success, content, full_output, .. } => {
                let full = full_output.as_ref().map(|file| format!(" full={file}")).unwrap_or_default();
                format!(
                    "tool_call_end {id} {} {:?}{full}",
                    if *success { "ok" } else { "failed" },
                    text_of(content)
                )
            }
            other => {
                let mut value = serde_json::to_value(other).unwrap();
                let map = value.as_object_mut().unwrap();
                let kind = map.shift_remove("type").unwrap();
                map.shift_remove("duration_ms");
                if kind == "session_started" {
                    map.shift_remove("cwd");
                    map.shift_remove("version");
                }
                format!("{} {value}", kind.as_str().unwrap())
            }
        };
        out.push_str(&format!("{} {line}\n", event.turn));
    }
    out
}

/// Messages for snapshots.
pub fn shown(messages: &[Arc<Message>]) -> String {
    messages.iter().map(|message| format!("{}\n", message_line(message))).collect()
}

fn message_line(message: &Message) -> String {
    let who = if message.role == Role::User { "user" } else { "assistant" };
    let blocks: Vec<String> = message
        .content
        .iter()
        .map(|block| match block {
            ContentBlock::Text { text } => format!("{text:?}"),
            ContentBlock::ToolUse { id, name, input, .. } => format!("call {id} {name} {input}"),
            ContentBlock::ToolResult { tool_use_id, content, is_error } => {
                format!("{} {tool_use_id} {:?}", if *is_error { "error" } else { "result" }, text_of(content))
            }
            ContentBlock::Thinking { .. } => "thinking".into(),
            ContentBlock::Image { .. } => "image".into(),
        })
        .collect();
    format!("{who}: {}", blocks.join(" | "))
}
