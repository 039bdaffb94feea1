//! `init_project`: what the project's own files say, written down; answers fill in the rest.

use super::program::fwai;
use crate::prelude::*;
use serde_json::Value;
use std::{collections::BTreeMap, time::Duration};

/// Read build system, chip, board, commands and memory map from the project's own files into .fwai/project.yaml. `answers` says what they do not, by key (mcu, board, build_command, flash_command, serial_port, …). What a person wrote stays.
#[derive(Deserialize, JsonSchema)]
pub struct InitProject {
    #[serde(default)]
    answers: BTreeMap<String, String>,
}

impl Tool<World> for InitProject {
    const NAME: &str = "init_project";
    const LEVEL: Level = Level::Write;
    const GENERATION: u8 = 1;

    /// A command that is written down here runs later: it is judged as if it ran now.
    fn effects(&self) -> Effects {
        let commands: Vec<&str> = self
            .answers
            .iter()
            .filter(|(key, _)| key.ends_with("_command"))
            .map(|(_, command)| command.as_str())
            .collect();
        if commands.is_empty() { Effects::default() } else { Effects::command(commands.join("\n")) }
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let given: Vec<String> =
            self.answers.iter().map(|(key, value)| format!("--answer={key}={value}")).collect();
        let mut arguments = vec!["init"];
        arguments.extend(given.iter().map(String::as_str));
        let said = fwai(ctx, &arguments, Duration::from_secs(120)).await?;
        if !said.ok {
            let message = said.object["error"]["message"].as_str();
            return Ok(ToolOutcome::failed(
                message.map_or_else(|| said.notes.trim().to_owned(), str::to_owned),
            ));
        }
        let object = &said.object;
        let mut lines = Vec::new();
        for finding in object["findings"].as_array().into_iter().flatten() {
            let place = match (finding["file"].as_str(), finding["line"].as_u64()) {
                (Some(file), Some(line)) => format!("  ({file}:{line})"),
                _ => String::new(),
            };
            lines.push(format!("{}: {}{place}", text(&finding["key"]), text(&finding["value"])));
        }
        for guess in object["guesses"].as_array().into_iter().flatten() {
            lines.push(format!("{}: {}  (a guess, not written)", text(&guess["key"]), text(&guess["value"])));
        }
        for (key, value) in &self.answers {
            lines.push(format!("{key}: {value}  (answered)"));
        }
        for kept in object["kept"].as_array().into_iter().flatten() {
            lines.push(format!("{}: {} stays, a person wrote it", text(&kept["key"]), text(&kept["yours"])));
        }
        let list = |key: &str| {
            let items = object[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            items.collect::<Vec<_>>().join(", ")
        };
        lines.push(match list("written") {
            none if none.is_empty() => "everything in .fwai was up to date".to_owned(),
            written => format!("wrote {written}"),
        });
        match list("open") {
            none if none.is_empty() => {}
            missing => lines.push(format!("still open: {missing}")),
        }
        Ok(ToolOutcome::ok(lines.join("\n")))
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
