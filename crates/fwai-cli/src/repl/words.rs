//! What is said in plain words goes to the agent. The one place where an intent could lead elsewhere.

use super::{Next, Repl};
use crate::failure::Failure;

pub fn run(line: &str, repl: &mut Repl) -> Result<Next, Failure> {
    repl.say(line)?;
    Ok(Next::Continue)
}
