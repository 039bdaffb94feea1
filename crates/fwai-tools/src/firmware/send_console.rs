//! `send_console`: a line to the board, and what it answers.

use super::{program::fwai, read_console::console};
use crate::prelude::*;
use std::time::Duration;

/// Send a line to the board's console and read the answer.
#[derive(Deserialize, JsonSchema)]
pub struct SendConsole {
    /// The line; \n, \r, \t and \xNN are understood.
    text: String,
    /// Regular expression to wait for.
    #[serde(default)]
    until: Option<String>,
    /// Seconds to listen; 3 unless given.
    #[serde(default)]
    seconds: Option<u64>,
}

impl Tool<World> for SendConsole {
    const NAME: &str = "send_console";
    const LEVEL: Level = Level::Device(DeviceVerb::Reset);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let seconds = self.seconds.unwrap_or(3).clamp(1, 600);
        let time = format!("{seconds}s");
        let send = format!("--send={}", self.text);
        let mut arguments = vec!["monitor", "--new", &send, "--for", &time];
        if let Some(pattern) = &self.until {
            arguments.extend(["--until", pattern]);
        }
        let said = fwai(ctx, &arguments, Duration::from_secs(seconds + 30)).await?;
        Ok(console(ctx, &said, self.until.is_some()))
    }
}
