//! `/undo`: takes changes back; a running session hears of it, so that the model knows.

use super::{Next, Repl, program};
use crate::failure::Failure;
use fwai_schema::op::Op;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let to = match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] => None,
        ["--to", number] if number.parse::<u64>().is_ok() => number.parse().ok(),
        _ => return program::run("undo", &format!("undo {rest}"), repl),
    };
    if !repl.conversation.is_live() {
        return program::run("undo", format!("undo {rest}").trim_end(), repl);
    }
    repl.conversation.perform(&repl.context, Op::Undo { to })?;
    Ok(Next::Continue)
}
