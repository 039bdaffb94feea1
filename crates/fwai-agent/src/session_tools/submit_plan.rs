//! `submit_plan`: shows the plan and the files it will touch; the user approves, or says what to do instead.

use super::SessionWorld;
use crate::{asking::Asked, plan, prelude::*, prompt};
use fwai_schema::event::{Question, QuestionOption};

const APPROVE: &str = "Approve and execute";

/// Submit the plan file for the user's approval. Ends plan mode when approved.
#[derive(Deserialize, JsonSchema)]
pub struct SubmitPlan {
    /// The whole plan in Markdown, where it is not in the plan file yet.
    plan: Option<String>,
}

impl Tool<SessionWorld> for SubmitPlan {
    const NAME: &str = "submit_plan";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 3;
    const PARALLEL: bool = false;

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        let core = ctx.core()?;
        if core.mode() != Mode::Plan {
            return Ok(ToolOutcome::failed("submit_plan works in plan mode only; enter it with plan_mode"));
        }
        if let Some(text) = &self.plan {
            core.host.files.write_plan(ctx.session(), text).await?;
        }
        let path = core.plan_path();
        let Some(text) = plan::announce(&core).await? else {
            return Ok(ToolOutcome::failed(format!("there is no plan yet; write it to {path} first")));
        };
        let length = text.trim().chars().count();
        if length < plan::SHORTEST_PLAN {
            return Ok(ToolOutcome::failed(format!(
                "the plan has {length} characters, at least {} are needed: say what changes where and how it is verified",
                plan::SHORTEST_PLAN
            )));
        }
        let asked = core.ask_questions(vec![question()], Some(shown(&text)), ctx.cancel()).await?;
        let answer = match asked {
            Asked::Answered(mut answers) => answers.pop().unwrap_or_default(),
            Asked::Nobody => return Ok(ToolOutcome::failed("Nobody is there to approve the plan.")),
            Asked::Interrupted => return Ok(ToolOutcome::failed(crate::history::INTERRUPTED_CALL)),
        };
        let words = answer.text.filter(|text| !text.trim().is_empty());
        // Words beside an approval change the plan; only a plain approval opens the door.
        if let Some(words) = words {
            return Ok(ToolOutcome::ok(format!("The user did not approve the plan. They say: {words}")));
        }
        if !answer.choices.iter().any(|choice| choice == APPROVE) {
            return Ok(ToolOutcome::ok("The user did not approve the plan. Ask what should be different."));
        }
        let act = core.state().act_mode;
        core.set_mode(act)?;
        core.inject_later(prompt::approved_plan(&text));
        Ok(ToolOutcome::ok("The user approved the plan."))
    }
}

fn question() -> Question {
    let approve = QuestionOption {
        label: APPROVE.into(),
        description: Some("Leave plan mode and carry it out".into()),
    };
    let keep = QuestionOption { label: "Keep planning".into(), description: None };
    Question {
        question: "Do you approve this plan?".into(),
        options: vec![approve, keep],
        multiple: false,
        free_text: true,
    }
}

/// The plan with the list of files that it will touch.
fn shown(text: &str) -> String {
    let files = plan::files_named(text);
    if files.is_empty() {
        return format!("{text}\n\n_The plan names no files._");
    }
    let list: Vec<String> = files.iter().map(|file| format!("- `{file}`")).collect();
    format!("{text}\n\n**Files that this plan will touch**\n{}", list.join("\n"))
}
