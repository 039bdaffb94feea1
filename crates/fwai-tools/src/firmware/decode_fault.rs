//! `decode_fault`: why the core faulted, in words, with function and line.

use super::gdb::debug;
use crate::prelude::*;

/// Read the fault registers and the stacked frame of the running target and say in words what happened and where.
#[derive(Deserialize, JsonSchema)]
pub struct DecodeFault {}

impl Tool<World> for DecodeFault {
    const NAME: &str = "decode_fault";
    const LEVEL: Level = Level::Device(DeviceVerb::Reset);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        debug(ctx, &["decode_fault".to_owned()], true, 15).await
    }
}
