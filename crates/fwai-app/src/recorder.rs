//! The evidence of a turn: a run that begins before its first effect and ends with it. A skill is a turn
//! whose run begins with it, whatever its steps do, and has every step with the runs that it left.
//!
//! The recorder hears of effects from the gate and of everything else from the session's log, which it
//! wraps; so nothing can be in the session and missing in the evidence.

mod calls;
mod skill;

use calls::TurnCall;
use fwai_agent::{
    host::{CallRequest, EventLog, EventLogs, HostError, TurnEnding},
    outcome::text_of,
};
use fwai_evidence::runs::{Run, RunStore, ToolRecord, rfc3339};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    evidence::{AgenticSession, LlmCall, RunStatus},
    message::Role,
};
use jiff::Timestamp;
use skill::SkillRecord;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::claims::{self, Check};

/// When a call began to run, and for how long it did.
#[derive(Debug, Clone, Copy)]
pub struct CallTime {
    pub started: Timestamp,
    pub duration_ms: u64,
}

/// Writes one run for each turn that used tools.
pub struct Recorder {
    store: RunStore,
    /// On disk, where a word may take a while: whoever needs both locks takes this one first, and whoever
    /// has only something to tell need not wait for it.
    run: Mutex<Option<Run>>,
    turn: Mutex<TurnRecord>,
}

#[derive(Default)]
struct TurnRecord {
    /// The session whose turn it is; what its agents do belongs to the same run.
    owner: Option<String>,
    /// When it began; its run begins with it, though nothing is written before the first effect.
    started: Option<Timestamp>,
    /// Whether it has a run.
    begun: bool,
    skill: Option<SkillRecord>,
    goal: String,
    calls: Vec<TurnCall>,
    llm: Vec<(String, String, LlmCall)>,
    read: Vec<String>,
    written: Vec<String>,
    /// Calls that wrote files, so far.
    writes: usize,
    checks: Vec<Check>,
}

impl TurnRecord {
    /// A command that wrote files was a change and no check; building writes, but only results.
    fn heard_end(&mut self, call: usize, wrote: bool) {
        let TurnCall { call, run_id, .. } = &self.calls[call];
        let (tool, success) = (call.tool.as_str(), call.success);
        if !claims::is_check(tool) || (wrote && tool == "bash") {
            self.writes += usize::from(wrote);
            return;
        }
        let command = call.arguments["command"].as_str().unwrap_or_default().to_owned();
        let (tool, run_id) = (tool.to_owned(), run_id.clone());
        self.checks.push(Check { tool, command, success, run_id, writes: self.writes });
    }

    /// The newest call of that name, since a model may use an id twice.
    fn call(&mut self, session: &str, id: &str) -> Option<usize> {
        self.calls.iter().rposition(|call| call.is(session, id))
    }
}

impl Recorder {
    pub fn new(store: RunStore) -> Self {
        Self { store, run: Mutex::default(), turn: Mutex::default() }
    }

    pub fn store(&self) -> &RunStore {
        &self.store
    }

