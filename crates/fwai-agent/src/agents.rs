//! Agents that a session starts: a session of their own with fewer tools and paths, never with more
//! rights, whose last words are their report.

use crate::{
    cancel::CancelToken,
    config::SessionConfig,
    core::{Audience, Core, CoreParts},
    host::HostError,
    registry::Registry,
    session, session_tools,
    state::State,
    tool::PathScope,
    turn,
};
use fwai_schema::{agent::AgentDef, event::TurnStop, message::ContentBlock, permission::Mode};
use std::sync::Arc;

/// The built-in agent that only reads.
pub const EXPLORER: &str = "explorer";
/// The built-in agent with the tools of its parent.
pub const GENERAL: &str = "general";

const REPORT: &str = "\n\nYou were started for one job. Nobody reads your steps; your last message is your report. \
                      Make it short and exact: what you found or did, with file names and lines, and what is open.";

/// What an agent came back with.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) success: bool,
    pub(crate) text: String,
}

impl Report {
    fn failed(text: impl Into<String>) -> Self {
        Self { success: false, text: text.into() }
    }
}

/// Runs an agent to its end.
pub(crate) async fn run(
    parent: &Arc<Core>,
    call: &str,
    name: &str,
    prompt: &str,
    cancel: &CancelToken,
) -> Result<Report, HostError> {
    if prompt.trim().is_empty() {
        return Ok(Report::failed("the prompt is empty; say what the agent must do"));
    }
    let Some(agent) = find(parent, name) else {
        let names = names(parent).join(", ");
        return Ok(Report::failed(format!("there is no agent `{name}`; there are: {names}")));
    };
    let child = match start(parent, call, &agent) {
        Ok(child) => child,
        Err(error) => return Ok(Report::failed(error.what)),
    };
    let result = turn::run(&child, vec![ContentBlock::text(prompt)], cancel).await;
    let text = if result.final_text.is_empty() { "(no report)".to_owned() } else { result.final_text };
    Ok(match result.stop {
        TurnStop::EndTurn => Report { success: true, text },
        stop => {
            let why = serde_json::to_string(&stop).unwrap_or_default();
            Report::failed(format!("the agent did not finish ({}): {text}", why.trim_matches('"')))
        }
    })
}

/// Every agent that a task can be given to.
pub(crate) fn names(parent: &Core) -> Vec<String> {
    let own = parent.host.library.agents().into_iter().map(|agent| agent.name);
    [EXPLORER.to_owned(), GENERAL.to_owned()].into_iter().chain(own).collect()
}

fn find(parent: &Core, name: &str) -> Option<AgentDef> {
    let own = parent.host.library.agents().into_iter().find(|agent| agent.name == name);
    own.or_else(|| builtin(name))
}

fn builtin(name: &str) -> Option<AgentDef> {
    let (description, prompt) = match name {
        EXPLORER => (
            "Reads and searches; changes nothing",
            "You explore the project to answer one question. You only read.",
        ),
        GENERAL => ("Does a job of its own", "You do one job in the project."),
        _ => return None,
    };
    Some(AgentDef {
        name: name.into(),
        description: description.into(),
        tools: None,
        allowed_paths: None,
        protected_paths: Vec::new(),
        model: None,
        max_iterations: 20,
        temperature: None,
        prompt: prompt.into(),
    })
}

fn start(parent: &Arc<Core>, call: &str, agent: &AgentDef) -> Result<Arc<Core>, HostError> {
    let provider = match &agent.model {
        Some(model) => parent.host.library.provider(model)?,
        None => parent.provider.clone(),
    };
    let mut scopes = parent.scopes.clone();
    if agent.allowed_paths.is_some() || !agent.protected_paths.is_empty() {
        scopes.push(PathScope {
            allowed: agent.allowed_paths.clone(),
            protected: agent.protected_paths.clone(),
        });
    }
    let tail: String = parent.host.clock.random_id().chars().take(8).collect();
    let config = config_for(parent, agent, format!("{}-{tail}", parent.config.session));
    let log = parent.host.logs.open(&config.session)?;
    let mut parts = CoreParts {
        host: parent.host.clone(),
        provider,
        registry: parent.registry.retain(|tool| !session_tools::is_session_tool(tool.name())),
        config,
        scopes,
        depth: parent.depth + 1,
        audience: Audience::Parent { core: parent.clone(), call: call.into(), agent: agent.name.clone() },
        log,
        state: State::default(),
    };
    parts.state.mode = parts.config.agent.mode;
    let mode = parts.config.agent.mode;
    let inherits = parent.registry.clone();
    let core = Core::assemble(parts, |registry, core| {
        let all = session_tools::bind(registry, core, true);
        rights_of(agent, &all, &inherits, mode)
    });
    session::announce(&core, None, Some(parent.config.session.clone()))?;
    Ok(core)
}

/// The tools of an agent: those it names, of those its parent has; never tools that start agents or end
/// plan mode.
fn rights_of(agent: &AgentDef, all: &Registry, parent: &Registry, mode: Mode) -> Registry {
    let only_reads = agent.name == EXPLORER;
    all.retain(|tool| {
        let named = agent.tools.as_ref().is_none_or(|names| names.iter().any(|name| name == tool.name()));
        let reads = !only_reads || tool.is_read_only();
        let plans = mode != Mode::Plan || tool.is_offered_in_plan_mode();
        let held = parent.get(tool.name()).is_some();
        let kept = !matches!(tool.name(), session_tools::TASK | "plan_mode" | "submit_plan");
        named && reads && plans && held && kept
    })
}

fn config_for(parent: &Core, agent: &AgentDef, session: String) -> SessionConfig {
    let mut config = SessionConfig { session, ..parent.config.clone() };
    config.agent.mode = parent.mode();
    config.agent.max_iterations = agent.max_iterations.max(1);
    if let Some(most) = config.agent.max_cost {
        config.agent.max_cost = Some((most - parent.cost_this_turn()).max(0.0));
    }
    config.prompt.role = Some(format!("{}{REPORT}", agent.prompt.trim()));
    config.temperature = agent.temperature.or(parent.config.temperature);
    config.output = None;
    if agent.model.is_some() {
        config.context_window = None;
    }
    config
}
