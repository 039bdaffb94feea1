//! The steps of a skill: which of them run, how often they are tried, how long they may take, and what their
//! ends mean for those to come.

use super::{
    condition::{Condition, Facts},
    model_step,
    steps::{asks_model, backoff_ms, kind, milliseconds, retries, tool_of},
    variables::{self, Field, Reference},
};
use crate::{
    cancel::CancelToken,
    context,
    core::Core,
    executor::{self, Call, Done},
    host::HostError,
    outcome::NOTHING_TO_DO,
    session_tools, truncate,
};
use futures_util::future::{Either, select};
use fwai_schema::{
    event::{EventBody, TurnStop},
    skill::{OnFail, SkillDef, Step, StepAction, StepRecord, StepStatus},
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Most of a step's output that its record repeats.
pub(super) const DETAIL: usize = 2_000;

/// The steps of one skill, one after the other.
pub(super) struct Runner<'a> {
    core: &'a Arc<Core>,
    skill: &'a SkillDef,
    names: &'a [String],
    inputs: BTreeMap<String, String>,
    ended: Vec<Ended>,
    /// A step did not go well, and that counts.
    failed: bool,
    /// Why no further step runs, but for those that ask for it.
    over: Option<String>,
    /// Nothing at all runs any more.
    stop: Option<TurnStop>,
    cancel: &'a CancelToken,
    pub(super) calls: u32,
}

/// A step that ended, with its whole answer for the steps to come.
struct Ended {
    record: StepRecord,
    output: String,
}

/// One try of a step.
#[derive(Default)]
pub(super) struct Attempt {
    pub(super) status: Option<StepStatus>,
    pub(super) output: String,
    pub(super) exit_code: Option<i32>,
    pub(super) run: Option<String>,
}

