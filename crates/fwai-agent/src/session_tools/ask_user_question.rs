//! `ask_user_question`: asks the person, with options, several choices, or free words.

use super::SessionWorld;
use crate::{asking::Asked, prelude::*};
use fwai_schema::{event::Question, op::Answer};

/// Ask the user one or more questions and wait. Offer options where you can; they may also answer in their own words.
#[derive(Deserialize, JsonSchema)]
pub struct AskUserQuestion {
    questions: Vec<Question>,
}

impl Tool<SessionWorld> for AskUserQuestion {
    const NAME: &str = "ask_user_question";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 3;
    const PARALLEL: bool = false;

    fn examples() -> Vec<Example> {
        examples![("nothing to ask is refused", {"questions": []}, fails_with "at least one")]
    }

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        if self.questions.is_empty() || self.questions.len() > 8 {
            return Ok(ToolOutcome::failed("ask at least one and at most eight questions"));
        }
        for question in &self.questions {
            if question.question.trim().is_empty() {
                return Ok(ToolOutcome::failed("a question has no words"));
            }
            if question.options.is_empty() && !question.free_text {
                return Ok(ToolOutcome::failed("a question without options needs free_text"));
            }
        }
        let asked = ctx.core()?.ask_questions(self.questions.clone(), None, ctx.cancel()).await?;
        Ok(match asked {
            Asked::Answered(answers) => ToolOutcome::ok(told(&self.questions, &answers)),
            Asked::Nobody => ToolOutcome::failed("Nobody is there to answer."),
            Asked::Interrupted => ToolOutcome::failed(crate::history::INTERRUPTED_CALL),
        })
    }
}

fn told(questions: &[Question], answers: &[Answer]) -> String {
    let lines = questions.iter().zip(answers).map(|(question, answer)| {
        let mut said = answer.choices.clone();
        said.extend(answer.text.clone().filter(|text| !text.trim().is_empty()));
        let said = if said.is_empty() { "(no answer)".into() } else { said.join("; ") };
        format!("{} — {said}", question.question)
    });
    lines.collect::<Vec<_>>().join("\n")
}
