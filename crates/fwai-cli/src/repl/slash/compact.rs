//! `/compact`: shortens the conversation now.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_schema::op::Op;

pub fn run(_rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    conversation.send(context, Op::Compact)?;
    context.note("the conversation will be shortened before the next answer");
    Ok(Next::Continue)
}
