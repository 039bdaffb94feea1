//! Where policy, permissions, hooks, snapshots, secrets and evidence meet: the agent's [`Gate`].
//!
//! The order for one call: hooks may deny; policy decides by the worst part; a permission that the user
//! gave earlier turns "ask" into "allow", and never a denial. Before a change the evidence has begun and
//! the work tree is in a snapshot; after it what changed is counted against the budget.

pub mod changes;
mod permits;

use crate::{
    hooks::Hooks,
    paths::Paths,
    recorder::{CallTime, Recorder},
    remembered,
};
use changes::ChangeTracker;
use fwai_agent::{
    host::{CallRequest, Decision, Gate, HostError, TurnEnding},
    outcome::ToolOutcome,
};
use fwai_llm::BoxFuture;
use fwai_policy::{PolicyEngine, Request, secrets::Redactor, shell::judge::only_reads};
use fwai_schema::{
    config::HookEvent,
    event::EventBody,
    op::PermissionReply,
    permission::{Level, Verdict},
};
use permits::Permits;
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};
use tokio::task::JoinHandle;

/// The gate of one session.
pub struct AppGate {
    paths: Paths,
    engine: PolicyEngine,
    hooks: Hooks,
    redactor: Redactor,
    permits: Permits,
    changes: Arc<ChangeTracker>,
    recorder: Option<Arc<Recorder>>,
    /// The selected board is virtual, so that flashing it harms nothing.
    virtual_board: bool,
    started: Mutex<HashMap<String, Began>>,
    /// Steps of a skill, also those that change nothing.
    reading: Mutex<HashMap<String, Began>>,
    /// Records of the last calls, which are written while the model already gets their answers.
    recording: Mutex<Vec<JoinHandle<Result<(), HostError>>>>,
    /// A job runs on while the conversation does, and may change files at any time.
    has_jobs: AtomicBool,
}

/// When a call began, by the clock on the wall and by one that nobody sets.
#[derive(Clone, Copy)]
struct Began(jiff::Timestamp, Instant);

impl Began {
    fn now() -> Self {
        Self(jiff::Timestamp::now(), Instant::now())
    }

    fn time(&self) -> CallTime {
        let duration_ms = u64::try_from(self.1.elapsed().as_millis()).unwrap_or(u64::MAX);
        CallTime { started: self.0, duration_ms }
    }
}

impl AppGate {
    pub fn new(
        paths: Paths,
        engine: PolicyEngine,
        hooks: Hooks,
        redactor: Redactor,
        recorder: Option<Arc<Recorder>>,
        virtual_board: bool,
    ) -> Self {
        let changes = Arc::new(ChangeTracker::new(&paths.project, engine.policy()));
        let permits = Permits::default();
        Self {
            paths,
            engine,
            hooks,
            redactor,
            permits,
            changes,
            recorder,
            virtual_board,
            started: Mutex::default(),
            reading: Mutex::default(),
            recording: Mutex::default(),
            has_jobs: AtomicBool::new(false),
        }
    }

    /// Whether the work tree can differ after the call. A command that only reads runs with everything
    /// read-only, so that it need be neither believed nor watched.
    fn may_change_files(&self, call: &CallRequest) -> bool {
        let around = self.engine.surroundings();
        let walled_off = around.walls
            && call.tool == "bash"
            && call.effects.urls.is_empty()
            && call.effects.command.as_ref().is_some_and(|line| only_reads(line, &around.root));
        changes::may_change_files(call) && !walled_off
    }

    /// Waits for the records of the calls before; nothing may happen while they are not kept.
    async fn recorded(&self) -> Result<(), HostError> {
        let open = std::mem::take(&mut *self.recording.lock().unwrap_or_else(|p| p.into_inner()));
        for task in open {
            task.await.map_err(|error| HostError::new(error.to_string()))??;
        }
        Ok(())
    }

    /// What the session changed so far, as a diff.
    pub fn changes(&self) -> &Arc<ChangeTracker> {
        &self.changes
    }

    fn judge(&self, call: &CallRequest) -> fwai_policy::Decision {
        let mut engine = Cow::Borrowed(&self.engine);
        for scope in &call.scopes {
            match engine.scoped(scope.allowed.as_deref(), &scope.protected) {
                Ok(scoped) => engine = Cow::Owned(scoped),
                Err(problem) => {
                    let mut refusal = self.engine.decide(&self.request(call), call.mode);
                    refusal.verdict = Verdict::Deny;
                    refusal.reason = format!("the agent's own path rules cannot be read: {problem}");
                    return refusal;
                }
            }
        }
        engine.decide(&self.request(call), call.mode)
    }

