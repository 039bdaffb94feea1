//! `todo_write`: replaces the session's list of todos.

use super::SessionWorld;
use crate::{prelude::*, todos};
use fwai_schema::{event::EventBody, todo::Todo};

/// Replace the todo list. Send the whole list: unique ids, non-empty content, at most one in_progress; `parent` makes an
/// entry part of another.
#[derive(Deserialize, JsonSchema)]
pub struct TodoWrite {
    todos: Vec<Todo>,
}

impl Tool<SessionWorld> for TodoWrite {
    const NAME: &str = "todo_write";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 3;
    // Two lists at once would race for the last word.
    const PARALLEL: bool = false;

    fn examples() -> Vec<Example> {
        examples![
            (
                "one step in progress",
                {"todos": [{"id": "1", "content": "read src/uart.c", "status": "in_progress"}]},
                contains "1 open"
            ),
            (
                "two in progress are refused",
                {"todos": [
                    {"id": "1", "content": "a", "status": "in_progress"},
                    {"id": "2", "content": "b", "status": "in_progress"}
                ]},
                fails_with "in_progress"
            )
        ]
    }

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        if let Err(problem) = todos::check(&self.todos) {
            return Ok(ToolOutcome::failed(problem));
        }
        let summary = todos::summary(&self.todos);
        ctx.core()?.emit(EventBody::TodosUpdated { todos: self.todos })?;
        Ok(ToolOutcome::ok(summary))
    }
}
