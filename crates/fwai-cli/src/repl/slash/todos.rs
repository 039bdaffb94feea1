//! `/todos`: what the agent still has to do.

use super::{Next, Repl};
use crate::{context::Context, failure::Failure, language::say};
use fwai_schema::todo::{Todo, TodoStatus};

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let (context, conversation) = (&repl.context, &repl.conversation);
    if conversation.todos.is_empty() {
        context.print(say!("repl-no-todos"));
    }
    show(context, &conversation.todos, None, 0);
    Ok(Next::Continue)
}

fn show(context: &Context, todos: &[Todo], parent: Option<&str>, depth: usize) {
    for todo in todos.iter().filter(|todo| todo.parent.as_deref() == parent && depth < 16) {
        let mark = match todo.status {
            TodoStatus::Pending => "[ ]",
            TodoStatus::InProgress => "[>]",
            TodoStatus::Completed => "[x]",
            TodoStatus::Cancelled => "[-]",
        };
        context.print(format_args!("{}{mark} {}", "  ".repeat(depth), todo.content));
        show(context, todos, Some(&todo.id), depth + 1);
    }
}
