//! `/compact`: shortens the conversation now.

use super::{Next, Repl};
use crate::{busy, failure::Failure, language::say};
use fwai_schema::op::Op;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if repl.conversation.id().is_none() {
        repl.context.note(say!("repl-no-conversation"));
        return Ok(Next::Continue);
    }
    let busy = busy::with_keys(&say!("repl-shortening"), &mut repl.queue);
    let outcome = repl.conversation.perform(&repl.context, Op::Compact);
    if let Some(queue) = busy.and_then(busy::Busy::end) {
        repl.queue = queue;
    }
    outcome?;
    Ok(Next::Continue)
}
