//! `fwai evidence show`: one record, for people or as it is.

use super::{duration, status_word};
use crate::{context::Context, failure::Failure};
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
    let line = |name: &str, text: String| context.print(format_args!("{name:10} {text}"));
    line("run", format!("{}  {}", evidence.run_id, status_word(evidence.status).trim_end()));
    line("skill", evidence.skill.clone());
    line("started", format!("{}, {}", evidence.start_time, duration(evidence.duration_ms)));
    if let Some(project) = &evidence.project {
        line("project", format!("{} {}", project.name, project.target_mcu.as_deref().unwrap_or_default()));
    }
    for tool in &evidence.tools {
        let code = tool.exit_code.map(|code| format!(", exit {code}")).unwrap_or_default();
        let log = tool.log_file.as_deref().map(|log| format!(", {log}")).unwrap_or_default();
        line("tool", format!("{}: {} ({}{code}{log})", tool.tool, tool.command, duration(tool.duration_ms)));
    }
    if let Some(changes) = &evidence.changes {
        let budget = if changes.within_budget { "within budget" } else { "OVER BUDGET" };
        line(
            "changes",
            format!(
                "{} files, +{} -{}, {budget}",
                changes.files_changed, changes.lines_added, changes.lines_removed
            ),
        );
    }
    for artifact in &evidence.artifacts {
        line("artifact", format!("{} {} bytes sha256 {}", artifact.path, artifact.size, artifact.sha256));
    }
    if let Some(flash) = &evidence.flash {
        let proof = if flash.proof.ok { "proven" } else { "not proven" };
        line("flash", format!("{} on {}, {proof} by {}", flash.image, flash.board, flash.proof.method));
    }
    if let Some(boot) = &evidence.boot_status {
        let matched = boot.matched.as_deref().unwrap_or_default();
        line("boot", format!("{:?} {matched}", boot.status).to_lowercase());
    }
    if let Some(llm) = &evidence.llm {
        let cost = llm.estimated_cost_usd.map(|cost| format!(", {cost:.4} USD")).unwrap_or_default();
        line(
            "model",
            format!(
                "{} {}: {} calls, {} in, {} out{cost}",
                llm.provider,
                llm.model,
                llm.calls.len(),
                llm.total_input_tokens,
                llm.total_output_tokens
            ),
        );
    }
    if let Some(session) = &evidence.agentic {
        line("goal", session.goal.clone());
        line(
            "agent",
            format!(
                "{} calls in {} iterations, {}",
                session.calls.len(),
                session.iterations,
                session.stop_reason
            ),
        );
    }
    for claim in &evidence.claims {
        line("claim", format!("{} ({} files)", claim.statement, claim.covers.len()));
    }
    for waiver in &evidence.waivers {
        line("waiver", waiver.clone());
    }
    if let Some(security) = &evidence.security {
        line("redacted", format!("{} ({})", security.redacted, security.rules.join(", ")));
    }
    match &evidence.signature {
        Some(signature) => line("signed by", signature.public_key.clone()),
        None => line("signed by", "nobody yet".to_owned()),
    }
}
