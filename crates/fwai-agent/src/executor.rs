//! Runs one tool call, always in the same order: start event, lookup, arguments, plan wall, policy,
//! permission, snapshot, the tool, and an end event with the same id. What goes wrong on the way is a
//! failed answer for the model; only a broken host is an error.

use crate::{
    arguments,
    asking::Asked,
    cancel::CancelToken,
    core::{Core, ToolSink},
    history::INTERRUPTED_CALL,
    host::{CallRequest, HostError},
    outcome::ToolOutcome,
    paths, redaction,
    registry::writes_plan,
    tool::{CallContext, DynTool},
    truncate,
};
use fwai_schema::{
    event::EventBody,
    message::ToolResultContent,
    op::PermissionReply,
    permission::{Mode, Verdict},
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The answer of a call whose turn never came.
const NOT_RUN: &str = "Not run: the user interrupted before.";

/// Key of an outcome's metadata: who kept the call from running (`policy`, `person`, `nobody`, `interrupted`).
pub(crate) const REFUSED: &str = "refused";

/// A call as the model made it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) input: Value,
}

/// A finished call, as the turn loop judges it.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) name: String,
    pub(crate) success: bool,
    pub(crate) text: String,
    /// It ran, and it was not read-only.
    pub(crate) changed: bool,
    /// `exit_code`, `run_id`, and [`REFUSED`].
    pub(crate) metadata: Map<String, Value>,
}

/// Runs a call from start event to end event. A `refusal` is the answer of a call that must not run.
pub(crate) async fn execute(
    core: &Arc<Core>,
    call: Call,
    refusal: Option<String>,
    output_limit: usize,
    cancel: &CancelToken,
) -> Result<Done, HostError> {
    let began = core.host.clock.monotonic_us();
    core.emit(EventBody::ToolCallStart {
        id: call.id.clone(),
        name: call.name.clone(),
        arguments: redaction::arguments(&call.input, core.host.gate.as_ref()),
    })?;
    let mut changed = false;
    let refusal = match cancel.is_cancelled() {
        true => Some(NOT_RUN.to_owned()),
        false => refusal,
    };
    let outcome = match refusal {
        Some(refusal) => ToolOutcome::failed(refusal).with(REFUSED, "interrupted"),
        None => match cancel.or_cancelled(perform(core, &call, cancel, &mut changed)).await {
            Some(outcome) => outcome?,
            None => ToolOutcome::failed(INTERRUPTED_CALL).with(REFUSED, "interrupted"),
        },
    };
    let (content, full_output) = shortened(core, &call.id, outcome.content, output_limit).await?;
    let refused = outcome.metadata.get(REFUSED).and_then(Value::as_str).map(str::to_owned);
    let done = Done {
        name: call.name.clone(),
        success: outcome.success,
        text: crate::outcome::text_of(&content),
        changed,
        metadata: outcome.metadata,
    };
    core.emit(EventBody::ToolCallEnd {
        id: call.id,
        name: call.name,
        success: outcome.success,
        content,
        duration_ms: (core.host.clock.monotonic_us() - began) / 1000,
        full_output,
        files_read: outcome.files_read,
        files_written: outcome.files_written,
        refused,
    })?;
    Ok(done)
}

async fn perform(
    core: &Arc<Core>,
    call: &Call,
    cancel: &CancelToken,
    changed: &mut bool,
) -> Result<ToolOutcome, HostError> {
    let tool = match core.registry.get(&call.name) {
        Some(tool) => tool.clone(),
        None => return Ok(ToolOutcome::failed(unknown_tool(core, &call.name))),
    };
    let input = match checked_arguments(tool.as_ref(), call) {
        Ok(input) => input,
        Err(problem) => return Ok(ToolOutcome::failed(problem)),
    };
    // Taken apart: a guard in the middle of the literal would live to its end.
    let turn = core.state().turn;
    let request = CallRequest {
        session: core.config.session.clone(),
        turn,
        id: call.id.clone(),
        tool: call.name.clone(),
        level: tool.level(),
        read_only: tool.is_read_only(),
        effects: tool.effects(&input),
        arguments: input,
        mode: core.mode(),
        scopes: core.scopes.clone(),
    };
    let plan_path = core.plan_path();
    let writes_only_plan = writes_plan(&call.name)
        && !request.effects.writes.is_empty()
        && request.effects.writes.iter().all(|path| paths::is_same(&core.config, path, &plan_path));
    if request.mode == Mode::Plan && !tool.is_offered_in_plan_mode() && !writes_only_plan {
        return Ok(ToolOutcome::failed(format!(
            "plan mode: {} is refused, nothing was changed. You can read, write the plan to {plan_path}, and call \
             submit_plan.",
            call.name
        ))
        .with(REFUSED, "policy"));
    }
    if writes_only_plan && let Some(text) = request.arguments.get("content").and_then(Value::as_str) {
        return crate::plan::write(core, text).await;
    }
    if let Some(problem) = paths::outside_scopes(&core.config, &core.scopes, &request.effects.writes) {
        return Ok(ToolOutcome::failed(problem).with(REFUSED, "policy"));
    }
    let decision = core.host.gate.decide(&request).await;
    match decision.verdict {
        Verdict::Allow => {}
        Verdict::Deny => {
            let denied = format!("denied by policy: {}", decision.reason);
            return Ok(ToolOutcome::failed(denied).with(REFUSED, "policy"));
        }
        Verdict::Ask => {
            if let Some(refused) = ask(core, &request, &decision, cancel).await? {
                return Ok(refused);
            }
        }
    }
    if !tool.is_read_only() {
        // What is about to happen must be on disk before it happens. The gate begins first, so that both
        // write at the same time.
        let (begun, synced) =
            futures_util::join!(core.host.gate.before_change(&request), async { core.sync() });
        synced?;
        begun?;
        *changed = true;
    }
    let context = call_context(core, call, request.mode, plan_path.clone(), cancel);
    let mut outcome = tool.run(request.arguments.clone(), context).await?;
    let events = core.host.gate.after(&request, &mut outcome).await?;
    for body in events {
        core.emit(body)?;
    }
    if writes_only_plan && outcome.success {
        crate::plan::announce(core).await?;
    }
    if let Some(context) = decision.context {
        outcome.content.push(ToolResultContent::Text { text: context });
    }
    Ok(outcome)
}

