//! `read_skill_documentation`: how a skill is used, in full.

use super::SessionWorld;
use crate::prelude::*;

/// Read how a skill works before using it.
#[derive(Deserialize, JsonSchema)]
pub struct ReadSkillDocumentation {
    name: String,
}

impl Tool<SessionWorld> for ReadSkillDocumentation {
    const NAME: &str = "read_skill_documentation";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 4;

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        let core = ctx.core()?;
        if let Some(problem) = super::skill::unknown(&core, &self.name) {
            return Ok(ToolOutcome::failed(problem));
        }
        Ok(match core.host.library.skill_document(&self.name) {
            Ok(text) => ToolOutcome::ok(text),
            Err(error) => ToolOutcome::failed(error.what),
        })
    }
}