    fn turn(&self) -> MutexGuard<'_, TurnRecord> {
        self.turn.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn run(&self) -> MutexGuard<'_, Option<Run>> {
        self.run.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The turn's run, begun where it has not.
    fn begin<'r>(
        &self,
        run: &'r mut Option<Run>,
        started: Option<Timestamp>,
        label: &str,
    ) -> Result<&'r mut Run, HostError> {
        let run = match run {
            Some(run) => run,
            none => {
                let mut new = match started {
                    Some(started) => self.store.create_run_since(label, started),
                    None => self.store.create_run(label),
                }
                .map_err(broken)?;
                new.begin(label).map_err(broken)?;
                none.insert(new)
            }
        };
        Ok(run)
    }

    /// Called before a call takes effect; the first one of a turn makes its run durable.
    pub fn before(&self, call: &CallRequest) -> Result<(), HostError> {
        let mut run = self.run();
        let started = {
            let mut turn = self.turn();
            if let Some(known) = turn.call(&call.session, &call.id) {
                turn.calls[known].took_effect = true;
            }
            turn.started
        };
        let run = self.begin(&mut run, started, "turn")?;
        self.turn().begun = true;
        run.begin_tool(&call.tool, &describe(call)).map_err(broken)
    }

    /// Whether a call that changes nothing is recorded with its output, too: the steps of a skill are.
    pub fn records_reading(&self, call: &CallRequest) -> bool {
        let turn = self.turn();
        turn.skill.is_some() && turn.owner.as_deref() == Some(call.session.as_str())
    }

    /// A call left a run of its own, which the steps of a skill put together and claims may cite.
    pub fn link(&self, call: &CallRequest, run_id: &str) {
        let mut turn = self.turn();
        if let Some(known) = turn.call(&call.session, &call.id) {
            turn.calls[known].run_id = Some(run_id.to_owned());
        }
        if let Some(skill) = &mut turn.skill {
            skill.link(run_id);
        }
    }

    /// Puts together what the runs of the steps hold; the text says what that is.
    pub fn collect(&self) -> Result<String, HostError> {
        let (mut run, mut turn) = (self.run(), self.turn());
        match (&mut *run, &mut turn.skill) {
            (Some(run), Some(skill)) => skill.collect(run, &self.store),
            _ => Ok("nothing is recorded outside a skill".to_owned()),
        }
    }

    /// Called after a call, with what it gave.
    pub fn after(
        &self,
        call: &CallRequest,
        success: bool,
        exit_code: Option<i32>,
        time: CallTime,
        output: &str,
    ) -> Result<(), HostError> {
        let mut run = self.run();
        let Some(run) = &mut *run else { return Ok(()) };
        let mut record = ToolRecord::new(&call.tool, describe(call), exit_code)
            .started(Some(time.started))
            .duration_ms(time.duration_ms)
            .status(if success { RunStatus::Success } else { RunStatus::Failure });
        let mut turn = self.turn();
        if let Some(known) = turn.call(&call.session, &call.id) {
            let known = &mut turn.calls[known];
            known.recorded = true;
            record = record.read_only(!known.took_effect).run_id(known.run_id.clone());
        }
        drop(turn);
        run.add_tool(record, Some(output.as_bytes())).map_err(broken)
    }

    /// Completes the turn's run. The answer is its `evidence_written` event, or a warning.
    pub fn end(&self, ending: &TurnEnding) -> Option<EventBody> {
        let mut run = self.run();
        let record = {
            let mut turn = self.turn();
            // The turn of an agent ends inside the turn that started it.
            if turn.owner.as_ref().is_some_and(|owner| *owner != ending.session) {
                return None;
            }
            std::mem::take(&mut *turn)
        };
        // A turn that only looked leaves its record, too; one that only talked leaves none.
        if run.is_none() && record.calls.is_empty() {
            return None;
        }
        if let Err(error) = self.begin(&mut run, record.started, "turn") {
            return Some(EventBody::Warning {
                message: format!("this turn leaves no evidence: {}", error.what),
            });
        }
        let run = run.take()?;
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
        let mut turn = match &event.body {
            EventBody::SkillStarted { .. }
            | EventBody::StepStarted { .. }
            | EventBody::StepEnded { .. }
            | EventBody::SkillEnded { .. } => return self.hear_skill(&event.body),
            _ => self.turn(),
        };
        let is_own = turn.owner.as_ref().is_none_or(|owner| *owner == event.session);
        match &event.body {
            EventBody::Message { message, injected: false }
                if is_own && message.role == Role::User && !turn.begun =>
            {
                let text = message.text();
                if !text.is_empty() {
                    turn.goal = text.chars().take(500).collect();
                }
            }
            EventBody::TurnStarted {} if is_own && !turn.begun => {
                *turn = TurnRecord {
                    owner: Some(event.session.clone()),
                    started: event.ts.parse().ok(),
                    ..TurnRecord::default()
                };
            }
            EventBody::ToolCallStart { id, name, arguments } => {
                turn.calls.push(TurnCall::started(&event.session, id, name, arguments, &event.ts));
            }
            EventBody::ToolCallEnd {
                id,
                success,
                content,
                duration_ms,
                files_read,
                files_written,
                refused,
                ..
            } => {
                if let Some(known) = turn.call(&event.session, id) {
                    let call = &mut turn.calls[known];
                    call.end(*success, *duration_ms, refused.clone(), || text_of(content));
                    turn.heard_end(known, !files_written.is_empty());
                }
                merge(&mut turn.read, files_read);
                merge(&mut turn.written, files_written);
            }
            EventBody::Usage { provider, model, purpose, usage, cost_usd, duration_ms } => {
                let call = LlmCall {
                    purpose: purpose.clone(),
                    usage: *usage,
                    start_time: calls::began(&event.ts, *duration_ms).map(rfc3339),
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

    fn hear_skill(&self, event: &EventBody) -> Result<(), HostError> {
        let (mut run, mut turn) = (self.run(), self.turn());
        match event {
            EventBody::SkillStarted { name, .. } => {
                // A skill that the model asked for is part of the turn's own run.
                let nested = !turn.calls.is_empty();
                self.begin(&mut run, turn.started, if nested { "turn" } else { name })?;
                turn.begun = true;
                turn.skill = Some(SkillRecord::new(nested));
            }
            EventBody::StepStarted { name, kind } => {
                if let (Some(run), Some(skill)) = (&mut *run, &mut turn.skill) {
                    skill.step_begins(&self.store);
                    run.begin_step(name, kind).map_err(broken)?;
                }
            }
            EventBody::StepEnded { step } => {
                if let (Some(run), Some(skill)) = (&mut *run, &mut turn.skill) {
                    let step = skill.step_ended(step.clone(), run.id(), &self.store);
                    run.add_step(step).map_err(broken)?;
                }
            }
            EventBody::SkillEnded { status, .. } => {
                if let Some(skill) = &mut turn.skill {
                    skill.status = Some(*status);
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
    let took_effect = record.calls.iter().any(|call| call.took_effect);
    let linked: Vec<String> = record.calls.iter().filter_map(|call| call.run_id.clone()).collect();
    add_calls(&mut run, &record.calls)?;
    run.add_llm_calls(record.llm).map_err(broken)?;
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
        calls: record.calls.into_iter().map(|call| call.call).collect(),
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
    skill::take_over(&mut run, store, &linked)?;
    if took_effect {
        run.add_changes(&[]).map_err(broken)?;
    }
    let (status, word) = match ending.stop {
        TurnStop::EndTurn | TurnStop::Other(_) => (RunStatus::Success, "success"),
        TurnStop::Interrupted => (RunStatus::Interrupted, "interrupted"),
        TurnStop::NeedsPerson => (RunStatus::Denied, "denied"),
        _ => (RunStatus::Failure, "failure"),
    };
    run.end(status).map_err(broken)?;
    Ok(word.to_owned())
}

/// The calls that the run does not have yet. Those that failed keep what they said.
fn add_calls(run: &mut Run, calls: &[TurnCall]) -> Result<(), HostError> {
    let mut quiet = Vec::new();
    for call in calls.iter().filter(|call| !call.recorded) {
        match call.record() {
            (record, Some(complaint)) => run.add_tool(record, Some(complaint.as_bytes())).map_err(broken)?,
            (record, None) => quiet.push(record),
        }
    }
    run.add_tools(quiet).map_err(broken)
}

fn describe(call: &CallRequest) -> String {
    match &call.effects.command {
        Some(command) => command.clone(),
        None => calls::command(&call.tool, &call.arguments),
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