fn checked_arguments(tool: &dyn DynTool, call: &Call) -> Result<Value, String> {
    let input = arguments::check(tool.input_schema(), call.input.clone())
        .and_then(|input| tool.check(&input).map(|()| input));
    input.map_err(|problem| {
        let example = tool.examples().into_iter().next();
        let example = example.map(|one| format!("\nExample: {}", one.arguments)).unwrap_or_default();
        format!("{} was not called: {problem}{example}", call.name)
    })
}

async fn ask(
    core: &Core,
    request: &CallRequest,
    decision: &crate::host::Decision,
    cancel: &CancelToken,
) -> Result<Option<ToolOutcome>, HostError> {
    match core.ask_permission(request, decision, cancel).await? {
        Asked::Answered((PermissionReply::Deny, note)) => {
            core.host.gate.remember(request, PermissionReply::Deny)?;
            let note = note.map(|note| format!(" They say: {note}")).unwrap_or_default();
            let denied = format!("The user denied this call.{note} Do not work around it.");
            Ok(Some(ToolOutcome::failed(denied).with(REFUSED, "person")))
        }
        Asked::Answered((reply, _)) => {
            core.host.gate.remember(request, reply)?;
            Ok(None)
        }
        Asked::Nobody => Ok(Some(
            ToolOutcome::failed(format!(
                "This call needs the permission of a person, and nobody is there: {}",
                decision.reason
            ))
            .with(REFUSED, "nobody"),
        )),
        Asked::Interrupted => Ok(Some(ToolOutcome::failed(INTERRUPTED_CALL).with(REFUSED, "interrupted"))),
    }
}

fn call_context(
    core: &Arc<Core>,
    call: &Call,
    mode: Mode,
    plan_path: String,
    cancel: &CancelToken,
) -> CallContext {
    CallContext {
        id: call.id.clone(),
        session: core.config.session.clone(),
        turn: core.state().turn,
        project_root: core.config.project_root.clone(),
        cwd: core.config.cwd.clone(),
        mode,
        plan_path,
        scopes: core.scopes.clone(),
        cancel: cancel.clone(),
        sink: Arc::new(ToolSink(core.clone())),
    }
}

fn unknown_tool(core: &Core, name: &str) -> String {
    let offered = core.registry.for_mode(core.mode());
    let names: Vec<&str> = offered.names().collect();
    format!("there is no tool `{name}`; the tools are: {}", names.join(", "))
}

/// The answer without secrets, and cut where it is too long; the whole is then kept in a file.
async fn shortened(
    core: &Core,
    call: &str,
    content: Vec<ToolResultContent>,
    limit: usize,
) -> Result<(Vec<ToolResultContent>, Option<String>), HostError> {
    let gate = core.host.gate.as_ref();
    let mut out = Vec::with_capacity(content.len());
    let mut full_output = None;
    for part in content {
        let ToolResultContent::Text { text } = part else {
            out.push(part);
            continue;
        };
        let text = match gate.redact(&text) {
            std::borrow::Cow::Borrowed(_) => text,
            std::borrow::Cow::Owned(redacted) => redacted,
        };
        if text.len() <= limit {
            out.push(ToolResultContent::Text { text });
            continue;
        }
        let file = core.host.files.keep_output(&core.config.session, call, &text).await?;
        out.push(ToolResultContent::Text { text: truncate::middle_kept_in(&text, limit, &file) });
        full_output = Some(file);
    }
    Ok((out, full_output))
}
