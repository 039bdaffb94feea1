//! `/fork`: goes on in a copy of this session, from a turn if one is named.

use super::{Next, Repl};
use crate::{failure::Failure, language::say};
use fwai_agent::{config::new_session_id, host::Clock};
use fwai_app::{native_clock::NativeClock, session_store::SessionStore};

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let context = &repl.context;
    let store = SessionStore::new(&context.paths.project);
    let id = match repl.conversation.id() {
        Some(id) => id.to_owned(),
        None => store.resolve("last")?,
    };
    let turn = match rest {
        "" => None,
        number => Some(number.parse().map_err(|_| Failure::usage("write /fork, or /fork TURN"))?),
    };
    let clock = NativeClock::default();
    let copy = new_session_id(&clock);
    store.fork(&id, turn, &copy, &clock.now())?;
    context.note(say!("repl-going-on-copy", copy = copy, id = id));
    repl.conversation.resume(context, copy);
    Ok(Next::Continue)
}
