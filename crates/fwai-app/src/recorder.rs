//! The evidence of a turn: a run that begins before its first effect and ends with it. A skill is a turn
//! whose run begins with it, whatever its steps do, and has every step with the runs that it left.
//!
//! The recorder hears of effects from the gate and of everything else from the session's log, which it
//! wraps; so nothing can be in the session and missing in the evidence.

mod skill;

use fwai_agent::host::{CallRequest, EventLog, EventLogs, HostError, TurnEnding};
use fwai_evidence::runs::{Run, RunStore, ToolRecord};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    evidence::{AgenticCall, AgenticSession, LlmCall, RunStatus},
    message::Role,
};
use skill::SkillRecord;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::claims::{self, Check};

/// Writes one run for each turn that used tools.
pub struct Recorder {
    store: RunStore,
    turn: Mutex<TurnRecord>,
}

#[derive(Default)]
struct TurnRecord {
    /// The session whose turn it is; what its agents do belongs to the same run.
    owner: Option<String>,
    run: Option<Run>,
    skill: Option<SkillRecord>,
    goal: String,
    calls: Vec<AgenticCall>,
    llm: Vec<(String, String, LlmCall)>,
    read: Vec<String>,
    written: Vec<String>,
    tool_failed: bool,
    /// Calls that wrote files, so far.
    writes: usize,
    /// Runs that calls left on their own, by call.
    runs: Vec<(String, String)>,
    checks: Vec<Check>,
}

impl TurnRecord {
    /// A command that wrote files was a change and no check; building writes, but only results.
    fn heard_end(&mut self, id: &str, tool: &str, success: bool, wrote: bool) {
        if !claims::is_check(tool) || (wrote && tool == "bash") {
            self.writes += usize::from(wrote);
            return;
        }
        let call = self.calls.iter().rev().find(|call| call.id == id);
        let command = call.and_then(|call| call.arguments["command"].as_str()).unwrap_or_default().to_owned();
        let run_id = self.runs.iter().find(|(call, _)| call == id).map(|(_, run)| run.clone());
        self.checks.push(Check { tool: tool.to_owned(), command, success, run_id, writes: self.writes });
    }
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

    /// Whether a call that changes nothing is recorded, too: the steps of a skill are.
    pub fn records_reading(&self, call: &CallRequest) -> bool {
        let turn = self.turn();
        turn.skill.is_some() && turn.owner.as_deref() == Some(call.session.as_str())
    }

    /// A call left a run of its own, which the steps of a skill put together and claims may cite.
    pub fn link(&self, call: &CallRequest, run_id: &str) {
        let mut turn = self.turn();
        turn.runs.push((call.id.clone(), run_id.to_owned()));
        if let Some(skill) = &mut turn.skill {
            skill.link(run_id);
        }
    }

