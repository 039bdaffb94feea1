//! `reset_board`: restarts the firmware and watches it boot.

use super::{program::fwai, read_console::console};
use crate::prelude::*;
use std::time::Duration;

/// Restart the board and report whether it booted.
#[derive(Deserialize, JsonSchema)]
pub struct ResetBoard {
    /// Seconds to wait for the boot banner; 10 unless given.
    #[serde(default)]
    seconds: Option<u64>,
}

impl Tool<World> for ResetBoard {
    const NAME: &str = "reset_board";
    const LEVEL: Level = Level::Device(DeviceVerb::Reset);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let seconds = self.seconds.unwrap_or(10).clamp(1, 600);
        let time = format!("{seconds}s");
        let arguments: &[&str] = match self.seconds {
            Some(_) => &["monitor", "--reset", "--for", &time],
            None => &["monitor", "--reset"],
        };
        let said = fwai(ctx, arguments, Duration::from_secs(seconds + 60)).await?;
        Ok(console(ctx, &said, !ctx.project.boot.success_patterns.is_empty()))
    }
}
