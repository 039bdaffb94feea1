//! `/resume`: goes on with an earlier session.

use super::{Next, Repl};
use crate::failure::Failure;
use fwai_app::session_store::SessionStore;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let context = &repl.context;
    let store = SessionStore::new(&context.paths.project);
    let id = match rest {
        // The newest but this one.
        "" => {
            let newest = store.list()?.into_iter().filter(|session| session.parent.is_none());
            let mut others = newest.filter(|session| Some(session.id.as_str()) != repl.conversation.id());
            others.next().map(|session| session.id).ok_or_else(|| {
                Failure::usage("there is no other session here yet").hint("/sessions lists them")
            })?
        }
        wanted => store.resolve(wanted)?,
    };
    if repl.conversation.id() == Some(id.as_str()) {
        context.note(format_args!("{id} is this conversation"));
        return Ok(Next::Continue);
    }
    let entry = store.list()?.into_iter().find(|session| session.id == id);
    let about = entry.map(|entry| format!(": {} ({} turns)", entry.title, entry.turns)).unwrap_or_default();
    context.note(format_args!("going on with {id}{about}"));
    repl.conversation.resume(context, id);
    Ok(Next::Continue)
}
