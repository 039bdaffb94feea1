//! The page of one run.

use std::fmt::Write;

use fwai_schema::evidence::{BootOutcome, Evidence};

use super::{
    super::{RunExport, csv::name_of},
    diff::diff,
    escape::escape,
    parts::{code, document, dollars, duration, facts, grouped, moment, pill, section, verification},
    timeline::timeline,
    tools,
};

pub fn page(run: &RunExport) -> String {
    let evidence = &run.evidence;
    let mut body = header(run);
    body += &cards(evidence);
    if let Some(bars) = timeline(evidence, &run.tool_ends) {
        body += &section("timeline", "Timeline", &bars);
    }
    let parts: [fn(&RunExport) -> Part; 10] =
        [tools::steps, tools::tools, changes, boot, model, agent, artifacts, debug, claims, details];
    for (id, title, html) in parts.iter().filter_map(|part| part(run)) {
        body += &section(id, title, &html);
    }
    let _ = write!(
        body,
        "<footer>Written by fwai {} · the record is <code>.fwai/runs/{}/evidence.json</code> · verify it with \
         <code>fwai audit verify {}</code></footer>",
        escape(&evidence.fwai_version),
        escape(&evidence.run_id),
        escape(&evidence.run_id)
    );
    document(&format!("{} · fwai", evidence.run_id), &body)
}

fn header(run: &RunExport) -> String {
    let evidence = &run.evidence;
    let project = evidence.project.as_ref();
    let commit = project.and_then(|project| project.commit.as_deref()).map(|commit| {
        let dirty =
            if project.and_then(|project| project.dirty) == Some(true) { " with local changes" } else { "" };
        format!("{}{dirty}", code(commit.get(..12).unwrap_or(commit)))
    });
    let board = evidence.hardware.as_ref().map(|board| {
        let chip = board.chip.as_ref().map(|chip| format!(" · {}", escape(chip))).unwrap_or_default();
        format!("{} <span class=dim>({}{chip})</span>", escape(&board.board), escape(&board.kind))
    });
    let rows = [
        ("Started", moment(&evidence.start_time)),
        ("Took", duration(evidence.duration_ms)),
        ("Project", project.map(|project| escape(&project.name)).unwrap_or_default()),
        ("Target", project.and_then(|p| p.target_mcu.as_deref()).map(escape).unwrap_or_default()),
        ("Commit", commit.unwrap_or_default()),
        ("Board", board.unwrap_or_default()),
    ];
    format!(
        "<header><p class=brand>fwai <span>evidence of a run</span></p><div class=title><h1>{}</h1>{}</div>\
         <p class=lead>{}</p>{}{}</header>",
        escape(&evidence.run_id),
        pill(evidence.status),
        escape(evidence.agentic.as_ref().map_or(evidence.skill.as_str(), |agentic| agentic.goal.as_str())),
        facts(&rows),
        verification(&run.verification, &evidence.run_id),
    )
}

fn cards(evidence: &Evidence) -> String {
    let mut cards: Vec<(&str, String, String)> = Vec::new();
    if !evidence.tools.is_empty() {
        cards.push(("Tools", grouped(evidence.tools.len() as u64), tools::outcome(evidence)));
    }
    if let Some(changes) = &evidence.changes {
        let budget =
            if changes.within_budget { "within budget" } else { "<span class=del>over budget</span>" };
        let lines = format!(
            "<span class=add>+{}</span> <span class=del>−{}</span>",
            grouped(changes.lines_added),
            grouped(changes.lines_removed)
        );
        cards.push(("Files changed", grouped(changes.files_changed), format!("{lines} · {budget}")));
    }
    if let Some(llm) = &evidence.llm {
        let tokens =
            format!("{} in · {} out", grouped(llm.total_input_tokens), grouped(llm.total_output_tokens));
        cards.push(match llm.estimated_cost_usd {
            Some(cost) => ("Model cost", dollars(cost), tokens),
            None => ("Model cost", "–".into(), format!("no price known · {tokens}")),
        });
    }
    if let Some(boot) = &evidence.boot_status {
        let took = format!("after {}", duration(boot.duration_ms));
        let word = match boot.status {
            BootOutcome::Success => "<span class=add>came up</span>",
            BootOutcome::Failure => "<span class=del>failed</span>",
            BootOutcome::Timeout => "<span class=del>silent</span>",
        };
        cards.push(("Boot", word.into(), took));
    }
    if let Some(flash) = &evidence.flash {
        let word = if flash.proof.ok {
            "<span class=add>proven</span>"
        } else {
            "<span class=del>not proven</span>"
        };
        cards.push(("Image on board", word.into(), escape(&flash.proof.method)));
    }
    if let Some(security) = evidence.security.as_ref().filter(|security| security.redacted > 0) {
        cards.push(("Secrets redacted", grouped(security.redacted), escape(&security.rules.join(", "))));
    }
    if cards.is_empty() {
        return String::new();
    }
    let cards: String = cards
        .into_iter()
        .map(|(name, value, detail)| {
            format!("<div class=card><span class=card-name>{name}</span><strong>{value}</strong><span class=dim>{detail}</span></div>")
        })
        .collect();
    format!("<div class=cards>{cards}</div>")
}

