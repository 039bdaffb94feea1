//! `plan_mode`: the model gives up its right to change anything, to plan first. Only the user gives it back.

use super::SessionWorld;
use crate::prelude::*;

/// Enter plan mode: read and plan first, change nothing until the user approves. For large or risky work.
#[derive(Deserialize, JsonSchema)]
pub struct PlanMode {}

impl Tool<SessionWorld> for PlanMode {
    const NAME: &str = "plan_mode";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 3;
    const PARALLEL: bool = false;

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        ctx.core()?.set_mode(Mode::Plan)?;
        Ok(ToolOutcome::ok("Plan mode is on."))
    }
}
