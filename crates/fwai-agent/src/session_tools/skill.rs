//! `skill`: carries out a workflow, or loads the instructions of a `SKILL.md`.

use super::SessionWorld;
use crate::{core::Core, fence, outcome::text_of, prelude::*, skills::runner};
use fwai_schema::message::ToolResultContent;
use serde_json::Value;
use std::collections::BTreeMap;

/// Use a skill: a workflow is run step by step with `inputs`; other skills return instructions to follow.
#[derive(Deserialize, JsonSchema)]
pub struct Skill {
    name: String,
    #[serde(default)]
    inputs: BTreeMap<String, String>,
}

impl Tool<SessionWorld> for Skill {
    const NAME: &str = "skill";
    // The steps of a workflow build, flash and run commands; each is judged again by policy.
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 4;

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        let core = ctx.core()?;
        if let Some(problem) = unknown(&core, &self.name) {
            return Ok(ToolOutcome::failed(problem));
        }
        if core.host.library.workflow(&self.name).is_some() {
            // The future holds that of every call it makes, and so itself.
            let run = Box::pin(runner::run_inside(&core, &self.name, &self.inputs, ctx.cancel()));
            let mut outcome = run.await?;
            // What a workflow printed is data, though this tool's own words are not.
            let text = fence::data(&self.name, &text_of(&outcome.content));
            outcome.content = vec![ToolResultContent::Text { text }];
            return Ok(outcome);
        }
        let inputs = Value::Object(self.inputs.into_iter().map(|(key, value)| (key, value.into())).collect());
        match core.host.library.run_skill(&self.name, &inputs).await? {
            Some(mut outcome) => {
                // What a workflow printed is data, though this tool's own words are not.
                let text = fence::data(&self.name, &text_of(&outcome.content));
                outcome.content = vec![ToolResultContent::Text { text }];
                Ok(outcome)
            }
            None => Ok(match core.host.library.skill_document(&self.name) {
                Ok(text) => ToolOutcome::ok(text),
                Err(error) => ToolOutcome::failed(error.what),
            }),
        }
    }
}

/// Why there is no such skill.
pub(super) fn unknown(core: &Core, name: &str) -> Option<String> {
    let skills = core.host.library.skills();
    if skills.iter().any(|skill| skill.name == name) {
        return None;
    }
    let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
    Some(format!("there is no skill `{name}`; there are: {}", names.join(", ")))
}
