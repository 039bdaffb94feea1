//! `gdb`: debugger commands on the running target.

use super::program::fwai;
use crate::prelude::*;
use std::time::Duration;

/// Debug the running target with GDB: a list such as ["break main", "continue", "backtrace", "locals", "print counter", "x/8x 0x20000000"]. The ELF must be what runs. Leaves evidence.
#[derive(Deserialize, JsonSchema)]
pub struct Gdb {
    commands: Vec<String>,
    /// Leave the core where it is instead of starting from reset.
    #[serde(default)]
    attach: bool,
    /// Seconds that a running command may take; 15 unless given.
    #[serde(default)]
    seconds: Option<u64>,
}

impl Tool<World> for Gdb {
    const NAME: &str = "gdb";
    const LEVEL: Level = Level::Device(DeviceVerb::Reset);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        if self.commands.is_empty() {
            return Ok(ToolOutcome::failed("no commands given"));
        }
        debug(ctx, &self.commands, self.attach, self.seconds.unwrap_or(15)).await
    }
}

/// Runs debugger commands; the answer has each with its result.
pub async fn debug(
    ctx: &ToolContext<World>,
    commands: &[String],
    attach: bool,
    seconds: u64,
) -> Result<ToolOutcome, HostError> {
    let seconds = seconds.clamp(1, 600);
    let timeout = format!("{seconds}s");
    let mut arguments = vec!["debug", "--target-only", "--timeout", &timeout];
    if attach {
        arguments.push("--attach");
    }
    let given: Vec<String> = commands.iter().map(|command| format!("--command={command}")).collect();
    arguments.extend(given.iter().map(String::as_str));
    let limit = Duration::from_secs(60 + seconds * commands.len() as u64);
    let said = fwai(ctx, &arguments, limit).await?;
    if let Some(failure) = said.failure() {
        return Ok(failure);
    }
    let mut lines = Vec::new();
    for step in said.object["steps"].as_array().into_iter().flatten() {
        let result = step["result"].as_str().map_or_else(|| step["result"].to_string(), str::to_owned);
        let mark = if step["ok"] == true { "" } else { " (failed)" };
        lines.push(format!("> {}{mark}\n{}", step["command"].as_str().unwrap_or("?"), result.trim_end()));
    }
    Ok(said.outcome(lines.join("\n")))
}
