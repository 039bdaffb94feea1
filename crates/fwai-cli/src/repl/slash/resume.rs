//! `/resume`: goes on with an earlier session.

use super::{Next, Repl};
use crate::{failure::Failure, language::say, repl::recall};
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
        context.note(say!("repl-this-conversation", id = id));
        return Ok(Next::Continue);
    }
    let entry = store.list()?.into_iter().find(|session| session.id == id);
    let events = repl.conversation.resume(context, id.clone())?;
    context.note(match entry {
        Some(entry) => {
            let title = crate::render::clean::clean_line(&entry.title);
            say!("repl-going-on-about", id = id, title = title, turns = entry.turns)
        }
        None => say!("repl-going-on", id = id),
    });
    recall::show_last(context, &events);
    Ok(Next::Continue)
}
