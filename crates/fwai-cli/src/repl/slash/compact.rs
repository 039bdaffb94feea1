//! `/compact`: shortens the conversation now.

use super::{Next, Repl};
use crate::{busy, failure::Failure, language::say};
use fwai_schema::op::Op;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if repl.conversation.id().is_none() {
        repl.context.note(say!("repl-no-conversation"));
        return Ok(Next::Continue);
    }
    let _busy = busy::busy(&say!("repl-shortening"));
    repl.conversation.perform(&repl.context, Op::Compact)?;
    Ok(Next::Continue)
}
