//! `/agents`: agents that tasks can be given to.

use super::{Next, Repl};
use crate::failure::Failure;
use fwai_app::library;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let context = &repl.context;
    context
        .print(format_args!("  {:<16} {}", "explorer", "looks around without changing anything (built in)"));
    for agent in library::agents(&context.paths) {
        context.print(format_args!("  {:<16} {}", agent.name, agent.description));
    }
    context.note("Agents are files in .fwai/agents/*.yaml, once the project is trusted (/trust).");
    Ok(Next::Continue)
}
