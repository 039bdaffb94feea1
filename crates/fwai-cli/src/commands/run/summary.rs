//! What a skill came to: the one object of `--json`, the table for people, and what a CI system shows.

use super::progress::Facts;
use crate::{
    context::Context,
    headless::Ended,
    language::{pad, say, width},
    render::status_word,
};
use fwai_app::ci;
use fwai_evidence::runs::load_evidence;
use fwai_schema::{
    evidence::Evidence,
    skill::{StepRecord, StepStatus},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Most complaints that a CI system is told of.
const MOST_ANNOTATIONS: usize = 30;

/// The end of a skill.
pub struct Summary {
    pub skill: String,
    pub status: StepStatus,
    pub reason: Option<String>,
    steps: Vec<StepRecord>,
    run_id: Option<String>,
    session: String,
    duration_ms: u64,
    cost_usd: Option<f64>,
    evidence: Option<Evidence>,
    asked: Option<String>,
    ci: Option<&'static str>,
}

pub fn of(context: &Context, facts: Facts, session: &str, ended: &Ended) -> Summary {
    let evidence = facts.run_id.as_ref().and_then(|id| load_evidence(&context.paths.project, id).ok());
    // The record has also the runs that the agents of a step left.
    let recorded = evidence.as_ref().map(|evidence| evidence.steps.clone()).unwrap_or_default();
    let mut steps = if recorded.len() >= facts.steps.len() { recorded } else { facts.steps };
    let unknown = |name: &&String| !steps.iter().any(|step| step.name == **name);
    let missing: Vec<String> = facts.planned.iter().filter(unknown).cloned().collect();
    for name in missing {
        let detail = "never began".to_owned();
        let (kind, runs) = (String::new(), Vec::new());
        let status = StepStatus::Skipped;
        steps.push(StepRecord {
            name,
            kind,
            status,
            duration_ms: 0,
            attempts: 0,
            exit_code: None,
            runs,
            detail,
        });
    }
    let status = match facts.status {
        Some(status) => status,
        None if ended.cause.is_some() => StepStatus::Interrupted,
        None => StepStatus::Failure,
    };
    Summary {
        skill: facts.skill,
        status,
        reason: facts.reason,
        steps,
        run_id: facts.run_id,
        session: session.to_owned(),
        duration_ms: facts.duration_ms,
        cost_usd: facts.cost_usd,
        evidence,
        asked: ended.asked.clone(),
        ci: context.ci.map(|ci| ci.name()),
    }
}

impl Summary {
    /// The object of DESIGN §7, with more beside.
    pub fn object(&self) -> Value {
        let evidence = self.run_id.as_ref().map(|id| format!(".fwai/runs/{id}/evidence.json"));
        let mut object = json!({
            "run_id": self.run_id, "skill": self.skill, "status": self.status,
            "steps": self.steps, "evidence": evidence,
            "duration_ms": self.duration_ms, "session": self.session, "ci": self.ci,
        });
        if let Some(evidence) = &self.evidence {
            object["start_time"] = json!(evidence.start_time);
            object["end_time"] = json!(evidence.end_time);
            object["tools"] = json!(evidence.tools);
            object["artifacts"] = json!(evidence.artifacts);
            object["boot"] = json!(evidence.boot_status);
            object["changes"] = json!(evidence.changes);
            if let Some(llm) = &evidence.llm {
                object["llm"] = json!({
                    "provider": llm.provider, "model": llm.model, "calls": llm.calls.len(),
                    "input_tokens": llm.total_input_tokens, "output_tokens": llm.total_output_tokens,
                    "cost_usd": self.cost_usd,
                });
            }
        }
        if let Some(reason) = &self.reason {
            object["reason"] = json!(reason);
        }
        if let Some(asked) = &self.asked {
            object["asked"] = json!(asked);
        }
        object
    }

    fn verdict(&self) -> String {
        let run = self.run_id.as_deref().map(|id| format!("; run {id}")).unwrap_or_default();
        format!("{}: {} in {:.1} s{run}", self.skill, self.status.as_str(), self.duration_ms as f64 / 1000.0)
    }

    /// One row for each step: name, status, seconds, tries, runs.
    fn rows(&self) -> Vec<[String; 5]> {
        let row = |step: &StepRecord| {
            [
                step.name.clone(),
                step.status.as_str().to_owned(),
                if step.attempts == 0 {
                    "–".into()
                } else {
                    format!("{:.1} s", step.duration_ms as f64 / 1000.0)
                },
                if step.attempts == 0 { "–".into() } else { step.attempts.to_string() },
                step.runs.join(" "),
            ]
        };
        self.steps.iter().map(row).collect()
    }
}

/// The closing table.
pub fn show(context: &Context, summary: &Summary) {
    if context.json() || context.flags.quiet {
        return;
    }
    let head = [
        say!("run-table-step"),
        say!("run-table-status"),
        say!("run-table-time"),
        say!("run-table-tries"),
        say!("run-table-evidence"),
    ];
    let steps = summary
        .rows()
        .into_iter()
        .map(|[name, status, time, tries, runs]| [name, status_word(&status), time, tries, runs]);
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(steps).collect();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(widest).collect();
    context.print("");
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
        context.print(format_args!("  {}", cells.join("  ").trim_end()));
    }
    let seconds = format!("{:.1}", summary.duration_ms as f64 / 1000.0);
    let verdict = say!(
        "run-verdict",
        skill = summary.skill,
        status = status_word(summary.status.as_str()),
        seconds = seconds
    );
    let run = summary.run_id.as_deref().map(|id| say!("run-verdict-run", run = id)).unwrap_or_default();
    context.print(format_args!("{verdict}{run}"));
}

