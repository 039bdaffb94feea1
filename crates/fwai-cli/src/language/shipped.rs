//! What fwai ships as data, described in the user's language: skills (`skill-<name>`, with one attribute for each
//! input) and rules for secrets (`secret-<id>`). Their English stands in the data; what users write stays as
//! it is.

use super::texts::translation;
use fwai_app::library::{Skill, Workflow};
use fwai_schema::skill::SkillInput;

/// What a skill is for.
pub fn of_skill(skill: &Skill) -> String {
    match skill {
        Skill::Workflow(workflow) => of_workflow(workflow),
        Skill::Document { .. } => skill.description().to_owned(),
    }
}

pub fn of_workflow(workflow: &Workflow) -> String {
    shipped(workflow, None).unwrap_or_else(|| workflow.definition.description.clone())
}

/// What an input of a skill is for.
pub fn of_input(workflow: &Workflow, name: &str, input: &SkillInput) -> String {
    shipped(workflow, Some(name)).unwrap_or_else(|| input.description.clone())
}

fn shipped(workflow: &Workflow, input: Option<&str>) -> Option<String> {
    let key = format!("skill-{}", workflow.definition.name);
    workflow.is_shipped().then(|| translation(&key, input, &[]))?
}

/// What a rule for secrets finds.
pub fn of_secret(rule: &str, title: &str) -> String {
    translation(&format!("secret-{rule}"), None, &[]).unwrap_or_else(|| title.to_owned())
}
