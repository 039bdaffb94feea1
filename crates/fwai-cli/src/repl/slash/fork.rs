//! `/fork`: goes on in a copy of this session, from a turn if one is named.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_agent::{config::new_session_id, host::Clock};
use fwai_app::{native_clock::NativeClock, session_store::SessionStore};

pub fn run(rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    let store = SessionStore::new(&context.paths.project);
    let id = match conversation.id() {
        Some(id) => id.to_owned(),
        None => store.resolve("last").map_err(Failure::usage)?,
    };
    let turn = match rest {
        "" => None,
        number => Some(number.parse().map_err(|_| Failure::usage("write /fork, or /fork TURN"))?),
    };
    let clock = NativeClock::default();
    let copy = new_session_id(&clock);
    conversation.close(context);
    store.fork(&id, turn, &copy, &clock.now()).map_err(Failure::usage)?;
    context.note(format_args!("going on in {copy}, a copy of {id}"));
    conversation.resume(context, copy);
    Ok(Next::Continue)
}