/// Annotations beside the source, and the page that the CI system shows for the job.
pub fn tell_ci(context: &Context, summary: &Summary) {
    let Some(ci) = context.ci else { return };
    if summary.status != StepStatus::Success {
        let mut told = 0;
        for (severity, file, line, message) in complaints(context, summary) {
            if told < MOST_ANNOTATIONS
                && let Some(text) = ci.annotation(severity, Some((&file, line)), &message)
            {
                told += 1;
                crate::output::error_line(&text);
            }
        }
        let reason = summary.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let message = format!("{} ended as {}{reason}", summary.skill, summary.status.as_str());
        if let Some(text) = ci.annotation("error", None, &message) {
            crate::output::error_line(&text);
        }
    }
    if !context.config().is_ok_and(|layered| layered.config.mode.ci.summary) {
        return;
    }
    if let Err(error) = ci.write_summary(&markdown(summary)) {
        context.warn(say!("run-summary-lost", error = error));
    }
}

/// Errors and warnings that the builds of the steps recorded.
fn complaints(context: &Context, summary: &Summary) -> Vec<(&'static str, String, u32, String)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for run in summary.steps.iter().flat_map(|step| &step.runs) {
        let file = context.paths.project.join(".fwai/runs").join(run).join("diagnostics.json");
        let Ok(bytes) = std::fs::read(file) else { continue };
        let Ok(Value::Array(diagnostics)) = serde_json::from_slice(&bytes) else { continue };
        for one in diagnostics {
            let severity = match one["severity"].as_str() {
                Some("error") => "error",
                Some("warning") => "warning",
                _ => continue,
            };
            let (Some(file), Some(line)) = (one["file"].as_str(), one["line"].as_u64()) else { continue };
            let message = one["message"].as_str().unwrap_or_default().to_owned();
            if seen.insert((file.to_owned(), line, message.clone())) {
                found.push((severity, file.to_owned(), u32::try_from(line).unwrap_or(1), message));
            }
        }
    }
    found
}

fn markdown(summary: &Summary) -> String {
    let cell = |text: &str| ci::inert(text).replace('|', "\\|").replace(['\n', '\r'], " ");
    let mut page = format!("### fwai run {}\n\n", summary.verdict());
    page.push_str("| step | status | time | tries | evidence |\n|---|---|---|---|---|\n");
    for row in summary.rows() {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        page.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    if let Some(reason) = &summary.reason {
        page.push_str(&format!("\n{}\n", cell(reason)));
    }
    page
}
