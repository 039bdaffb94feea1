//! `/sessions`: earlier sessions. Going on with one happens in this conversation, not in another.

use super::{Next, Repl, program, resume};
use crate::failure::Failure;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["resume"] => resume::run("", repl),
        ["resume", session] => resume::run(session, repl),
        _ => program::run("sessions", format!("sessions {rest}").trim_end(), repl),
    }
}
