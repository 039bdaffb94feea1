//! Skills: the head of a `SKILL.md`, a YAML workflow written out for a reader, and below the workflow's
//! own rooms: [`check`] before it runs, [`condition`] and [`variables`] of its steps, and the runner
//! with its stepping.

pub mod check;
pub mod condition;
mod model_step;
pub(crate) mod runner;
mod stepping;
pub mod steps;
pub mod variables;

use fwai_schema::{
    document::Document,
    skill::{OnFail, SkillDef, StepAction},
};
use thiserror::Error;

/// The name of a provider that stands for no model at all.
pub const NO_MODEL: &str = "none";

/// A `SKILL.md`: what it says of itself, and its instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    pub name: String,
    /// One line.
    pub description: String,
    pub body: String,
}

/// Why a text is no skill.
#[derive(Debug, Clone, PartialEq, Eq, Error, fwai_schema::Speak)]
pub enum SkillFileError {
    #[error("{file}: no head; begin with `---`, `name:`, `description:` and `---`")]
    NoHead { file: String },
    #[error("{file}: the head never ends; close it with a line `---`")]
    OpenHead { file: String },
    #[error("{file}: {message}")]
    Yaml { file: String, message: String },
    #[error("{file}: `{key}` is missing in the head")]
    Missing { file: String, key: &'static str },
}

/// Reads a `SKILL.md`. `file` is for messages; the name defaults to `folder`.
pub fn parse(file: &str, folder: &str, text: &str) -> Result<SkillFile, SkillFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---").and_then(|rest| rest.strip_prefix(['\n', '\r']));
    let rest = rest.ok_or_else(|| SkillFileError::NoHead { file: file.into() })?;
    let mut head_end = None;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            head_end = Some((at, at + line.len()));
            break;
        }
        at += line.len();
    }
    let (head_end, body_start) = head_end.ok_or_else(|| SkillFileError::OpenHead { file: file.into() })?;
    let head = Document::parse(file, &rest[..head_end])
        .map_err(|problem| SkillFileError::Yaml { file: file.into(), message: problem.to_string() })?;
    let head = head.root.to_json();
    let field = |key: &str| head.get(key).and_then(|value| value.as_str()).map(one_line);
    let name = field("name").unwrap_or_else(|| folder.to_owned());
    let description = field("description").filter(|text| !text.is_empty());
    let description =
        description.ok_or_else(|| SkillFileError::Missing { file: file.into(), key: "description" })?;
    Ok(SkillFile { name, description, body: rest[body_start..].trim().to_owned() })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A workflow for a reader: what it takes and what it does, step by step.
pub fn written_out(skill: &SkillDef) -> String {
    let mut out = format!("# {}\n{}\n", skill.name, skill.description);
    if !skill.inputs.is_empty() {
        out.push_str("\nInputs:\n");
        for (name, input) in &skill.inputs {
            let default =
                input.default.as_ref().map(|value| format!(", default {value}")).unwrap_or_default();
            let required = if input.required { ", required" } else { "" };
            out.push_str(&format!("- {name}: {}{default}{required}\n", input.description));
        }
    }
    out.push_str("\nSteps:\n");
    for (number, step) in skill.steps.iter().enumerate() {
        let what = match (&step.tool, step.action) {
            (Some(tool), _) if step.arguments.is_empty() => format!("tool {tool}"),
            (Some(tool), _) => {
                let arguments = serde_json::to_string(&step.arguments).unwrap_or_default();
                format!("tool {tool} {arguments}")
            }
            (None, Some(StepAction::Evidence)) => "write evidence".into(),
            (None, Some(StepAction::LlmAnalyze)) => {
                format!("analyse: {}", step.prompt.as_deref().unwrap_or_default())
            }
            (None, Some(StepAction::Agentic)) => {
                format!("work on: {}", step.goal.as_deref().unwrap_or_default())
            }
            (None, None) => "nothing".into(),
        };
        let when = step.when.as_ref().map(|when| format!(", when {when}")).unwrap_or_default();
        let fails = match step.on_fail {
            OnFail::Abort => "",
            OnFail::Retry => ", retried when it fails",
            OnFail::Continue | OnFail::Ignore => ", goes on when it fails",
        };
        out.push_str(&format!("{}. {what}{when}{fails}\n", number + 1));
    }
    out.push_str(&format!("\nRun it with the skill tool: {{\"name\": \"{}\"}}\n", skill.name));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_file_says_what_it_is() {
        let text = "---\nname: bring-up\ndescription: >\n  Brings up a board\n  step by step.\nlicense: MIT\n---\n# Steps\n---\nok\n";
        let skill = parse("x/SKILL.md", "x", text).unwrap();
        assert_eq!(skill.name, "bring-up");
        assert_eq!(skill.description, "Brings up a board step by step.");
        assert_eq!(skill.body, "# Steps\n---\nok");
        let unnamed = parse("y/SKILL.md", "y", "---\r\ndescription: D\r\n---\r\nbody").unwrap();
        assert_eq!((unnamed.name.as_str(), unnamed.body.as_str()), ("y", "body"));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_file() {
        let wrong = |text: &str| parse("s/SKILL.md", "s", text).unwrap_err().to_string();
        assert_eq!(wrong("# hi"), "s/SKILL.md: no head; begin with `---`, `name:`, `description:` and `---`");
        assert_eq!(wrong("---\nname: x\n"), "s/SKILL.md: the head never ends; close it with a line `---`");
        assert_eq!(wrong("---\nname: x\n---\n"), "s/SKILL.md: `description` is missing in the head");
        assert!(wrong("---\nname: [\n---\n").starts_with("s/SKILL.md"));
    }
}
