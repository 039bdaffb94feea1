//! `read_registers`: core registers, or peripheral registers by name from the SVD file.

use super::gdb::debug;
use crate::prelude::*;

/// Read core registers, or a peripheral such as `USART1` or `USART1.CR1` decoded to its fields (needs an SVD file in project.yaml).
#[derive(Deserialize, JsonSchema)]
pub struct ReadRegisters {
    /// Peripheral or register; the core's registers unless given.
    #[serde(default)]
    name: Option<String>,
}

impl Tool<World> for ReadRegisters {
    const NAME: &str = "read_registers";
    const LEVEL: Level = Level::Device(DeviceVerb::Reset);
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let command = match &self.name {
            Some(name) => format!("svd {name}"),
            None => "registers".to_owned(),
        };
        debug(ctx, &[command], true, 15).await
    }
}