/// Id, title and HTML of a section.
pub(super) type Part = Option<(&'static str, &'static str, String)>;

fn changes(run: &RunExport) -> Part {
    let changes = run.evidence.changes.as_ref()?;
    let mut out = match &run.diff {
        Some(text) => diff(text),
        None => changes.files.iter().map(|file| format!("<p>{}</p>", code(file))).collect(),
    };
    if let Some(base) = &changes.base_commit {
        let _ = write!(out, "<p class=dim>against {}</p>", code(base));
    }
    (!out.is_empty()).then_some(("changes", "Changes", out))
}

fn boot(run: &RunExport) -> Part {
    let boot = run.evidence.boot_status.as_ref()?;
    let mut out = facts(&[
        ("Outcome", escape(&name_of(&boot.status))),
        ("Decided by", boot.matched.as_deref().map(code).unwrap_or_default()),
        ("Pattern", boot.pattern.as_deref().map(code).unwrap_or_default()),
    ]);
    if let Some(text) = boot.log_file.as_ref().and_then(|name| run.logs.get(name)) {
        let matched = boot.matched.as_deref().map(str::trim).filter(|matched| !matched.is_empty());
        let class = if boot.status == BootOutcome::Success { "hit" } else { "hit bad" };
        out.push_str("<pre class=\"log console\">");
        for line in text.text.lines() {
            let is_hit = matched.is_some_and(|matched| line.contains(matched));
            let line = escape(line);
            let _ = if is_hit {
                writeln!(out, "<mark class=\"{class}\">{line}</mark>")
            } else {
                writeln!(out, "{line}")
            };
        }
        out.push_str("</pre>");
    }
    Some(("boot", "Boot log", out))
}

fn model(run: &RunExport) -> Part {
    let llm = run.evidence.llm.as_ref()?;
    let mut out =
        format!("<p>{} <span class=dim>from {}</span></p>", code(&llm.model), escape(&llm.provider));
    out.push_str(
        "<table><thead><tr><th>Call<th class=num>Read<th class=num>From cache<th class=num>Written<th class=num>Time<th class=num>Cost</tr></thead><tbody>",
    );
    let cost = |cost: Option<f64>| cost.map(dollars).unwrap_or_else(|| "–".into());
    for call in &llm.calls {
        let _ = write!(
            out,
            "<tr><td>{}<td class=num>{}<td class=num>{}<td class=num>{}<td class=num>{}<td class=num>{}</tr>",
            escape(&call.purpose),
            grouped(call.usage.input_tokens),
            grouped(call.usage.cache_read_tokens),
            grouped(call.usage.output_tokens),
            duration(call.duration_ms),
            cost(call.cost_usd)
        );
    }
    let _ = write!(
        out,
        "</tbody><tfoot><tr><td>Together<td class=num>{}<td><td class=num>{}<td><td class=num>{}</tr></tfoot></table>",
        grouped(llm.total_input_tokens),
        grouped(llm.total_output_tokens),
        cost(llm.estimated_cost_usd)
    );
    Some(("model", "Model and cost", out))
}

fn agent(run: &RunExport) -> Part {
    let agentic = run.evidence.agentic.as_ref()?;
    let mut out = facts(&[
        ("Session", code(&agentic.session)),
        ("Turn", agentic.turn.to_string()),
        ("Iterations", agentic.iterations.to_string()),
        ("Ended", escape(&agentic.stop_reason)),
        ("Files read", escape(&agentic.files_read.join(", "))),
        ("Files written", escape(&agentic.files_written.join(", "))),
    ]);
    // Where calls have their time, the tools above are all of them.
    for call in agentic.calls.iter().filter(|call| call.start_time.is_none()) {
        let class = if call.success { "good" } else { "bad" };
        let arguments = serde_json::to_string_pretty(&call.arguments).unwrap_or_default();
        let _ = write!(
            out,
            "<details class=tool><summary><span class=\"dot {class}\"></span><strong>{}</strong><code class=command>{}</code>\
             <span class=time>{}</span></summary><pre class=log>{}</pre></details>",
            escape(&call.tool),
            escape(&call.arguments.to_string()),
            duration(call.duration_ms),
            escape(&arguments)
        );
    }
    Some(("agent", "What the agent did", out))
}

