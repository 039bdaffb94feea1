//! `/mode`: how much may be done without asking.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_schema::permission::Mode;

pub fn run(rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    if rest.is_empty() {
        context.print(conversation.status().first().cloned().unwrap_or_default());
        return Ok(Next::Continue);
    }
    match Mode::ALL.into_iter().find(|mode| mode.as_str() == rest) {
        Some(mode) => {
            conversation.set_mode(context, mode);
            Ok(Next::Continue)
        }
        None => {
            Err(Failure::usage(format_args!("there is no mode `{rest}`")).hint("plan, ask, auto or yolo"))
        }
    }
}
