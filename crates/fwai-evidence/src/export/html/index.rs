//! The list of many runs, newest first, with links to their pages.

use std::fmt::Write;

use fwai_schema::evidence::{Evidence, RunStatus};

use super::{
    super::{RunExport, VerificationState},
    escape::escape,
    parts::{document, dollars, duration, grouped, moment, pill},
};

/// The pages are expected beside the index as `RUN_ID.html`.
pub fn index(runs: &[RunExport]) -> String {
    let mut order: Vec<&RunExport> = runs.iter().collect();
    order.sort_by(|a, b| {
        b.evidence.start_time.cmp(&a.evidence.start_time).then(b.evidence.run_id.cmp(&a.evidence.run_id))
    });
    let verified = runs.iter().filter(|run| run.verification.state == VerificationState::Verified).count();
    let failed = runs.iter().filter(|run| run.verification.state == VerificationState::Failed).count();
    let costs = runs.iter().filter_map(|run| run.evidence.llm.as_ref()?.estimated_cost_usd);
    let cost = costs.reduce(|sum, cost| sum + cost).map_or_else(|| "–".to_owned(), dollars);
    let mut body = format!(
        "<header><p class=brand>fwai <span>evidence of runs</span></p><div class=title><h1 class=words>{} runs</h1></div></header>\
         <div class=cards><div class=card><span class=card-name>Verified</span><strong>{verified}</strong><span class=dim>of {}</span></div>\
         <div class=card><span class=card-name>Do not verify</span><strong>{failed}</strong><span class=dim>see each page</span></div>\
         <div class=card><span class=card-name>Model cost</span><strong>{}</strong><span class=dim>where prices are known</span></div></div>\
         <section id=runs><table><thead><tr><th>Run<th>Status<th>Verified<th class=num>Time<th class=num>Tools<th class=num>Lines<th class=num>Cost<th>Started</tr></thead><tbody>",
        grouped(runs.len() as u64),
        runs.len(),
        cost,
    );
    for run in order {
        let evidence = &run.evidence;
        let verified = match run.verification.state {
            VerificationState::Verified => "<span class=add>✓ yes</span>",
            VerificationState::Failed => "<span class=del>✕ no</span>",
            VerificationState::NotChecked => "<span class=dim>not checked</span>",
        };
        let changes = evidence.changes.as_ref().filter(|changes| changes.files_changed > 0);
        let lines = changes.map_or_else(
            || "–".to_owned(),
            |c| {
                format!(
                    "<span class=add>+{}</span> <span class=del>−{}</span>",
                    c.lines_added, c.lines_removed
                )
            },
        );
        let cost = evidence
            .llm
            .as_ref()
            .and_then(|llm| llm.estimated_cost_usd)
            .map_or_else(|| "–".to_owned(), dollars);
        let _ = write!(
            body,
            "<tr><td><a href=\"{}.html\"><code>{}</code></a><td>{}<td>{verified}<td class=num>{}<td class=num>{}<td class=num>{lines}<td class=num>{cost}<td>{}</tr>",
            escape(&link(&evidence.run_id)),
            escape(&evidence.run_id),
            pill(evidence.status),
            duration(evidence.duration_ms),
            tools(evidence),
            moment(&evidence.start_time),
        );
    }
    body.push_str("</tbody></table></section><footer>Check everything with <code>fwai audit verify --all</code></footer>");
    document(&format!("{} runs · fwai", runs.len()), &body)
}

/// How many tools there were, and how many of them did not succeed.
fn tools(evidence: &Evidence) -> String {
    let count = evidence.tools.len() as u64;
    let failed = evidence.tools.iter().filter(|tool| tool.status != RunStatus::Success).count() as u64;
    match failed {
        0 => grouped(count),
        failed => format!("{} <span class=del>({} ✕)</span>", grouped(count), grouped(failed)),
    }
}

/// Names of runs are plain; anything else would not be a file beside this one.
fn link(run_id: &str) -> String {
    run_id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}
