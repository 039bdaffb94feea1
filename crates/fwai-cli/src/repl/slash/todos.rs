//! `/todos`: what the agent still has to do.

use super::{Next, Repl};
use crate::{
    context::Context,
    failure::Failure,
    language::say,
    render::{Abilities, clean::clean_line, todo_mark},
};
use fwai_schema::todo::Todo;

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
        let (mark, _) = todo_mark(todo.status, Abilities::of_stdout());
        let content = clean_line(&todo.content);
        context.print(format_args!("  {}{mark} {content}", "  ".repeat(depth)));
        show(context, todos, Some(&todo.id), depth + 1);
    }
}