fn artifacts(run: &RunExport) -> Part {
    let evidence = &run.evidence;
    let mut out = String::new();
    if !evidence.artifacts.is_empty() {
        out.push_str("<table><thead><tr><th>File<th>Kind<th class=num>Bytes<th>SHA-256</tr></thead><tbody>");
        for artifact in &evidence.artifacts {
            let _ = write!(
                out,
                "<tr><td>{}<td>{}<td class=num>{}<td><code class=hash>{}</code></tr>",
                code(&artifact.path),
                escape(&artifact.kind),
                grouped(artifact.size),
                escape(&artifact.sha256)
            );
        }
        out.push_str("</tbody></table>");
    }
    if let Some(flash) = &evidence.flash {
        out += &facts(&[
            ("Flashed to", escape(&flash.board)),
            ("Image", code(&flash.image)),
            ("Built by", flash.build_run.as_deref().map(code).unwrap_or_default()),
            (
                "Proof",
                format!(
                    "{} — {}",
                    escape(&flash.proof.method),
                    if flash.proof.ok { "holds" } else { "does not hold" }
                ),
            ),
            ("Detail", flash.proof.detail.as_deref().map(escape).unwrap_or_default()),
        ]);
    }
    if let Some(sbom) = &evidence.sbom {
        let list = escape(&sbom.components.join(", "));
        out += &facts(&[
            ("SBOM", format!("{} {} — {}", escape(&sbom.format), escape(&sbom.version), code(&sbom.path))),
            ("Components", list),
        ]);
    }
    (!out.is_empty()).then_some(("artifacts", "What was made", out))
}

fn debug(run: &RunExport) -> Part {
    let debug = run.evidence.debug.as_ref()?;
    let mut out = facts(&[
        ("Image", code(&debug.elf)),
        ("Build id", debug.build_id.as_deref().map(code).unwrap_or_default()),
        ("Fault", debug.fault.as_deref().map(escape).unwrap_or_default()),
    ]);
    for step in &debug.steps {
        let class = if step.ok { "good" } else { "bad" };
        let _ = write!(
            out,
            "<details class=tool open><summary><span class=\"dot {class}\"></span><code class=command>{}</code></summary>\
             <pre class=log>{}</pre></details>",
            escape(&step.command),
            escape(&step.result)
        );
    }
    Some(("debug", "Debug session", out))
}

fn claims(run: &RunExport) -> Part {
    let mut out = String::new();
    for claim in &run.evidence.claims {
        let _ = write!(
            out,
            "<li><strong>{}</strong> {} <span class=dim>{}</span></li>",
            escape(&name_of(&claim.kind)),
            escape(&claim.statement),
            escape(&claim.runs.join(", "))
        );
    }
    (!out.is_empty()).then(|| ("claims", "Claims", format!("<ul class=plain>{out}</ul>")))
}

fn details(run: &RunExport) -> Part {
    let evidence = &run.evidence;
    let waivers: String = evidence
        .waivers
        .iter()
        .map(|waiver| format!("<span class=\"pill warn\">{}</span> ", escape(waiver)))
        .collect();
    let signature = evidence.signature.as_ref();
    let hardware: Vec<String> = evidence
        .hardware
        .iter()
        .flat_map(|hardware| &hardware.details)
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let out = facts(&[
        ("Walls weakened", waivers),
        ("Board state", escape(&hardware.join("\n"))),
        (
            "Signed with",
            signature
                .map(|s| format!("{} {}", escape(&s.algorithm), code(&s.public_key)))
                .unwrap_or_default(),
        ),
        (
            "Signature",
            signature
                .map(|s| format!("<code class=hash>{}</code>", escape(&s.signature)))
                .unwrap_or_default(),
        ),
        ("Ended", evidence.end_time.as_deref().map(moment).unwrap_or_default()),
    ]);
    out.contains("<dt>").then_some(("details", "Signature and surroundings", out))
}
