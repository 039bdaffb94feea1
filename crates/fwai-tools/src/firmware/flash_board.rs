//! `flash_board`: the newest build to the board, with proof that it is there.

use super::program::fwai;
use crate::prelude::*;
use std::time::Duration;

/// Put the newest successful build on the board and prove that exactly this image is there. Leaves evidence.
#[derive(Deserialize, JsonSchema)]
pub struct FlashBoard {
    /// Board; the project's unless given.
    #[serde(default)]
    board: Option<String>,
}

impl Tool<World> for FlashBoard {
    const NAME: &str = "flash_board";
    const LEVEL: Level = Level::Device(DeviceVerb::Flash);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let mut arguments = vec!["flash"];
        if let Some(board) = &self.board {
            arguments.extend(["--board", board]);
        }
        let said = fwai(ctx, &arguments, Duration::from_secs(600)).await?;
        if let Some(failure) = said.failure() {
            return Ok(failure);
        }
        let object = &said.object;
        let text = |key: &str| object[key].as_str().unwrap_or("?").to_owned();
        let proof = &object["proof"];
        ctx.emit(fwai_schema::event::EventBody::Board {
            name: text("board"),
            state: "flashed".to_owned(),
            detail: proof["detail"].as_str().map(str::to_owned),
        });
        Ok(said.outcome(format!(
            "{}: {} on {} (run {}), proof by {}: {}",
            text("status"),
            text("image"),
            text("board"),
            text("run_id"),
            proof["method"].as_str().unwrap_or("?"),
            if proof["ok"] == true { "the image is there" } else { "not proven" },
        )))
    }
}
