//! The turn loop: ask the model, run what it calls, ask again, until it has said all it wanted, a limit is
//! reached, or the user interrupts. However a turn ends, every tool call is answered and the end is said.

use crate::{
    cancel::CancelToken,
    context,
    core::Core,
    decision::{self, FailureStreak},
    executor::{self, Call, Done},
    host::{HostError, TurnEnding},
    prompt,
    repeats::Repeats,
};
use futures_util::{StreamExt, stream};
use fwai_llm::{Completion, Delta, LlmError, Request};
use fwai_schema::{
    event::{EventBody, TurnStop},
    message::{ContentBlock, Message, StopReason, Usage},
};
use std::sync::Arc;

/// Read-only calls that run at the same time.
const PARALLEL_CALLS: usize = 8;
/// How often a model may mend an answer that is not what was prescribed.
const CORRECTIONS: u32 = 2;
/// Agents that explore at the same time.
pub(crate) const PARALLEL_AGENTS: usize = 5;

/// What a turn amounts to, for its last event and for a parent that waits.
#[derive(Debug, Clone)]
pub(crate) struct TurnResult {
    pub(crate) stop: TurnStop,
    pub(crate) final_text: String,
}

struct Turn<'a> {
    core: &'a Arc<Core>,
    cancel: &'a CancelToken,
    iterations: u32,
    tool_calls: u32,
    usage: Usage,
    priced: bool,
    final_text: String,
    streak: FailureStreak,
    repeats: Repeats,
    compactions: u32,
    /// Answers that did not fit what is prescribed.
    unfit: u32,
}

/// How a model call went.
enum Answer {
    Whole(Box<Completion>),
    Interrupted,
    Failed(LlmError),
}

/// Runs one turn from the user's words to the `turn_ended` event.
pub(crate) async fn run(core: &Arc<Core>, input: Vec<ContentBlock>, cancel: &CancelToken) -> TurnResult {
    // What an earlier turn left behind is not this turn's business.
    core.take_injections();
    core.take_stop();
    let mut turn = Turn {
        core,
        cancel,
        iterations: 0,
        tool_calls: 0,
        usage: Usage::default(),
        priced: true,
        final_text: String::new(),
        streak: FailureStreak::default(),
        repeats: Repeats::default(),
        compactions: 0,
        unfit: 0,
    };
    core.mark_cost();
    let stop = match turn.begin_and_loop(input).await {
        Ok(stop) => stop,
        Err(error) => {
            // The log may be what broke; the door hears of it all the same.
            let _ = core.emit(EventBody::Error { message: error.what, hint: error.hint });
            TurnStop::Error
        }
    };
    turn.end(stop).await
}

