//! The evidence of a turn: a run that begins before its first effect and ends with it.
//!
//! The recorder hears of effects from the gate and of everything else from the session's log, which it
//! wraps; so nothing can be in the session and missing in the evidence.

use fwai_agent::host::{CallRequest, EventLog, EventLogs, HostError, TurnEnding};
use fwai_evidence::runs::{Run, RunStore, ToolRecord};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    evidence::{AgenticCall, AgenticSession, LlmCall, RunStatus},
    message::Role,
};
use std::sync::{Arc, Mutex, MutexGuard};

/// Writes one run for each turn that used tools.
pub struct Recorder {
    store: RunStore,
    turn: Mutex<TurnRecord>,
}

#[derive(Default)]
struct TurnRecord {
    run: Option<Run>,
    goal: String,
    calls: Vec<AgenticCall>,
    llm: Vec<(String, String, LlmCall)>,
    read: Vec<String>,
    written: Vec<String>,
    tool_failed: bool,
}

impl Recorder {
    pub fn new(store: RunStore) -> Self {
        Self { store, turn: Mutex::new(TurnRecord::default()) }
    }

    pub fn store(&self) -> &RunStore {
        &self.store
    }

    fn turn(&self) -> MutexGuard<'_, TurnRecord> {
        self.turn.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Called before a call takes effect; the first one of a turn makes its run durable.
    pub fn before(&self, call: &CallRequest) -> Result<(), HostError> {
        let mut turn = self.turn();
        if turn.run.is_none() {
            let mut run = self.store.create_run("turn").map_err(broken)?;
            run.begin("turn").map_err(broken)?;
            turn.run = Some(run);
        }
        let described = describe(call);
        match &mut turn.run {
            Some(run) => run.begin_tool(&call.tool, &described).map_err(broken),
            None => Ok(()),
        }
    }

    /// Called after a call, with what it gave.
    pub fn after(
        &self,
        call: &CallRequest,
        success: bool,
        exit_code: Option<i32>,
        duration_ms: u64,
        output: &str,
    ) -> Result<(), HostError> {
        let mut turn = self.turn();
        turn.tool_failed |= !success;
        let Some(run) = &mut turn.run else { return Ok(()) };
        let status = if success { RunStatus::Success } else { RunStatus::Failure };
        let record =
            ToolRecord::new(&call.tool, describe(call), exit_code).duration_ms(duration_ms).status(status);
        run.add_tool(record, Some(output.as_bytes())).map_err(broken)
    }

    /// Completes the turn's run. The answer is its `evidence_written` event, or a warning.
    pub fn end(&self, ending: &TurnEnding) -> Option<EventBody> {
        let record = std::mem::take(&mut *self.turn());
        let run = record.run?;
        let id = run.id().to_owned();
        Some(
            match complete(run, record.goal, record.calls, record.llm, (record.read, record.written), ending)
            {
                Ok(status) => EventBody::EvidenceWritten {
                    path: format!(".fwai/runs/{id}/evidence.json"),
                    run_id: id,
                    status,
                },
                Err(error) => EventBody::Warning {
                    message: format!("the evidence of this turn is incomplete: {}", error.what),
                },
            },
        )
    }

    fn hear(&self, event: &Event) {
        let mut turn = self.turn();
        match &event.body {
            EventBody::Message { message, injected: false }
                if message.role == Role::User && turn.run.is_none() =>
            {
                let text = message.text();
                if !text.is_empty() {
                    turn.goal = text.chars().take(500).collect();
                }
            }
            EventBody::TurnStarted {} if turn.run.is_none() => *turn = TurnRecord::default(),
            EventBody::ToolCallStart { id, name, arguments } => turn.calls.push(AgenticCall {
                id: id.clone(),
                tool: name.clone(),
                arguments: arguments.clone(),
                success: false,
                duration_ms: 0,
            }),
            EventBody::ToolCallEnd { id, success, duration_ms, files_read, files_written, .. } => {
                if let Some(call) = turn.calls.iter_mut().rev().find(|call| call.id == *id) {
                    call.success = *success;
                    call.duration_ms = *duration_ms;
                }
                merge(&mut turn.read, files_read);
                merge(&mut turn.written, files_written);
            }
            EventBody::Usage { provider, model, purpose, usage, cost_usd, duration_ms } => {
                let call = LlmCall {
                    purpose: purpose.clone(),
                    usage: *usage,
                    duration_ms: *duration_ms,
                    cost_usd: *cost_usd,
                };
                turn.llm.push((provider.clone(), model.clone(), call));
            }
            _ => {}
        }
    }
}

fn complete(
    mut run: Run,
    goal: String,
    calls: Vec<AgenticCall>,
    llm: Vec<(String, String, LlmCall)>,
    (files_read, files_written): (Vec<String>, Vec<String>),
    ending: &TurnEnding,
) -> Result<String, HostError> {
    for (provider, model, call) in llm {
        run.add_llm_call(&provider, &model, call).map_err(broken)?;
    }
    let stop_reason =
        serde_json::to_value(&ending.stop).ok().and_then(|value| value.as_str().map(str::to_owned));
    run.set_agentic(AgenticSession {
        session: ending.session.clone(),
        turn: ending.turn,
        goal,
        iterations: ending.iterations,
        stop_reason: stop_reason.unwrap_or_else(|| "other".to_owned()),
        calls,
        files_read,
        files_written,
    })
    .map_err(broken)?;
    run.add_changes(&[]).map_err(broken)?;
    let (status, word) = match ending.stop {
        TurnStop::EndTurn | TurnStop::Other(_) => (RunStatus::Success, "success"),
        TurnStop::Interrupted => (RunStatus::Interrupted, "interrupted"),
        TurnStop::NeedsPerson => (RunStatus::Denied, "denied"),
        _ => (RunStatus::Failure, "failure"),
    };
    run.end(status).map_err(broken)?;
    Ok(word.to_owned())
}

fn describe(call: &CallRequest) -> String {
    match &call.effects.command {
        Some(command) => command.clone(),
        None => call.arguments.to_string().chars().take(2_000).collect(),
    }
}

fn merge(into: &mut Vec<String>, more: &[String]) {
    for path in more {
        if !into.contains(path) {
            into.push(path.clone());
        }
    }
}

fn broken(error: impl std::fmt::Display) -> HostError {
    HostError::new(error.to_string())
}

/// Logs that the recorder listens to.
pub struct HeardLogs {
    pub logs: Arc<dyn EventLogs>,
    pub recorder: Arc<Recorder>,
}

impl EventLogs for HeardLogs {
    fn open(&self, session: &str) -> Result<Arc<dyn EventLog>, HostError> {
        Ok(Arc::new(HeardLog { log: self.logs.open(session)?, recorder: self.recorder.clone() }))
    }
}

struct HeardLog {
    log: Arc<dyn EventLog>,
    recorder: Arc<Recorder>,
}

impl EventLog for HeardLog {
    fn append(&self, event: &Event) -> Result<(), HostError> {
        self.log.append(event)?;
        self.recorder.hear(event);
        Ok(())
    }

    fn sync(&self) -> Result<(), HostError> {
        self.log.sync()
    }

    fn load(&self) -> Result<Vec<Event>, HostError> {
        self.log.load()
    }
}
