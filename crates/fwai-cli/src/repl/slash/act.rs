//! `/act`: carry things out again; with words, those.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_schema::permission::Mode;

pub fn run(rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    conversation.set_mode(context, Mode::Auto);
    if !rest.is_empty() {
        conversation.say(context, rest)?;
    }
    Ok(Next::Continue)
}
