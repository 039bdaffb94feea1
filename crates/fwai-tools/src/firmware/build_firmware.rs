//! `build_firmware`: builds the project and answers with what is wrong, likely causes first.

use super::program::{fwai, tail};
use crate::prelude::*;
use serde_json::Value;
use std::time::Duration;

const SHOWN: usize = 20;

/// Build the firmware with the project's own command; answers with structured errors and warnings, or the artefacts. Leaves evidence.
#[derive(Deserialize, JsonSchema)]
pub struct BuildFirmware {
    /// Clean first.
    #[serde(default)]
    clean: bool,
}

impl Tool<World> for BuildFirmware {
    const NAME: &str = "build_firmware";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let arguments: &[&str] = if self.clean { &["build", "--clean"] } else { &["build"] };
        let limit = Duration::from_secs(ctx.project.build.timeout_s.unwrap_or(1_800) + 30);
        let said = fwai(ctx, arguments, limit).await?;
        if let Some(failure) = said.failure() {
            return Ok(failure);
        }
        let mut lines =
            vec![format!("build: {} (run {})", text(&said.object["status"]), text(&said.object["run_id"]))];
        let diagnostics = said.object["diagnostics"].as_array().cloned().unwrap_or_default();
        lines.extend(diagnostics.iter().take(SHOWN).map(diagnostic));
        if diagnostics.len() > SHOWN {
            lines.push(format!("({} more)", diagnostics.len() - SHOWN));
        }
        if !said.ok && diagnostics.is_empty() {
            lines.push(tail(&said.notes, 4_000).to_owned());
        }
        for artifact in said.object["artifacts"].as_array().into_iter().flatten() {
            lines.push(format!(
                "{} {} ({} bytes)",
                text(&artifact["kind"]),
                text(&artifact["path"]),
                artifact["size"]
            ));
        }
        Ok(said.outcome(lines.join("\n")))
    }
}

fn diagnostic(one: &Value) -> String {
    let place = match (one["file"].as_str(), one["line"].as_u64()) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    };
    format!("{place}{}: {}", text(&one["severity"]), text(&one["message"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}
