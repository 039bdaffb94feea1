//! `/fork`: goes on in a copy of this session, from a turn if one is named.

use super::{Next, Repl};
use crate::{failure::Failure, language::say, repl::recall};
use fwai_agent::{config::new_session_id, host::Clock};
use fwai_app::{native_clock::NativeClock, session_store::SessionStore};

/// The next step where a turn does not exist.
const HOW: &str = "/fork copies all of it, /fork 2 its first two turns; /sessions show last lists the turns";

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let context = &repl.context;
    let store = SessionStore::new(&context.paths.project);
    let id = match repl.conversation.id() {
        Some(id) => id.to_owned(),
        None => store.resolve("last")?,
    };
    let turn =
        match rest {
            "" => None,
            number => Some(number.parse().map_err(|_| {
                Failure::usage(format_args!("`{number}` is not the number of a turn")).hint(HOW)
            })?),
        };
    let clock = NativeClock::default();
    let copy = new_session_id(&clock);
    store.fork(&id, turn, &copy, &clock.now()).map_err(|error| Failure::from(error).hint(HOW))?;
    let events = repl.conversation.resume(context, copy.clone())?;
    context.note(say!("repl-going-on-copy", copy = copy, id = id));
    // From an earlier turn on, that turn's words are the last ones.
    if turn.is_some() {
        recall::show_last(context, &events);
    }
    Ok(Next::Continue)
}
