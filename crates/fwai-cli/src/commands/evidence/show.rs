//! `fwai evidence show`: one record, for people or as it is.

use super::{duration, status_word};
use crate::{
    context::Context,
    failure::Failure,
    language::{pad, say},
};
use fwai_schema::evidence::Evidence;

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
    let path = context.paths.fwai().join("runs").join(run_id).join(name);
    let bytes =
        std::fs::read(&path).map_err(|error| Failure::failed(format_args!("{}: {error}", path.display())))?;
    crate::output::line(String::from_utf8_lossy(&bytes).trim_end_matches('\n'));
    Ok(())
}

fn summarize(evidence: &Evidence, context: &Context) {
    let line = |name: String, text: String| context.print(format_args!("{} {text}", pad(&name, 10)));
    line(say!("evidence-run"), format!("{}  {}", evidence.run_id, status_word(evidence.status).trim_end()));
    line(say!("evidence-skill"), evidence.skill.clone());
    line(say!("evidence-started"), format!("{}, {}", evidence.start_time, duration(evidence.duration_ms)));
    if let Some(project) = &evidence.project {
        line(
            say!("evidence-project"),
            format!("{} {}", project.name, project.target_mcu.as_deref().unwrap_or_default()),
        );
    }
    for tool in &evidence.tools {
        let code = tool
            .exit_code
            .map(|code| format!(", {}", say!("evidence-exit", code = code)))
            .unwrap_or_default();
        let log = tool.log_file.as_deref().map(|log| format!(", {log}")).unwrap_or_default();
        let text = format!("{}: {} ({}{code}{log})", tool.tool, tool.command, duration(tool.duration_ms));
        line(say!("evidence-tool"), text);
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
