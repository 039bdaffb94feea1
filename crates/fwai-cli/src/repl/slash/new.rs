//! `/new`: a new conversation; the old one stays and can be resumed.

use super::{Next, Repl};
use crate::{failure::Failure, language::say, repl::conversation::Conversation};

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let before = repl.conversation.id().map(str::to_owned);
    let mode = repl.conversation.mode;
    repl.conversation.close(&repl.context);
    let handle = repl.conversation.shared_handle();
    repl.conversation = Conversation::with_handle(&repl.context, handle);
    repl.conversation.mode = mode;
    repl.conversation.refresh(&repl.context);
    match before {
        Some(id) => repl.context.note(say!("repl-new-back", id = id)),
        None => repl.context.note(say!("repl-new")),
    }
    Ok(Next::Continue)
}
