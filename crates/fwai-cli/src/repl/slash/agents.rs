//! `/agents`: agents that tasks can be given to.

use super::{Next, Repl};
use crate::{failure::Failure, language::say};
use fwai_app::library;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let context = &repl.context;
    context.print(format_args!("  {:<16} {}", "explorer", say!("repl-explorer")));
    for agent in library::agents(&context.paths) {
        context.print(format_args!("  {:<16} {}", agent.name, agent.description));
    }
    context.note(say!("repl-agents-where"));
    Ok(Next::Continue)
}