impl Attempt {
    pub(super) fn new(success: bool, output: impl Into<String>) -> Self {
        let status = Some(if success { StepStatus::Success } else { StepStatus::Failure });
        Self { status, output: output.into(), ..Self::default() }
    }
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        core: &'a Arc<Core>,
        skill: &'a SkillDef,
        names: &'a [String],
        inputs: BTreeMap<String, String>,
        cancel: &'a CancelToken,
    ) -> Self {
        let (ended, failed, over, stop, calls) = (Vec::new(), false, None, None, 0);
        Self { core, skill, names, inputs, ended, failed, over, stop, cancel, calls }
    }

    /// How the turn ends.
    pub(super) fn stop(&self) -> TurnStop {
        self.stop.clone().unwrap_or(TurnStop::EndTurn)
    }

    /// Why the skill did not succeed.
    pub(super) fn reason(&self) -> Option<String> {
        self.over.clone().or_else(|| self.first_failure())
    }

    pub(super) async fn all(&mut self) -> Result<(), HostError> {
        for at in 0..self.skill.steps.len() {
            let step = &self.skill.steps[at];
            match self.left_out(step)? {
                Some(why) => {
                    let record = self.record(at, StepStatus::Skipped, why);
                    self.core.emit(EventBody::StepEnded { step: record.clone() })?;
                    self.ended.push(Ended { record, output: String::new() });
                }
                None => self.perform(at, step).await?,
            }
        }
        Ok(())
    }

    /// Why a step does not run.
    fn left_out(&self, step: &Step) -> Result<Option<String>, HostError> {
        if let Some(stop) = &self.stop {
            let why = if *stop == TurnStop::Interrupted {
                "interrupted before"
            } else {
                "a person was needed before"
            };
            return Ok(Some(why.to_owned()));
        }
        let condition = match &step.when {
            Some(when) => Some(Condition::parse(when).map_err(HostError::new)?),
            None => None,
        };
        let runs_anyway = step.action == Some(StepAction::Evidence) && condition.is_none()
            || condition.as_ref().is_some_and(Condition::is_about_failure);
        if let Some(over) = &self.over
            && !runs_anyway
        {
            return Ok(Some(over.clone()));
        }
        let failed = self.ended.iter().any(|ended| ended.record.status.is_bad());
        let lookup = |reference: &Reference| self.value(reference);
        match condition {
            Some(condition) if !condition.holds(&Facts { failed, lookup: &lookup }) => {
                Ok(Some(format!("when: {}", step.when.as_deref().unwrap_or_default())))
            }
            _ if asks_model(step)
                && step.on_fail == OnFail::Ignore
                && self.core.provider.name() == super::NO_MODEL =>
            {
                Ok(Some("no model is set".to_owned()))
            }
            _ => Ok(None),
        }
    }

    async fn perform(&mut self, at: usize, step: &Step) -> Result<(), HostError> {
        let name = self.names[at].clone();
        let began = self.core.host.clock.monotonic_us();
        self.core.emit(EventBody::StepStarted { name: name.clone(), kind: kind(step) })?;
        self.core.sync()?;
        let (mut attempts, mut runs) = (0, Vec::new());
        let attempt = loop {
            attempts += 1;
            let attempt = self.attempt(step).await?;
            runs.extend(attempt.run.clone());
            if let Some(error) = self.core.take_broken() {
                return Err(error);
            }
            let status = attempt.status.unwrap_or(StepStatus::Failure);
            let worth_a_retry = matches!(status, StepStatus::Failure | StepStatus::Timeout);
            if !worth_a_retry || attempts > retries(step) {
                break attempt;
            }
            let delay_ms = backoff_ms(step, attempts + 1);
            let reason = first_line(&attempt.output);
            self.core.emit(EventBody::StepRetry {
                name: name.clone(),
                attempt: attempts + 1,
                delay_ms,
                reason,
            })?;
            if self.cancel.or_cancelled(self.core.host.clock.sleep(delay_ms)).await.is_none() {
                break Attempt { status: Some(StepStatus::Interrupted), ..attempt };
            }
        };
        let status = match self.cancel.is_cancelled() && attempt.status != Some(StepStatus::Success) {
            true => StepStatus::Interrupted,
            false => attempt.status.unwrap_or(StepStatus::Failure),
        };
        let mut record = self.record(at, status, truncate::middle(&attempt.output, DETAIL).into_owned());
        record.duration_ms = (self.core.host.clock.monotonic_us() - began) / 1000;
        record.attempts = attempts;
        record.exit_code = attempt.exit_code;
        record.runs = runs;
        self.core.emit(EventBody::StepEnded { step: record.clone() })?;
        if status == StepStatus::Skipped {
            // Nobody must take a skill without its tests for one whose tests passed.
            let message = format!("{name} was left out: {}", first_line(&attempt.output));
            self.core.emit(EventBody::Warning { message })?;
        }
        self.core.sync()?;
        self.judge(step, &record);
        self.ended.push(Ended { record, output: attempt.output });
        Ok(())
    }

    /// What the end of a step means for the skill.
    fn judge(&mut self, step: &Step, record: &StepRecord) {
        if self.cancel.is_cancelled() {
            self.stop = Some(TurnStop::Interrupted);
        }
        if let Some(stop) = self.core.take_stop() {
            self.stop.get_or_insert(stop);
        }
        if !record.status.is_bad() {
            return;
        }
        let on_fail = if self.stop.is_some() { OnFail::Abort } else { step.on_fail };
        match on_fail {
            OnFail::Ignore => {}
            OnFail::Continue => self.failed = true,
            OnFail::Abort | OnFail::Retry => {
                self.failed = true;
                self.over.get_or_insert_with(|| match record.status {
                    StepStatus::Timeout => format!("the step {} took too long", record.name),
                    StepStatus::Denied => format!("the step {} was denied", record.name),
                    StepStatus::Interrupted => format!("the step {} was interrupted", record.name),
                    _ => format!("the step {} failed", record.name),
                });
            }
        }
    }

    /// One try within the step's time.
    async fn attempt(&mut self, step: &Step) -> Result<Attempt, HostError> {
        let Some(limit) = step.timeout.as_ref().map(milliseconds) else {
            let token = self.cancel.child();
            return self.work(step, &token).await;
        };
        let token = self.cancel.child();
        let clock = self.core.host.clock.clone();
        let late = {
            let work = std::pin::pin!(self.work(step, &token));
            match select(work, clock.sleep(limit)).await {
                Either::Left((attempt, _)) => return attempt,
                // The tool must end, and its end must be on record, before the next step begins.
                Either::Right(((), work)) => {
                    token.cancel();
                    work.await?
                }
            }
        };
        let output = format!("stopped after {} s\n{}", limit as f64 / 1000.0, late.output);
        Ok(Attempt { status: Some(StepStatus::Timeout), output, ..late })
    }

    async fn work(&mut self, step: &Step, cancel: &CancelToken) -> Result<Attempt, HostError> {
        match (&step.tool, step.action) {
            (Some(tool), _) => self.tool(step, tool, cancel).await,
            (None, Some(StepAction::Evidence)) => {
                let text = self.core.host.gate.collect_evidence().await?;
                Ok(Attempt::new(true, text))
            }
            (None, Some(StepAction::LlmAnalyze)) => self.analyse(step, cancel).await,
            (None, Some(StepAction::Agentic)) => {
                let goal = step.goal.as_deref().unwrap_or_default();
                let prompt = variables::into_prompt(goal, &|reference| self.value(reference));
                let mut input = json!({ "prompt": prompt });
                if let Some(agent) = &step.agent {
                    input["agent"] = json!(agent);
                }
                self.call(session_tools::TASK, input, cancel).await
            }
            (None, None) => Ok(Attempt::new(false, "the step names neither a tool nor an action")),
        }
    }

    async fn tool(&mut self, step: &Step, name: &str, cancel: &CancelToken) -> Result<Attempt, HostError> {
        let Some((tool, mut arguments)) = tool_of(name, &self.core.registry) else {
            return Ok(Attempt::new(false, format!("there is no tool `{name}`")));
        };
        arguments.extend(step.arguments.clone());
        let arguments = Value::Object(arguments.into_iter().collect());
        let lookup = |reference: &Reference| self.value(reference);
        let input = variables::into_arguments(&arguments, tool.name(), tool.input_schema(), &lookup);
        let name = tool.name().to_owned();
        self.call(&name, input, cancel).await
    }

    async fn analyse(&mut self, step: &Step, cancel: &CancelToken) -> Result<Attempt, HostError> {
        let lookup = |reference: &Reference| self.value(reference);
        let question = variables::into_prompt(step.prompt.as_deref().unwrap_or_default(), &lookup);
        let material = match &step.input {
            None => None,
            Some(input) => {
                let input = input.trim();
                let log_of = input.strip_suffix(".log").and_then(|name| self.output_of(name));
                if let Some(output) = log_of {
                    Some((input.to_owned(), output))
                } else if !variables::references(input).is_empty() {
                    Some((input.trim_start_matches('$').to_owned(), variables::into_text(input, &lookup)))
                } else {
                    let path = input.to_owned();
                    let read = self.call("read_file", json!({ "path": path }), cancel).await?;
                    if read.status != Some(StepStatus::Success) {
                        return Ok(read);
                    }
                    Some((path, read.output))
                }
            }
        };
        model_step::analyse(self.core, &question, material, cancel).await
    }

    async fn call(&mut self, name: &str, input: Value, cancel: &CancelToken) -> Result<Attempt, HostError> {
        let call =
            Call { id: format!("step_{}", self.core.host.clock.random_id()), name: name.into(), input };
        self.calls += 1;
        let limit = context::output_limit(self.core, 1);
        let done = executor::execute(self.core, call, None, limit, cancel).await?;
        Ok(attempt_of(done))
    }

    fn value(&self, reference: &Reference) -> Option<String> {
        match reference {
            Reference::Input(name) => self.inputs.get(name).cloned(),
            Reference::Step { name, field } => {
                let ended = self.ended.iter().find(|ended| ended.record.name == *name)?;
                Some(match field {
                    Field::Output => ended.output.clone(),
                    Field::Status => ended.record.status.as_str().to_owned(),
                    Field::ExitCode => {
                        ended.record.exit_code.map(|code| code.to_string()).unwrap_or_default()
                    }
                    Field::RunId => ended.record.runs.last().cloned().unwrap_or_default(),
                    Field::DurationMs => ended.record.duration_ms.to_string(),
                    Field::Attempts => ended.record.attempts.to_string(),
                })
            }
        }
    }

    /// What the step of this name or kind printed last.
    fn output_of(&self, name: &str) -> Option<String> {
        let mut known: HashMap<&str, &str> = HashMap::new();
        for ended in &self.ended {
            known.insert(&ended.record.kind, &ended.output);
        }
        for ended in &self.ended {
            known.insert(&ended.record.name, &ended.output);
        }
        known.get(name).map(|output| (*output).to_owned())
    }

    fn record(&self, at: usize, status: StepStatus, detail: String) -> StepRecord {
        StepRecord {
            name: self.names[at].clone(),
            kind: kind(&self.skill.steps[at]),
            status,
            duration_ms: 0,
            attempts: 0,
            exit_code: None,
            runs: Vec::new(),
            detail,
        }
    }

    pub(super) fn status(&self) -> StepStatus {
        match &self.stop {
            Some(TurnStop::Interrupted) => StepStatus::Interrupted,
            Some(_) => StepStatus::Denied,
            None if !self.failed => StepStatus::Success,
            None => {
                let bad = |status| self.ended.iter().any(|ended| ended.record.status == status);
                let only_denied =
                    bad(StepStatus::Denied) && !bad(StepStatus::Failure) && !bad(StepStatus::Timeout);
                if only_denied { StepStatus::Denied } else { StepStatus::Failure }
            }
        }
    }

    fn first_failure(&self) -> Option<String> {
        let counts =
            |step: &Step, ended: &Ended| ended.record.status.is_bad() && step.on_fail != OnFail::Ignore;
        let (_, bad) = self.skill.steps.iter().zip(&self.ended).find(|(step, ended)| counts(step, ended))?;
        Some(format!("the step {} ended as {}", bad.record.name, bad.record.status.as_str()))
    }

    pub(super) fn summary(&self, status: StepStatus) -> String {
        let ran = self.ended.iter().filter(|ended| ended.record.status != StepStatus::Skipped).count();
        format!("{}: {} ({ran} of {} steps ran)", self.skill.name, status.as_str(), self.names.len())
    }

    /// What a model that goes on with this session reads.
    pub(super) fn told(&self) -> String {
        let one = |ended: &Ended| {
            let record = &ended.record;
            format!("## {} ({}): {}\n{}", record.name, record.kind, record.status.as_str(), record.detail)
        };
        self.ended.iter().map(one).collect::<Vec<_>>().join("\n")
    }
}

fn attempt_of(done: Done) -> Attempt {
    let number =
        |key: &str| done.metadata.get(key).and_then(Value::as_i64).and_then(|n| i32::try_from(n).ok());
    let status = match done.metadata.get(executor::REFUSED).and_then(Value::as_str) {
        Some("interrupted") => StepStatus::Interrupted,
        Some(_) => StepStatus::Denied,
        None if done.metadata.get(NOTHING_TO_DO) == Some(&Value::Bool(true)) => StepStatus::Skipped,
        None if done.success => StepStatus::Success,
        None => StepStatus::Failure,
    };
    Attempt {
        status: Some(status),
        exit_code: number("exit_code"),
        run: done.metadata.get("run_id").and_then(Value::as_str).map(str::to_owned),
        output: done.text,
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(200).collect()
}
