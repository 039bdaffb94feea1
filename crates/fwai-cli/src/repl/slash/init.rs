//! `/init`: sets the project up as on the command line; the session takes the result up.

use super::{Next, Repl, program};
use crate::failure::Failure;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    program::run("init", format!("init {rest}").trim_end(), repl)
}
