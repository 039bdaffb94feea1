//! Measures a session's own time and prints one JSON object: between a model's answer and the next request
//! (with a real `echo` in between and the log on disk), in the 10th and the 200th step; and resuming a
//! session of 2,000 turns. The model is in this process and answers at once, so that all time is ours.
//!
//! Run with: cargo run --profile quick -p fwai-app --example session_bench

use futures_util::{StreamExt, stream};
use fwai_agent::{
    Session, SessionConfig,
    host::{CallRequest, Decision, Gate, Host, HostError, Library, SkillEntry},
    outcome::ToolOutcome,
    prelude::*,
    registry::Registry,
};
use fwai_app::{native_clock::NativeClock, session_store::SessionStore};
use fwai_llm::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, Provider, ProviderStatus, Request, provider::ModelInfo,
};
use fwai_schema::{
    agent::AgentDef,
    config::ModelFacts,
    event::EventBody,
    message::{ContentBlock, StopReason, Usage},
    op::PermissionReply,
};
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    sync::{Arc, Mutex},
    time::Instant,
};

const STEPS: usize = 205;
const TURNS: usize = 2_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let steps = runtime.block_on(own_time_of_steps());
    let around = |step: usize| {
        let mut times: Vec<f64> = steps[step - 5..step + 5].to_vec();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let (tenth, two_hundredth) = (around(10), around(200));
    let (resume_ms, log_bytes, events) = runtime.block_on(resume_time());
    let figures = json!({
        "own_ms_step_10": tenth,
        "own_ms_step_200": two_hundredth,
        "ratio_200_to_10": two_hundredth / tenth,
        "resume_turns": TURNS,
        "resume_events": events,
        "resume_log_bytes": log_bytes,
        "resume_ms": resume_ms,
    });
    println!("{figures}");
}

/// Milliseconds between each answer of the model and the next request.
async fn own_time_of_steps() -> Vec<f64> {
    let place = tempfile::tempdir().expect("a temporary directory");
    let model = Arc::new(Model::new(STEPS));
    run(place.path(), &model, 1).await;
    model.own.lock().expect("no panic").clone()
}

async fn resume_time() -> (f64, u64, usize) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let model = Arc::new(Model::new(1));
    run(place.path(), &model, TURNS).await;
    let log = place.path().join(".fwai/sessions/bench/events.jsonl");
    let bytes = std::fs::metadata(&log).expect("the log").len();
    let began = Instant::now();
    let started = start(place.path(), &model);
    let elapsed = began.elapsed().as_secs_f64() * 1000.0;
    assert_eq!(started.resumed.turn as usize, TURNS);
    let events = SessionStore::new(place.path()).load("bench").expect("the log").len();
    (elapsed, bytes, events)
}

fn start(project: &std::path::Path, model: &Arc<Model>) -> fwai_agent::Started {
    let store = Arc::new(SessionStore::new(project));
    let plain = Arc::new(Plain);
    let host = Host {
        clock: Arc::new(NativeClock::default()),
        logs: store.clone(),
        gate: plain.clone(),
        files: store,
        library: plain,
    };
    let mut config = SessionConfig::new("bench", project);
    config.agent.max_iterations = u32::MAX;
    let registry = Registry::new().with::<(), Bash>(&Arc::new(()));
    Session::start(config, host, model.clone(), registry).expect("a session")
}

async fn run(project: &std::path::Path, model: &Arc<Model>, turns: usize) {
    let started = start(project, model);
    for turn in 0..turns {
        started.handle.say(format!("turn {turn}"));
    }
    drop(started.handle);
    let events = started.events.for_each(|_| async {});
    futures_util::join!(started.driver, events);
}

/// Calls `bash` a number of times in each turn, and then ends it.
struct Model {
    steps: usize,
    answered: Mutex<Option<Instant>>,
    own: Mutex<Vec<f64>>,
}

impl Model {
    fn new(steps: usize) -> Self {
        Self { steps, answered: Mutex::default(), own: Mutex::default() }
    }
}

impl Provider for Model {
    fn name(&self) -> &str {
        "bench"
    }

    fn model(&self) -> &str {
        "bench"
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts { context_window: Some(50_000_000), ..ModelFacts::default() }
    }

    fn complete(&self, _request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async { Err(LlmError::Cancelled) })
    }

    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        if let Some(answered) = self.answered.lock().expect("no panic").take() {
            self.own.lock().expect("no panic").push(answered.elapsed().as_secs_f64() * 1000.0);
        }
        let since_user = request.messages.iter().rev().take_while(|message| {
            !message
                .content
                .iter()
                .any(|block| matches!(block, ContentBlock::Text { text } if text.starts_with("turn")))
        });
        let calls = since_user.flat_map(|message| message.tool_uses()).count();
        let (content, stop_reason) = if calls < self.steps {
            let call = ContentBlock::tool_use(
                format!("c{}", request.messages.len()),
                "bash",
                json!({"command": "echo hello"}),
            );
            (vec![ContentBlock::text("Say hello."), call], StopReason::ToolUse)
        } else {
            (vec![ContentBlock::text("Done.")], StopReason::EndTurn)
        };
        drop(request);
        let completion = Completion { content, stop_reason, usage: Usage::default(), model: "bench".into() };
        *self.answered.lock().expect("no panic") = Some(Instant::now());
        Box::pin(stream::iter([Ok(Delta::Done { completion })]))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        let (name, model) = ("bench".to_owned(), "bench".to_owned());
        Box::pin(async { ProviderStatus { name, model, ready: true, detail: String::new() } })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Run a shell command.
#[derive(Deserialize, JsonSchema)]
struct Bash {
    command: String,
}

impl Tool<()> for Bash {
    const NAME: &str = "bash";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;

    async fn run(self, _ctx: &ToolContext<()>) -> Result<ToolOutcome, HostError> {
        let output = std::process::Command::new("sh").arg("-c").arg(&self.command).output()?;
        Ok(ToolOutcome::ok(String::from_utf8_lossy(&output.stdout)))
    }
}

/// Allows everything and finds nothing.
struct Plain;

impl Gate for Plain {
    fn decide<'a>(&'a self, _call: &'a CallRequest) -> BoxFuture<'a, Decision> {
        Box::pin(async { Decision::allow() })
    }

    fn remember(&self, _call: &CallRequest, _reply: PermissionReply) -> Result<(), HostError> {
        Ok(())
    }

    fn before_change<'a>(&'a self, _call: &'a CallRequest) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(async { Ok(()) })
    }

    fn after<'a>(
        &'a self,
        _call: &'a CallRequest,
        _outcome: &'a mut ToolOutcome,
    ) -> BoxFuture<'a, Result<Vec<EventBody>, HostError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn undo(&self, _to: Option<u64>) -> BoxFuture<'_, Result<(String, Vec<EventBody>), HostError>> {
        Box::pin(async { Err(HostError::new("nothing to undo")) })
    }

    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }
}

impl Library for Plain {
    fn agents(&self) -> Vec<AgentDef> {
        Vec::new()
    }

    fn skills(&self) -> Vec<SkillEntry> {
        Vec::new()
    }

    fn skill_document(&self, name: &str) -> Result<String, HostError> {
        Err(HostError::new(format!("no skill {name}")))
    }

    fn run_skill<'a>(
        &'a self,
        _name: &'a str,
        _inputs: &'a Value,
    ) -> BoxFuture<'a, Result<Option<ToolOutcome>, HostError>> {
        Box::pin(async { Ok(None) })
    }

    fn provider(&self, model: &str) -> Result<Arc<dyn Provider>, HostError> {
        Err(HostError::new(format!("no model {model}")))
    }
}
