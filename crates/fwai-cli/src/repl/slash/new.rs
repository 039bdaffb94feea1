//! `/new`: a new conversation; the old one stays and can be resumed.

use super::{Next, Repl};
use crate::{failure::Failure, repl::conversation::Conversation};

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let before = repl.conversation.id().map(str::to_owned);
    let mode = repl.conversation.mode;
    repl.conversation.close(&repl.context);
    let handle = repl.conversation.shared_handle();
    repl.conversation = Conversation::with_handle(&repl.context, handle);
    repl.conversation.mode = mode;
    repl.conversation.refresh(&repl.context);
    match before {
        Some(id) => repl.context.note(format_args!("a new conversation; /resume {id} goes back")),
        None => repl.context.note("a new conversation"),
    }
    Ok(Next::Continue)
}
