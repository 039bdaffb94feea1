//! Carries a workflow out as a turn of a session: every tool step goes through the executor and the gate as a
//! model's call does, everything that happens is an event, and however it ends, the end is said.

use super::{
    check::{self, Known},
    stepping::{DETAIL, Runner},
    steps::step_names,
};
use crate::{
    cancel::CancelToken,
    core::Core,
    fence,
    host::{HostError, TurnEnding},
    outcome::ToolOutcome,
    truncate,
};
use fwai_schema::{
    event::{EventBody, TurnStop},
    message::{Message, Usage},
    skill::{SkillDef, StepStatus},
};
use std::{collections::BTreeMap, sync::Arc};

/// Runs a skill from `turn_started` to `turn_ended`.
pub(crate) async fn run(core: &Arc<Core>, name: &str, given: BTreeMap<String, String>, cancel: &CancelToken) {
    core.take_injections();
    core.take_stop();
    core.mark_cost();
    let mut tally = Tally::default();
    let stop = match begin(core, name, &given, cancel, &mut tally).await {
        Ok(stop) => stop,
        Err(error) => {
            let _ = core.emit(EventBody::Error { message: error.what, hint: error.hint });
            TurnStop::Error
        }
    };
    end(core, stop, tally).await;
}

/// What the last event of the turn needs.
#[derive(Default)]
struct Tally {
    calls: u32,
    text: String,
}

async fn begin(
    core: &Arc<Core>,
    name: &str,
    given: &BTreeMap<String, String>,
    cancel: &CancelToken,
    tally: &mut Tally,
) -> Result<TurnStop, HostError> {
    core.emit(EventBody::TurnStarted {})?;
    let mut said = format!("/run {name}");
    for (key, value) in given {
        said.push_str(&format!(" --input {key}={value}"));
    }
    let said = core.host.gate.redact(&said).into_owned();
    core.emit(EventBody::Message { message: Message::user_text(said), injected: false })?;
    core.sync()?;
    let (skill, inputs) = match checked(core, name, given) {
        Ok(checked) => checked,
        Err(message) => {
            core.emit(EventBody::Error { message, hint: None })?;
            return Ok(TurnStop::Error);
        }
    };
    let finished = carry_out(core, &skill, inputs, cancel).await?;
    tally.calls = finished.calls;
    tally.text = finished.summary;
    let note = fence::contain("note", &[], "The user ran a skill; this is what its steps gave.");
    let note = format!("{note}\n{}", fence::data(&format!("skill {}", skill.name), &finished.told));
    core.emit(EventBody::Message { message: Message::user_text(note), injected: true })?;
    Ok(finished.stop)
}

/// Runs a skill that the model asked for, inside the turn that runs.
pub(crate) async fn run_inside(
    core: &Arc<Core>,
    name: &str,
    given: &BTreeMap<String, String>,
    cancel: &CancelToken,
) -> Result<ToolOutcome, HostError> {
    let (skill, inputs) = match checked(core, name, given) {
        Ok(checked) => checked,
        Err(message) => return Ok(ToolOutcome::failed(message)),
    };
    let finished = carry_out(core, &skill, inputs, cancel).await?;
    // Whoever was needed is needed by the turn, too.
    if finished.stop != TurnStop::EndTurn && finished.stop != TurnStop::Interrupted {
        core.stop_after_calls(finished.stop);
    }
    let text = format!("{}\n{}", finished.summary, finished.told);
    Ok(if finished.status == StepStatus::Success { ToolOutcome::ok(text) } else { ToolOutcome::failed(text) })
}

/// What a skill came to.
struct Finished {
    status: StepStatus,
    stop: TurnStop,
    calls: u32,
    summary: String,
    /// What a model reads of it.
    told: String,
}

async fn carry_out(
    core: &Arc<Core>,
    skill: &SkillDef,
    inputs: BTreeMap<String, String>,
    cancel: &CancelToken,
) -> Result<Finished, HostError> {
    let names = step_names(skill);
    let began = core.host.clock.monotonic_us();
    let (name, shown) = (skill.name.clone(), shown(core, &inputs));
    core.emit(EventBody::SkillStarted { name: name.clone(), inputs: shown, steps: names.clone() })?;
    core.sync()?;
    let mut runner = Runner::new(core, skill, &names, inputs, cancel);
    // A host that broke leaves the skill open: that is what its evidence must say.
    runner.all().await?;
    let status = runner.status();
    let reason = runner.reason();
    let duration_ms = (core.host.clock.monotonic_us() - began) / 1000;
    core.emit(EventBody::SkillEnded { name, status, duration_ms, reason })?;
    Ok(Finished {
        status,
        stop: runner.stop(),
        calls: runner.calls,
        summary: runner.summary(status),
        told: runner.told(),
    })
}

/// The skill and its inputs, or why it cannot run. Nothing has happened yet.
fn checked(
    core: &Core,
    name: &str,
    given: &BTreeMap<String, String>,
) -> Result<(SkillDef, BTreeMap<String, String>), String> {
    let library = &core.host.library;
    let Some(skill) = library.workflow(name) else {
        let names: Vec<String> = library.skills().into_iter().map(|skill| skill.name).collect();
        return Err(format!("there is no workflow `{name}`; there are: {}", names.join(", ")));
    };
    let agents = crate::agents::names(core);
    let problems = check::check(&skill, &Known { tools: Some(&core.registry), agents: Some(&agents) });
    if let Some(problem) = problems.first() {
        return Err(format!("skill {name}: {}: {}", problem.path, problem.message));
    }
    let inputs = check::fill_inputs(&skill, given)?;
    Ok((skill, inputs))
}

fn shown(core: &Core, inputs: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let redact = |value: &String| core.host.gate.redact(&truncate::middle(value, DETAIL)).into_owned();
    inputs.iter().map(|(name, value)| (name.clone(), redact(value))).collect()
}

async fn end(core: &Arc<Core>, stop: TurnStop, tally: Tally) {
    let ending = TurnEnding {
        session: core.config.session.clone(),
        turn: core.state().turn,
        stop: stop.clone(),
        final_text: tally.text.clone(),
        iterations: 0,
        tool_calls: tally.calls,
    };
    for body in core.host.gate.turn_ending(&ending).await {
        let _ = core.emit(body);
    }
    let ended = EventBody::TurnEnded {
        stop_reason: stop,
        final_text: tally.text,
        tool_calls: tally.calls,
        iterations: 0,
        usage: Usage::default(),
        cost_usd: Some(core.cost_this_turn()),
    };
    if let Err(error) = core.emit(ended).and_then(|()| core.sync()) {
        let _ = core.emit(EventBody::Error { message: error.what, hint: error.hint });
    }
}
