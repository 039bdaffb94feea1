//! `/resume`: goes on with an earlier session.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_app::session_store::SessionStore;

pub fn run(rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    let wanted = if rest.is_empty() { "last" } else { rest };
    let id = SessionStore::new(&context.paths.project).resolve(wanted).map_err(Failure::usage)?;
    context.note(format_args!("going on with {id}"));
    conversation.resume(context, id);
    Ok(Next::Continue)
}
