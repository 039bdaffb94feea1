//! `read_console`: what the board says, and whether it booted.

use super::program::{Said, fwai, tail};
use crate::prelude::*;
use std::time::Duration;

/// Read the board's serial console. Waits for `until` (a regular expression) or, with `wait_for_boot`, for the project's boot patterns; faults in the output are decoded. Leaves evidence.
#[derive(Deserialize, JsonSchema)]
pub struct ReadConsole {
    /// Regular expression to wait for.
    #[serde(default)]
    until: Option<String>,
    /// Wait until the board has booted or failed to.
    #[serde(default)]
    wait_for_boot: bool,
    /// Seconds to listen; 5 unless given.
    #[serde(default)]
    seconds: Option<u64>,
    /// Only what comes from now on.
    #[serde(default)]
    new: bool,
}

impl Tool<World> for ReadConsole {
    const NAME: &str = "read_console";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 1;
    // One console, one listener.
    const PARALLEL: bool = false;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let seconds = self.seconds.unwrap_or(5).clamp(1, 600);
        let time = format!("{seconds}s");
        let mut arguments = vec!["monitor"];
        if let Some(pattern) = &self.until {
            arguments.extend(["--until", pattern]);
        }
        // Without a time the monitor ends as soon as the boot patterns have decided.
        if !self.wait_for_boot || self.until.is_some() || self.seconds.is_some() {
            arguments.extend(["--for", &time]);
        }
        if self.new {
            arguments.push("--new");
        }
        let said = fwai(ctx, &arguments, Duration::from_secs(seconds.max(60) + 30)).await?;
        Ok(console(ctx, &said, self.wait_for_boot || self.until.is_some()))
    }
}

/// The console's text with the verdict; without a question to answer, listening itself is the success.
pub fn console(ctx: &ToolContext<World>, said: &Said, must_match: bool) -> ToolOutcome {
    if let Some(failure) = said.failure() {
        return failure;
    }
    let object = &said.object;
    let text = object["log_file"]
        .as_str()
        .and_then(|file| std::fs::read(ctx.project_root().join(file)).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    let boot = &object["boot"];
    let mut answer = format!("boot: {}", boot["status"].as_str().unwrap_or("?"));
    if let Some(matched) = boot["matched"].as_str() {
        answer.push_str(&format!(" (`{matched}`)"));
    }
    for explanation in object["explanations"].as_array().into_iter().flatten() {
        let part = |key: &str| explanation[key].as_str().unwrap_or_default();
        let words = format!("{}: {}", part("kind"), part("summary"));
        answer.push_str(&format!("\n{words}"));
    }
    if !object["core"].is_null() {
        answer.push_str(&format!("\ncore: {}", object["core"]));
    }
    answer.push_str(&format!("\nconsole ({} bytes):\n{}", object["bytes"], tail(&text, 8_000)));
    let outcome = said.outcome(answer);
    ToolOutcome { success: said.ok || (!must_match && boot["status"] == "timeout"), ..outcome }
}
