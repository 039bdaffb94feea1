//! The tools of a run with their logs, the steps of a skill, and how many of them did not succeed.

use std::fmt::Write;

use fwai_schema::{
    evidence::{Evidence, RunStatus, ToolResult},
    skill::StepStatus,
};

use super::{
    super::{LogText, RunExport, csv::name_of},
    escape::escape,
    page::Part,
    parts::{code, duration, grouped, status_class},
};

/// How it went with all tools, for the card: `all succeeded` is said only where nothing else happened.
pub(super) fn outcome(evidence: &Evidence) -> String {
    let mut words = Vec::new();
    for (status, class) in [
        (RunStatus::Failure, "del"),
        (RunStatus::Denied, "del"),
        (RunStatus::Timeout, "del"),
        (RunStatus::Interrupted, "dim"),
        (RunStatus::Running, "dim"),
    ] {
        let word = match status {
            RunStatus::Failure => "failed".to_owned(),
            RunStatus::Timeout => "timed out".to_owned(),
            RunStatus::Running => "not ended".to_owned(),
            status => name_of(&status),
        };
        let count = evidence.tools.iter().filter(|tool| tool.status == status).count();
        if count > 0 {
            words.push(format!("<span class={class}>{} {word}</span>", grouped(count as u64)));
        }
    }
    // Older versions listed only what had an effect; the agent's calls tell of the rest.
    let calls = evidence.agentic.iter().flat_map(|agentic| &agentic.calls);
    let failed = calls.filter(|call| !call.success).count();
    if words.is_empty() && failed > 0 {
        words.push(format!("<span class=del>{} of the agent’s calls failed</span>", grouped(failed as u64)));
    }
    if words.is_empty() { "all succeeded".into() } else { words.join(" · ") }
}

pub(super) fn tools(run: &RunExport) -> Part {
    let (looks, rest): (Vec<_>, Vec<_>) = run.evidence.tools.iter().partition(|tool| only_looked(tool));
    let mut out: String = rest.into_iter().map(|tool| one(run, tool)).collect();
    if !looks.is_empty() {
        let calls = match looks.len() {
            1 => "1 call that only looked".to_owned(),
            count => format!("{} calls that only looked", grouped(count as u64)),
        };
        let time = looks.iter().fold(0u64, |sum, tool| sum.saturating_add(tool.duration_ms));
        let rows: String = looks.into_iter().map(|tool| one(run, tool)).collect();
        let _ = write!(
            out,
            "<details class=group><summary><span class=\"dot look\"></span><strong>{calls}</strong>\
             <span class=command>changed nothing, all succeeded</span><span class=time>{}</span></summary>{rows}</details>",
            duration(time)
        );
    }
    (!out.is_empty()).then_some(("tools", "Tools and logs", out))
}

/// It looked at nothing that left a record of its own, as a board does.
pub(super) fn only_looked(tool: &ToolResult) -> bool {
    tool.read_only && tool.status == RunStatus::Success && tool.run_id.is_none()
}

fn one(run: &RunExport, tool: &ToolResult) -> String {
    let is_success = tool.status == RunStatus::Success;
    let word = match tool.exit_code {
        Some(code) => format!("exit {code}"),
        None if is_success => String::new(),
        None => name_of(&tool.status),
    };
    let class = if is_success && tool.read_only { "look" } else { status_class(tool.status) };
    let dot = format!("<span class=\"dot {class}\"></span><strong>{}</strong>", escape(&tool.tool));
    let summary = format!(
        "{dot}<code class=command>{}</code><span class=dim>{word}</span><span class=time>{}</span>",
        escape(arguments(tool)),
        duration(tool.duration_ms)
    );
    let own_run =
        tool.run_id.as_deref().map(|id| format!("<p class=dim>details in the run {}</p>", code(id)));
    let log = tool.log_file.as_ref().map(|name| log(run, name));
    let body = own_run.into_iter().chain(log).collect::<String>();
    // What has nothing to unfold is a line.
    if body.is_empty() && tool.command.len() < 80 {
        return format!("<div class=\"tool line\">{summary}</div>");
    }
    let whole = match body.is_empty() || tool.command.len() >= 80 {
        true => format!("<pre class=log>{}</pre>", escape(&tool.command)),
        false => String::new(),
    };
    let open = if is_success { "" } else { " open" };
    format!("<details class=tool{open}><summary>{summary}</summary>{whole}{body}</details>")
}

/// What follows the tool's own name in its command.
fn arguments(tool: &ToolResult) -> &str {
    match tool.command.strip_prefix(tool.tool.as_str()) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim_start(),
        _ => &tool.command,
    }
}

fn log(run: &RunExport, name: &str) -> String {
    let missing = LogText::default();
    let log = run.logs.get(name).unwrap_or(&missing);
    let hash = match log.hash_ok {
        Some(true) => "<span class=add>hash is right</span>",
        Some(false) => "<span class=del>hash differs from the record</span>",
        None => "",
    };
    format!("<p class=dim>{} {hash}</p><pre class=log>{}</pre>", code(name), escape(&log.text))
}

pub(super) fn steps(run: &RunExport) -> Part {
    let mut out = String::new();
    for step in &run.evidence.steps {
        let class = match step.status {
            StepStatus::Success => "good",
            StepStatus::Skipped => "none",
            StepStatus::Failure | StepStatus::Denied => "bad",
            StepStatus::Timeout | StepStatus::Interrupted => "warn",
        };
        let tries = match step.attempts {
            0 | 1 => String::new(),
            tries => format!(" · {tries} tries"),
        };
        let runs: String =
            step.runs.iter().map(|id| format!("<p class=dim>left the run {}</p>", code(id))).collect();
        let detail = match step.detail.is_empty() {
            true => String::new(),
            false => format!("<pre class=log>{}</pre>", escape(&step.detail)),
        };
        let open = if class == "bad" || class == "warn" { " open" } else { "" };
        let _ = write!(
            out,
            "<details class=tool{open}><summary><span class=\"dot {class}\"></span><strong>{}</strong><code class=command>{}</code>\
             <span class=dim>{}{tries}</span><span class=time>{}</span></summary>{runs}{detail}</details>",
            escape(&step.name),
            escape(&step.kind),
            name_of(&step.status),
            duration(step.duration_ms),
        );
    }
    (!out.is_empty()).then_some(("steps", "Steps", out))
}
