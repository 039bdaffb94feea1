//! `/skills`: workflows that can be run.

use super::{Next, Repl};
use crate::{failure::Failure, language};
use fwai_app::library;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    for (name, skill) in library::skills(&repl.context.paths) {
        repl.context.print(format_args!("  {name:<22} {}", language::of_skill(&skill)));
    }
    Ok(Next::Continue)
}
