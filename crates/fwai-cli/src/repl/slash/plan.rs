//! `/plan`: only read, and write a plan; with words, plan those.

use super::{Next, Repl};
use crate::failure::Failure;
use fwai_schema::permission::Mode;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    repl.conversation.set_mode(&repl.context, Mode::Plan);
    if !rest.is_empty() {
        repl.say(rest)?;
    }
    Ok(Next::Continue)
}
