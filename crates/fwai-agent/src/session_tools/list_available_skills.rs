//! `list_available_skills`: what can be learnt here.

use super::SessionWorld;
use crate::prelude::*;

/// List skills: workflows and know-how of this project. Look here when a task is unfamiliar.
#[derive(Deserialize, JsonSchema)]
pub struct ListAvailableSkills {}

impl Tool<SessionWorld> for ListAvailableSkills {
    const NAME: &str = "list_available_skills";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 4;

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        let skills = ctx.core()?.host.library.skills();
        let lines: Vec<String> =
            skills.iter().map(|skill| format!("{}: {}", skill.name, skill.description)).collect();
        Ok(ToolOutcome::ok(if lines.is_empty() {
            "There are no skills here.".into()
        } else {
            lines.join("\n")
        }))
    }
}