    fn request(&self, call: &CallRequest) -> Request {
        Request {
            reads: call.effects.reads.clone(),
            writes: call.effects.writes.clone(),
            command: call.effects.command.clone(),
            urls: call.effects.urls.iter().filter(|url| *url != "*").cloned().collect(),
            virtual_board: self.virtual_board,
            plan_path: Some(format!(".fwai/sessions/{}/plan.md", call.session)),
            ..Request::new(&call.tool, call.level)
        }
    }

    fn hook_input(&self, call: &CallRequest) -> Value {
        let mut arguments = call.arguments.clone();
        self.redactor.redact_json(&mut arguments);
        json!({"session": call.session, "tool": call.tool, "level": call.level, "arguments": arguments, "mode": call.mode})
    }
}

fn join(before: Option<String>, more: Option<String>) -> Option<String> {
    match (before, more) {
        (Some(before), Some(more)) => Some(format!("{before}\n{more}")),
        (before, more) => before.or(more),
    }
}

impl Gate for AppGate {
    fn decide<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            let mut context = None;
            let flash = matches!(call.level, Level::Device(_));
            for event in [HookEvent::BeforeTool, HookEvent::BeforeFlash] {
                if (event == HookEvent::BeforeFlash && !flash) || !self.hooks.any(event) {
                    continue;
                }
                let answer = self.hooks.run(event, Some(&call.tool), &self.hook_input(call)).await;
                for warning in &answer.warnings {
                    tracing::warn!("{warning}");
                }
                if let Some(reason) = answer.denied {
                    return Decision::deny(reason);
                }
                context = join(context, answer.context);
            }
            if self.recorder.as_ref().is_some_and(|recorder| recorder.records_reading(call)) {
                let mut reading = self.reading.lock().unwrap_or_else(|p| p.into_inner());
                reading.insert(call.id.clone(), Began::now());
            }
            let judged = self.judge(call);
            let wants_network = call.effects.urls.iter().any(|url| url == "*");
            let verdict = match judged.verdict {
                Verdict::Allow if wants_network && call.mode != fwai_schema::permission::Mode::Yolo => {
                    Verdict::Ask
                }
                verdict => verdict,
            };
            let verdict =
                if verdict == Verdict::Ask && self.permits.covers(call) { Verdict::Allow } else { verdict };
            if verdict == Verdict::Ask && self.hooks.any(HookEvent::PermissionRequest) {
                let input = self.hook_input(call);
                let answer = self.hooks.run(HookEvent::PermissionRequest, Some(&call.tool), &input).await;
                answer.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
                if let Some(reason) = answer.denied {
                    return Decision::deny(reason);
                }
                context = join(context, answer.context);
            }
            let reason = match wants_network && verdict == Verdict::Ask {
                true => format!("it asks for the network; {}", judged.reason),
                false => judged.reason,
            };
            Decision { verdict, what: permits::in_words(call), reason, context }
        })
    }

    fn remember(&self, call: &CallRequest, reply: PermissionReply) -> Result<(), HostError> {
        match reply {
            PermissionReply::Once | PermissionReply::Deny => Ok(()),
            PermissionReply::Session => {
                self.permits.grant(call);
                Ok(())
            }
            PermissionReply::Always => {
                self.permits.grant(call);
                remembered::add(&self.paths, permits::rule(call))
                    .map_err(|error| HostError::new(error.to_string()))
            }
        }
    }

    fn before_change<'a>(&'a self, call: &'a CallRequest) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(async move {
            self.recorded().await?;
            // What begins is durable before it happens; the look over the work tree goes on beside it.
            let begun = async {
                let Some(recorder) = self.recorder.clone() else { return Ok(()) };
                let call = call.clone();
                tokio::task::spawn_blocking(move || recorder.before(&call))
                    .await
                    .map_err(|error| HostError::new(error.to_string()))?
            };
            let looked = async {
                if self.may_change_files(call) {
                    let what = self.redactor.redact(&changes::in_short(call)).into_owned();
                    self.changes.clone().before(call.id.clone(), what, changes::goes_on(call)).await;
                }
            };
            let (begun, ()) = tokio::join!(begun, looked);
            begun?;
            if call.arguments.get("background") == Some(&Value::Bool(true)) {
                self.has_jobs.store(true, Ordering::Relaxed);
            }
            self.started.lock().unwrap_or_else(|p| p.into_inner()).insert(call.id.clone(), Began::now());
            Ok(())
        })
    }

    fn after<'a>(
        &'a self,
        call: &'a CallRequest,
        outcome: &'a mut ToolOutcome,
    ) -> BoxFuture<'a, Result<Vec<EventBody>, HostError>> {
        Box::pin(async move {
            let mut events = Vec::new();
            let began = self.started.lock().unwrap_or_else(|p| p.into_inner()).remove(&call.id);
            if let (Some(recorder), Some(run)) = (&self.recorder, outcome.metadata.get("run_id")) {
                recorder.link(call, run.as_str().unwrap_or_default());
            }
            let reading = self.reading.lock().unwrap_or_else(|p| p.into_inner()).remove(&call.id);
            if let (Some(recorder), Some(reading), None) = (&self.recorder, reading, began) {
                self.recorded().await?;
                recorder.after(call, outcome.success, exit_code(outcome), reading.time(), &outcome.text())?;
            }
            if let Some(began) = began {
                if self.may_change_files(call) {
                    let measured = self.changes.clone().after(true).await;
                    if let Some(over) = measured.over_budget {
                        *outcome = ToolOutcome {
                            files_written: outcome.files_written.clone(),
                            ..ToolOutcome::failed(format!("{}\n{over}", outcome.text()))
                        };
                    }
                    events.extend(measured.events);
                }
                if let Some(recorder) = &self.recorder {
                    let took = began.time();
                    let (recorder, call) = (recorder.clone(), call.clone());
                    let (success, exit_code, text) = (outcome.success, exit_code(outcome), outcome.text());
                    // Beside everything else; the next call waits for it, the answer to this one does not.
                    let record = move || recorder.after(&call, success, exit_code, took, &text);
                    let task = tokio::task::spawn_blocking(record);
                    self.recording.lock().unwrap_or_else(|p| p.into_inner()).push(task);
                }
            }
            if self.hooks.any(HookEvent::AfterTool) {
                let mut input = self.hook_input(call);
                input["success"] = json!(outcome.success);
                input["output"] = json!(self.redactor.redact(&outcome.text()));
                let answer = self.hooks.run(HookEvent::AfterTool, Some(&call.tool), &input).await;
                events.extend(answer.warnings.into_iter().map(|message| EventBody::Warning { message }));
                if let Some(context) = answer.context {
                    outcome.content.push(fwai_schema::message::ToolResultContent::Text { text: context });
                }
            }
            Ok(events)
        })
    }

    fn turn_ending<'a>(&'a self, ending: &'a TurnEnding) -> BoxFuture<'a, Vec<EventBody>> {
        Box::pin(async move {
            let mut events = Vec::new();
            if let Err(error) = self.recorded().await {
                events.push(EventBody::Warning {
                    message: format!("the evidence is incomplete: {}", error.what),
                });
            }
            if self.has_jobs.load(Ordering::Relaxed) {
                // Nothing is taken back here: the job goes on, and the next call is measured again.
                let measured = self.changes.clone().after(false).await;
                events.extend(measured.events);
                events.extend(measured.over_budget.map(|message| EventBody::Warning { message }));
            }
            let Some(recorder) = self.recorder.clone() else { return events };
            let ending = ending.clone();
            let event = tokio::task::spawn_blocking(move || recorder.end(&ending)).await;
            events.extend(event.ok().flatten());
            events
        })
    }

    fn collect_evidence(&self) -> BoxFuture<'_, Result<String, HostError>> {
        Box::pin(async move {
            let Some(recorder) = self.recorder.clone() else {
                return Ok("evidence is switched off".to_owned());
            };
            self.recorded().await?;
            tokio::task::spawn_blocking(move || recorder.collect())
                .await
                .map_err(|error| HostError::new(error.to_string()))?
        })
    }

    fn undo(&self, to: Option<u64>) -> BoxFuture<'_, Result<(String, Vec<EventBody>), HostError>> {
        Box::pin(async move {
            let changes = self.changes.clone();
            tokio::task::spawn_blocking(move || changes.undo(to))
                .await
                .map_err(|error| HostError::new(error.to_string()))?
        })
    }

    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.redact(text)
    }
}

fn exit_code(outcome: &ToolOutcome) -> Option<i32> {
    outcome.metadata.get("exit_code").and_then(Value::as_i64).and_then(|n| i32::try_from(n).ok())
}