impl Turn<'_> {
    async fn begin_and_loop(&mut self, input: Vec<ContentBlock>) -> Result<TurnStop, HostError> {
        self.core.emit(EventBody::TurnStarted {})?;
        self.tell_mode()?;
        let message = Message::user(input);
        self.core.emit(EventBody::Message { message, injected: false })?;
        self.core.sync()?;
        loop {
            if let Some(stop) = self.limit_reached()? {
                return Ok(stop);
            }
            context::compact_if_needed(self.core, self.cancel).await?;
            self.iterations += 1;
            let completion = match self.ask_model().await? {
                Answer::Whole(completion) => completion,
                Answer::Interrupted => return Ok(TurnStop::Interrupted),
                Answer::Failed(error) => {
                    self.fail(error)?;
                    return Ok(TurnStop::Error);
                }
            };
            if let Some(stop) = self.act(*completion).await? {
                return Ok(stop);
            }
        }
    }

    fn tell_mode(&self) -> Result<(), HostError> {
        let (mode, told) = {
            let state = self.core.state();
            (state.mode, state.told_mode)
        };
        match prompt::mode_notice(mode, told, &self.core.plan_path()) {
            Some(notice) => {
                self.core.emit(EventBody::Message { message: Message::user_text(notice), injected: true })
            }
            None => Ok(()),
        }
    }

    /// Limits end a turn between a model's answer and the next request, when everything is answered.
    fn limit_reached(&mut self) -> Result<Option<TurnStop>, HostError> {
        let limits = &self.core.config.agent;
        let reached = if self.iterations >= limits.max_iterations {
            Some((
                TurnStop::MaxTurns,
                format!("the limit of {} model calls in one turn", limits.max_iterations),
            ))
        } else if limits.max_tokens.is_some_and(|most| self.usage.output_tokens >= most) {
            let most = limits.max_tokens.unwrap_or_default();
            Some((TurnStop::MaxTokens, format!("the limit of {most} output tokens in one turn")))
        } else if limits.max_cost.is_some_and(|most| self.core.cost_this_turn() >= most) {
            let most = limits.max_cost.unwrap_or_default();
            Some((TurnStop::MaxCost, format!("the limit of ${most} in one turn")))
        } else {
            None
        };
        let Some((stop, limit)) = reached else { return Ok(None) };
        let message = format!("The turn was stopped at {limit}; say `continue` to go on.");
        self.final_text = message.clone();
        self.core.emit(EventBody::Warning { message })?;
        Ok(Some(stop))
    }

    async fn ask_model(&mut self) -> Result<Answer, HostError> {
        loop {
            match self.ask_once().await? {
                // Our estimate was too kind. Shorten harder, twice at most.
                Answer::Failed(LlmError::ContextTooLong { .. }) if self.compactions < 2 => {
                    self.compactions += 1;
                    let known = context::window(self.core).min(self.core.state().history.tokens());
                    let keep = known / (2 << self.compactions);
                    if !context::compact(self.core, keep, self.cancel).await? {
                        self.compactions = 2;
                    }
                }
                answer => return Ok(answer),
            }
        }
    }

    async fn ask_once(&mut self) -> Result<Answer, HostError> {
        let core = self.core;
        let request = Request {
            system: core.system.clone(),
            tools: core.offered_tools(),
            messages: core.state().history.messages(),
            max_tokens: core.config.max_answer_tokens,
            temperature: core.config.temperature,
            output_schema: core.config.output.as_ref().map(|output| output.schema.clone()),
        };
        let began = core.host.clock.monotonic_us();
        let mut partial = String::new();
        let mut stream = core.provider.stream(request);
        let answer = loop {
            let Some(delta) = self.cancel.or_cancelled(stream.next()).await else {
                break Answer::Interrupted;
            };
            match delta {
                Some(Ok(Delta::Text { text })) => {
                    partial.push_str(&text);
                    core.emit(EventBody::TextDelta { text })?;
                }
                Some(Ok(Delta::Retrying { error, attempt, delay_ms })) => {
                    partial.clear();
                    let message = format!("{error}; try {attempt} in {:.1} s", delay_ms as f64 / 1000.0);
                    core.emit(EventBody::Warning { message })?;
                }
                Some(Ok(Delta::Done { completion })) => break Answer::Whole(Box::new(completion)),
                Some(Ok(Delta::Thinking | Delta::ToolUseStart { .. } | Delta::ToolUseInput { .. })) => {}
                Some(Err(error)) => break Answer::Failed(error),
                None => {
                    break Answer::Failed(LlmError::Cut {
                        provider: core.provider.name().into(),
                        received: partial.len() as u64,
                        message: "the stream ended without an end".into(),
                    });
                }
            }
        };
        drop(stream);
        match &answer {
            Answer::Whole(completion) => {
                self.usage += completion.usage;
                let cost = emit_usage(core, "turn", &completion.model, completion.usage, began)?;
                self.priced &= cost.is_some();
            }
            // What the user has seen stays in the conversation.
            Answer::Interrupted if !partial.trim().is_empty() => {
                self.final_text = partial.clone();
                let message = Message::assistant(vec![ContentBlock::text(partial)]);
                core.emit(EventBody::Message { message, injected: false })?;
            }
            Answer::Interrupted | Answer::Failed(_) => {}
        }
        Ok(answer)
    }

    /// Takes an answer into the conversation and runs its calls. Says how the turn ends, if it does.
    async fn act(&mut self, completion: Completion) -> Result<Option<TurnStop>, HostError> {
        let core = self.core;
        let Completion { mut content, stop_reason, .. } = completion;
        core.state().history.make_ids_unique(&mut content);
        let message = Message::assistant(content);
        let text = message.text();
        if !text.is_empty() {
            self.final_text = text;
        }
        let calls: Vec<Call> = message
            .tool_uses()
            .filter(|call| !call.name.is_empty())
            .map(|call| Call { id: call.id.into(), name: call.name.into(), input: call.input.clone() })
            .collect();
        let thought = decision::thought_of(&message.content);
        let thought = core.host.gate.redact(&thought).into_owned();
        let plan_steps = decision::plan_steps(core.state().todos(), &message.content);
        core.emit(EventBody::Message { message, injected: false })?;
        core.emit(EventBody::Decision { step: self.iterations, thought, plan_steps })?;
        if calls.is_empty() {
            let stop = self.stop_of(stop_reason)?;
            return Ok(if stop == TurnStop::EndTurn && self.asks_again()? { None } else { Some(stop) });
        }
        let refused_before = self.repeats.refused();
        self.run_calls(calls).await?;
        if let Some(error) = core.take_broken() {
            return Err(error);
        }
        if self.cancel.is_cancelled() {
            return Ok(Some(TurnStop::Interrupted));
        }
        for body in core.take_injections() {
            core.emit(body)?;
        }
        self.tell_mode_if_known()?;
        if let Some(stop) = core.take_stop() {
            return Ok(Some(stop));
        }
        if self.repeats.refused() > refused_before && self.repeats.is_stuck() {
            let message = "The turn was stopped: the model keeps repeating a call that fails.".to_owned();
            self.final_text = message.clone();
            core.emit(EventBody::Warning { message })?;
            return Ok(Some(TurnStop::Stuck));
        }
        Ok(None)
    }

    /// An answer that does not fit is told why, and the model may try again; whoever asked judges the last one.
    fn asks_again(&mut self) -> Result<bool, HostError> {
        let Some(output) = self.core.config.output.as_ref().filter(|_| self.unfit < CORRECTIONS) else {
            return Ok(false);
        };
        let Err(why) = output.check.check(&self.final_text) else { return Ok(false) };
        self.unfit += 1;
        let text = format!("{why}. Answer again: one JSON value that fits the schema, and nothing else.");
        self.core.emit(EventBody::Hint { text })?;
        Ok(true)
    }

    /// A mode that changed in the middle of a turn is told at once.
    fn tell_mode_if_known(&self) -> Result<(), HostError> {
        let state = self.core.state();
        let changed = state.told_mode.is_some_and(|told| told != state.mode)
            || (state.told_mode.is_none() && state.mode == fwai_schema::permission::Mode::Plan);
        drop(state);
        if changed { self.tell_mode() } else { Ok(()) }
    }

    /// Runs the calls of one answer: neighbours that may run in parallel do, the others wait their turn.
    async fn run_calls(&mut self, calls: Vec<Call>) -> Result<(), HostError> {
        let limit = context::output_limit(self.core, calls.len());
        let mut rest = calls.into_iter().peekable();
        while let Some(first) = rest.next() {
            let mut batch = vec![first];
            if self.runs_in_parallel(&batch[0]) {
                while let Some(next) = rest.next_if(|call| self.runs_in_parallel(call)) {
                    batch.push(next);
                }
            }
            self.run_batch(batch, limit).await?;
        }
        Ok(())
    }

    fn runs_in_parallel(&self, call: &Call) -> bool {
        let tool = self.core.registry.get(&call.name);
        tool.is_some_and(|tool| tool.can_run_beside_others(&call.input, self.core.mode()))
    }

    async fn run_batch(&mut self, batch: Vec<Call>, limit: usize) -> Result<(), HostError> {
        let (core, cancel) = (self.core, self.cancel);
        let at_once = match batch.iter().any(|call| call.name == crate::session_tools::TASK) {
            true => PARALLEL_AGENTS,
            false => PARALLEL_CALLS,
        };
        let keys: Vec<String> = batch.iter().map(Repeats::key).collect();
        let refusals: Vec<Option<String>> = keys.iter().map(|key| self.repeats.refusal(key)).collect();
        let run = |(call, refusal)| executor::execute(core, call, refusal, limit, cancel);
        // Futures are made before they are polled, so that the closure borrows nothing of the stream.
        let futures: Vec<_> = batch.into_iter().zip(refusals).map(run).collect();
        let done: Vec<Result<Done, HostError>> = stream::iter(futures).buffered(at_once).collect().await;
        for (done, key) in done.into_iter().zip(keys) {
            let done = done?;
            self.tool_calls += 1;
            self.repeats.record(&key, done.success, done.changed);
            if self.cancel.is_cancelled() {
                continue;
            }
            if let Some(hint) = self.streak.record(&done.name, done.success, &done.text) {
                self.core.hint_later(hint);
            }
        }
        Ok(())
    }

    fn stop_of(&mut self, reason: StopReason) -> Result<TurnStop, HostError> {
        Ok(match reason {
            StopReason::EndTurn | StopReason::StopSequence | StopReason::ToolUse => TurnStop::EndTurn,
            StopReason::Refusal => TurnStop::Refusal,
            StopReason::MaxTokens => {
                let message = "The answer was cut at the model's output limit; say `continue` for the rest.";
                self.core.emit(EventBody::Warning { message: message.into() })?;
                TurnStop::MaxTokens
            }
            other => TurnStop::Other(other),
        })
    }

    fn fail(&mut self, error: LlmError) -> Result<(), HostError> {
        let hint = match &error {
            LlmError::ContextTooLong { .. } => Some("start a new session, or set `provider.context_window`"),
            LlmError::Connect { .. } | LlmError::Timeout { .. } => {
                Some("`fwai doctor` checks the connection")
            }
            LlmError::RateLimited { .. } | LlmError::Overloaded { .. } => {
                Some("wait a little and say `continue`")
            }
            _ => None,
        };
        self.core.emit(EventBody::Error { message: error.to_string(), hint: hint.map(str::to_owned) })
    }

    async fn end(self, stop: TurnStop) -> TurnResult {
        let ending = TurnEnding {
            session: self.core.config.session.clone(),
            turn: self.core.state().turn,
            stop: stop.clone(),
            final_text: self.final_text.clone(),
            iterations: self.iterations,
            tool_calls: self.tool_calls,
        };
        for body in self.core.host.gate.turn_ending(&ending).await {
            // A log that broke is told below, with the last event.
            let _ = self.core.emit(body);
        }
        let ended = EventBody::TurnEnded {
            stop_reason: stop.clone(),
            final_text: self.final_text.clone(),
            tool_calls: self.tool_calls,
            iterations: self.iterations,
            usage: self.usage,
            cost_usd: self.priced.then(|| self.core.cost_this_turn()),
        };
        let ended = self.core.emit(ended).and_then(|()| self.core.sync());
        if let Err(error) = ended {
            // Nothing more can be written; the door must know why the session is not on disk.
            let _ = self.core.emit(EventBody::Error { message: error.what, hint: error.hint });
        }
        TurnResult { stop, final_text: self.final_text }
    }
}

/// Records a model call; returns its price where that is known.
pub(crate) fn emit_usage(
    core: &Core,
    purpose: &str,
    model: &str,
    usage: Usage,
    began_us: u64,
) -> Result<Option<f64>, HostError> {
    let cost_usd = price(core, &usage);
    core.emit(EventBody::Usage {
        provider: core.provider.name().into(),
        model: if model.is_empty() { core.provider.model().into() } else { model.into() },
        purpose: purpose.into(),
        usage,
        cost_usd,
        duration_ms: (core.host.clock.monotonic_us() - began_us) / 1000,
    })?;
    Ok(cost_usd)
}

fn price(core: &Core, usage: &Usage) -> Option<f64> {
    fwai_llm::pricing::cost_usd(&core.provider.facts(), usage)
}
