//! `fwai evidence show`: one record, for people or as it is.

use super::{duration, in_colour, plain_status};
use crate::{
    context::Context,
    failure::Failure,
    language::{pad, say},
    render::clean::{clean, clean_line},
};
use fwai_schema::evidence::{Evidence, RunStatus, ToolResult};
use serde_json::json;
use std::io::IsTerminal as _;

/// Show the record of a run
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Run id, its beginning, a label such as `build`, or `latest`
    #[arg(default_value = "latest")]
    run: String,
    /// Print a file of the run instead, for instance build.log
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if let Some(name) = &args.log {
        return print_file(context, &args.run, name);
    }
    let evidence = super::load(context, &args.run)?;
    if context.json() {
        context.print_json(&evidence);
    } else {
        summarize(&evidence, context);
    }
    Ok(())
}

fn print_file(context: &Context, run: &str, name: &str) -> Result<(), Failure> {
    let run_id = crate::commands::audit::resolve(context, run)?;
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return Err(Failure::usage(format_args!("{name} is not a file of a run")));
    }
    let path = context.paths.fwai().join("runs").join(&run_id).join(name);
    let is_plain = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    if !is_plain {
        return Err(Failure::failed(format_args!("run {run_id} has no {name}"))
            .hint(format!("fwai evidence show {run_id} --json")));
    }
    let bytes =
        std::fs::read(&path).map_err(|error| Failure::failed(format_args!("{}: {error}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    match context.json() {
        true => context.print_json(&json!({"run_id": run_id, "file": name, "text": text})),
        false if std::io::stdout().is_terminal() => crate::output::line(clean(&text).trim_end_matches('\n')),
        false => crate::output::line(text.trim_end_matches('\n')),
    }
    Ok(())
}

fn summarize(evidence: &Evidence, context: &Context) {
    let status = in_colour(evidence.status, &plain_status(evidence.status));
    let run_id = clean_line(&evidence.run_id);
    context.print(format_args!("{} {run_id}  {}", pad(&say!("evidence-run"), 10), status));
    // What a record says may come from anybody.
    let line = |name: String, text: String| {
        let mut lines = clean(&text).lines().map(str::to_owned).collect::<Vec<_>>();
        if lines.is_empty() {
            lines.push(String::new());
        }
        for (place, text) in lines.iter().enumerate() {
            let name = if place == 0 { name.as_str() } else { "" };
            context.print(format_args!("{} {text}", pad(name, 10)));
        }
    };
    line(say!("evidence-skill"), evidence.skill.clone());
    line(say!("evidence-started"), format!("{}, {}", evidence.start_time, duration(evidence.duration_ms)));
    if let Some(project) = &evidence.project {
        line(
            say!("evidence-project"),
            format!("{} {}", project.name, project.target_mcu.as_deref().unwrap_or_default()),
        );
    }
    let only_looked =
        |tool: &&ToolResult| tool.read_only && tool.status == RunStatus::Success && tool.run_id.is_none();
    let looks = evidence.tools.iter().filter(only_looked).count();
    for tool in evidence.tools.iter().filter(|tool| !only_looked(tool)) {
        let code = tool
            .exit_code
            .map(|code| format!(", {}", say!("evidence-exit", code = code)))
            .unwrap_or_default();
        let log = tool.log_file.as_deref().map(|log| format!(", {log}")).unwrap_or_default();
        let status = match tool.status {
            RunStatus::Success => String::new(),
            status => format!(", {}", plain_status(status)),
        };
        let took = duration(tool.duration_ms);
        let text = format!("{}: {} ({took}{status}{code}{log})", tool.tool, tool.command);
        line(say!("evidence-tool"), text);
    }
    if looks > 0 {
        line(say!("evidence-tool"), say!("evidence-looks", count = looks));
    }
    if let Some(changes) = &evidence.changes {
        let budget =
            if changes.within_budget { say!("evidence-in-budget") } else { say!("evidence-over-budget") };
        let text = say!(
            "evidence-change",
            files = changes.files_changed,
            added = changes.lines_added,
            removed = changes.lines_removed,
            budget = budget,
        );
        line(say!("evidence-changes"), text);
    }
    for artifact in &evidence.artifacts {
        let size = say!("bytes", count = artifact.size);
        line(say!("evidence-artifact"), format!("{} {size} sha256 {}", artifact.path, artifact.sha256));
    }
    if let Some(flash) = &evidence.flash {
        let (image, board, method) = (&flash.image, &flash.board, &flash.proof.method);
        let text = match flash.proof.ok {
            true => say!("evidence-proven", image = image, board = board, method = method),
            false => say!("evidence-not-proven", image = image, board = board, method = method),
        };
        line(say!("evidence-flash"), text);
    }
    if let Some(boot) = &evidence.boot_status {
        let matched = boot.matched.as_deref().unwrap_or_default();
        line(say!("evidence-boot"), format!("{:?} {matched}", boot.status).to_lowercase());
    }
    if let Some(board) = &evidence.hardware {
        line(say!("evidence-board"), format!("{} ({})", board.board, board.kind));
    }
    for step in evidence.debug.iter().flat_map(|debug| &debug.steps) {
        let first = step.result.lines().next().unwrap_or_default();
        line(say!("evidence-debugger"), format!("{}: {first}", step.command));
    }
    if let Some(sbom) = &evidence.sbom {
        let components = say!("evidence-components", count = sbom.components.len());
        line(say!("evidence-sbom"), format!("{} {}, {components}, {}", sbom.format, sbom.version, sbom.path));
    }
    if let Some(llm) = &evidence.llm {
        let cost = llm.estimated_cost_usd.map(|cost| format!(", {cost:.4} USD")).unwrap_or_default();
        let text = say!(
            "evidence-model-use",
            provider = llm.provider,
            model = llm.model,
            calls = llm.calls.len(),
            input = llm.total_input_tokens,
            output = llm.total_output_tokens,
            cost = cost,
        );
        line(say!("evidence-model"), text);
    }
    if let Some(session) = &evidence.agentic {
        line(say!("evidence-goal"), session.goal.clone());
        let text = say!(
            "evidence-agent-work",
            calls = session.calls.len(),
            iterations = session.iterations,
            stop = session.stop_reason,
        );
        line(say!("evidence-agent"), text);
    }
    for claim in &evidence.claims {
        let files = say!("files", count = claim.covers.len());
        line(say!("evidence-claim"), format!("{} ({files})", claim.statement));
    }
    for waiver in &evidence.waivers {
        line(say!("evidence-waiver"), waiver.clone());
    }
    if let Some(security) = &evidence.security {
        line(say!("evidence-redacted"), format!("{} ({})", security.redacted, security.rules.join(", ")));
    }
    match &evidence.signature {
        Some(signature) => line(say!("evidence-signed-by"), signature.public_key.clone()),
        None => line(say!("evidence-signed-by"), say!("evidence-unsigned")),
    }
}
