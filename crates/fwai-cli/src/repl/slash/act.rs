//! `/act`: carry things out again; with words, those.

use super::{Next, Repl};
use crate::failure::Failure;
use fwai_schema::permission::Mode;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let configured = repl.context.config()?.config.agent.mode;
    let mode = if configured == Mode::Plan { Mode::Auto } else { configured };
    repl.conversation.set_mode(&repl.context, mode);
    if !rest.is_empty() {
        repl.say(rest)?;
    }
    Ok(Next::Continue)
}