    /// Puts together what the runs of the steps hold; the text says what that is.
    pub fn collect(&self) -> Result<String, HostError> {
        let mut turn = self.turn();
        match &mut *turn {
            TurnRecord { run: Some(run), skill: Some(skill), .. } => skill.collect(run, &self.store),
            _ => Ok("nothing is recorded outside a skill".to_owned()),
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
        // The turn of an agent ends inside the turn that started it.
        if self.turn().owner.as_ref().is_some_and(|owner| *owner != ending.session) {
            return None;
        }
        let mut record = std::mem::take(&mut *self.turn());
        let run = record.run.take()?;
        let id = run.id().to_owned();
        Some(match complete(run, record, &self.store, ending) {
            Ok(status) => EventBody::EvidenceWritten {
                path: format!(".fwai/runs/{id}/evidence.json"),
                run_id: id,
                status,
            },
            Err(error) => EventBody::Warning {
                message: format!("the evidence of this turn is incomplete: {}", error.what),
            },
        })
    }

    fn hear(&self, event: &Event) -> Result<(), HostError> {
        let mut turn = self.turn();
        let is_own = turn.owner.as_ref().is_none_or(|owner| *owner == event.session);
        match &event.body {
            EventBody::Message { message, injected: false }
                if is_own && message.role == Role::User && turn.run.is_none() =>
            {
                let text = message.text();
                if !text.is_empty() {
                    turn.goal = text.chars().take(500).collect();
                }
            }
            EventBody::TurnStarted {} if is_own && turn.run.is_none() => {
                *turn = TurnRecord { owner: Some(event.session.clone()), ..TurnRecord::default() };
            }
            EventBody::SkillStarted { name, .. } => {
                // A skill that the model asked for is part of the turn's own run.
                let nested = !turn.calls.is_empty();
                if turn.run.is_none() {
                    let label = if nested { "turn" } else { name };
                    let mut run = self.store.create_run(label).map_err(broken)?;
                    run.begin(label).map_err(broken)?;
                    turn.run = Some(run);
                }
                turn.skill = Some(SkillRecord::new(nested));
            }
            EventBody::StepStarted { name, kind } => {
                if let TurnRecord { run: Some(run), skill: Some(skill), .. } = &mut *turn {
                    skill.step_begins(&self.store);
                    run.begin_step(name, kind).map_err(broken)?;
                }
            }
            EventBody::StepEnded { step } => {
                if let TurnRecord { run: Some(run), skill: Some(skill), .. } = &mut *turn {
                    let step = skill.step_ended(step.clone(), run.id(), &self.store);
                    run.add_step(step).map_err(broken)?;
                }
            }
            EventBody::SkillEnded { status, .. } => {
                if let Some(skill) = &mut turn.skill {
                    skill.status = Some(*status);
                }
            }
            EventBody::ToolCallStart { id, name, arguments } => turn.calls.push(AgenticCall {
                id: id.clone(),
                tool: name.clone(),
                arguments: arguments.clone(),
                success: false,
                duration_ms: 0,
            }),
            EventBody::ToolCallEnd { id, name, success, duration_ms, files_read, files_written, .. } => {
                if let Some(call) = turn.calls.iter_mut().rev().find(|call| call.id == *id) {
                    call.success = *success;
                    call.duration_ms = *duration_ms;
                }
                turn.heard_end(id, name, *success, !files_written.is_empty());
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
                // An agent's use is told again by the session that started it.
                if is_own {
                    turn.llm.push((provider.clone(), model.clone(), call));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn complete(
    mut run: Run,
    record: TurnRecord,
    store: &RunStore,
    ending: &TurnEnding,
) -> Result<String, HostError> {
    for (provider, model, call) in record.llm {
        run.add_llm_call(&provider, &model, call).map_err(broken)?;
    }
    if matches!(ending.stop, TurnStop::EndTurn) {
        for claim in claims::of_turn(store.root(), run.id(), &record.checks, record.writes, &record.written) {
            run.add_claim(claim).map_err(broken)?;
        }
    }
    let stop_reason =
        serde_json::to_value(&ending.stop).ok().and_then(|value| value.as_str().map(str::to_owned));
    run.set_agentic(AgenticSession {
        session: ending.session.clone(),
        turn: ending.turn,
        goal: record.goal,
        iterations: ending.iterations,
        stop_reason: stop_reason.unwrap_or_else(|| "other".to_owned()),
        calls: record.calls,
        files_read: record.read,
        files_written: record.written,
    })
    .map_err(broken)?;
    if let Some(mut skill) = record.skill.filter(|skill| !skill.nested) {
        skill.collect(&mut run, store)?;
        let status = skill.ended_as();
        run.end(status).map_err(broken)?;
        return Ok(skill::word(status));
    }
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
        None if call.arguments.as_object().is_none_or(|given| given.is_empty()) => call.tool.clone(),
        None => format!("{} {}", call.tool, call.arguments).chars().take(2_000).collect(),
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
        self.recorder.hear(event)
    }

    fn sync(&self) -> Result<(), HostError> {
        self.log.sync()
    }

    fn load(&self) -> Result<Vec<Event>, HostError> {
        self.log.load()
    }
}
