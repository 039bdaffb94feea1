//! `memory_analysis`: what fills flash and RAM.

use super::program::fwai;
use crate::prelude::*;
use serde_json::Value;
use std::time::Duration;

/// Show how full each memory region is, the largest symbols and files, and growth against another ELF or git revision.
#[derive(Deserialize, JsonSchema)]
pub struct MemoryAnalysis {
    /// ELF; the newest build's unless given.
    #[serde(default)]
    elf: Option<String>,
    /// ELF to compare with.
    #[serde(default)]
    against: Option<String>,
}

impl Tool<World> for MemoryAnalysis {
    const NAME: &str = "memory_analysis";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let mut arguments = vec!["memory"];
        arguments.extend(self.elf.as_deref());
        if let Some(against) = &self.against {
            arguments.extend(["--against", against]);
        }
        if arguments[1..].iter().any(|argument| argument.starts_with('-') && *argument != "--against") {
            return Ok(ToolOutcome::failed("a path may not begin with `-`; write ./-name"));
        }
        let said = fwai(ctx, &arguments, Duration::from_secs(120)).await?;
        if let Some(failure) = said.failure() {
            return Ok(failure);
        }
        let object = &said.object;
        let mut lines = Vec::new();
        for region in object["regions"].as_array().into_iter().flatten() {
            let (used, length) =
                (region["used"].as_u64().unwrap_or(0), region["length"].as_u64().unwrap_or(0));
            let percent = if length > 0 { 100.0 * used as f64 / length as f64 } else { 0.0 };
            lines.push(format!("{}: {used} of {length} bytes ({percent:.1} %)", name(region)));
        }
        lines.push("largest symbols:".to_owned());
        for symbol in object["symbols"].as_array().into_iter().flatten().take(20) {
            let file = symbol["file"].as_str().map(|file| format!("  {file}")).unwrap_or_default();
            lines.push(format!("  {:>8}  {}{file}", symbol["size"], name(symbol)));
        }
        if !object["delta"].is_null() {
            lines.push(format!(
                "growth: {}",
                object["delta"].to_string().chars().take(4_000).collect::<String>()
            ));
        }
        Ok(said.outcome(lines.join("\n")))
    }
}

fn name(value: &Value) -> &str {
    value["name"].as_str().unwrap_or("?")
}
