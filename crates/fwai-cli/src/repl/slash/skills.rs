//! `/skills`: workflows that can be run.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_app::library;

pub fn run(_rest: &str, context: &Context, _conversation: &mut Conversation) -> Result<Next, Failure> {
    for (name, skill) in library::skills(&context.paths) {
        context.print(format_args!("  {name:<22} {}", skill.description()));
    }
    Ok(Next::Continue)
}
