//! `/agents`: agents that tasks can be given to.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_app::library;

pub fn run(_rest: &str, context: &Context, _conversation: &mut Conversation) -> Result<Next, Failure> {
    context
        .print(format_args!("  {:<16} {}", "explorer", "looks around without changing anything (built in)"));
    for agent in library::agents(&context.paths) {
        context.print(format_args!("  {:<16} {}", agent.name, agent.description));
    }
    context.note("Agents are files in .fwai/agents/*.yaml, once the project is trusted (`fwai trust`).");
    Ok(Next::Continue)
}
