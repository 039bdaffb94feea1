//! `/quit`: leaves.

use super::{Next, Repl};
use crate::failure::Failure;

pub fn run(_rest: &str, _repl: &mut Repl) -> Result<Next, Failure> {
    Ok(Next::Quit)
}
