//! What went wrong in runs, as SARIF results.

use fwai_schema::evidence::{BootOutcome, RunStatus};
use serde_json::Value;

use super::{
    RunExport, VerificationState,
    sarif::{SarifLevel, SarifResult, SarifRule, sarif},
};

const RULES: [(&str, &str); 7] = [
    ("tool-failed", "A tool of a run failed"),
    ("tool-denied", "A tool of a run was not allowed to run"),
    ("run-interrupted", "A run ended without saying how"),
    ("budget-exceeded", "A run changed more than its budget allows"),
    ("boot-failed", "The firmware did not come up"),
    ("wall-waived", "A user's choice weakened a wall"),
    ("evidence-invalid", "The evidence of a run does not verify"),
];

pub fn run_sarif(runs: &[RunExport], version: &str) -> Value {
    let rules = RULES.map(|(id, title)| SarifRule { id: id.into(), title: title.into() });
    let results: Vec<SarifResult> = runs.iter().flat_map(results).collect();
    sarif(version, &rules, &results)
}

fn results(run: &RunExport) -> Vec<SarifResult> {
    let evidence = &run.evidence;
    let id = &evidence.run_id;
    let mut results = Vec::new();
    let mut add = |rule: &str, level, message: String, file: Option<String>| {
        results.push(SarifResult { rule: rule.into(), level, message, file, region: None });
    };
    let in_run = |name: &str| format!(".fwai/runs/{id}/{name}");
    for tool in
        evidence.tools.iter().filter(|tool| !matches!(tool.status, RunStatus::Success | RunStatus::Running))
    {
        let code = tool.exit_code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
        let log = tool.log_file.as_deref().unwrap_or("evidence.json");
        let (rule, level, how) = match tool.status {
            RunStatus::Denied => ("tool-denied", SarifLevel::Warning, "was denied"),
            RunStatus::Interrupted => ("tool-failed", SarifLevel::Warning, "was interrupted"),
            RunStatus::Timeout => ("tool-failed", SarifLevel::Error, "timed out"),
            // A look that found nothing broke nothing.
            _ if tool.read_only && tool.run_id.is_none() => ("tool-failed", SarifLevel::Note, "failed"),
            _ => ("tool-failed", SarifLevel::Error, "failed"),
        };
        let message = format!("{id}: `{}` {how}{code}: {}", tool.tool, tool.command);
        add(rule, level, message, Some(in_run(log)));
    }
    if matches!(evidence.status, RunStatus::Interrupted) {
        let message = format!("{id} was interrupted; its record lists what is known");
        add("run-interrupted", SarifLevel::Warning, message, Some(in_run("evidence.json")));
    }
    if let Some(changes) = evidence.changes.as_ref().filter(|changes| !changes.within_budget) {
        let (files, lines) = (changes.files_changed, changes.lines_added + changes.lines_removed);
        let message = format!("{id} changed {files} files and {lines} lines, more than the budget allows");
        for file in changes.files.iter().map(Some).chain(changes.files.is_empty().then_some(None)) {
            add("budget-exceeded", SarifLevel::Error, message.clone(), file.cloned());
        }
    }
    if let Some(boot) = evidence.boot_status.as_ref().filter(|boot| boot.status != BootOutcome::Success) {
        let why = boot.matched.clone().unwrap_or_else(|| "no boot banner in time".into());
        let log = boot.log_file.as_deref().unwrap_or("evidence.json");
        add(
            "boot-failed",
            SarifLevel::Error,
            format!("{id}: the firmware did not come up: {why}"),
            Some(in_run(log)),
        );
    }
    for waiver in &evidence.waivers {
        add("wall-waived", SarifLevel::Warning, format!("{id}: {waiver}"), Some(in_run("evidence.json")));
    }
    if run.verification.state == VerificationState::Failed {
        for problem in &run.verification.problems {
            add(
                "evidence-invalid",
                SarifLevel::Error,
                format!("{id}: {problem}"),
                Some(in_run("evidence.json")),
            );
        }
    }
    results
}
