//! `/open`: the whole output of the last call, of the one with a number, or the list of them.

use super::{Next, Repl};
use crate::{failure::Failure, language::say, render::Abilities, repl::pager};

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let calls = &repl.conversation.calls;
    if calls.is_empty() {
        repl.context.note(say!("repl-no-call"));
        return Ok(Next::Continue);
    }
    if rest == "list" {
        let signs = Abilities::of_stdout();
        for (number, call) in calls.iter().enumerate() {
            let line = call.line(crate::render::abilities::size().0.saturating_sub(6), signs);
            repl.context.print(format_args!("{:>4} {}", number + 1, line.paint(signs.colours)));
        }
        return Ok(Next::Continue);
    }
    let number = match rest {
        "" => calls.len(),
        number => number.parse().map_err(|_| Failure::usage("write /open, /open N or /open list"))?,
    };
    match number.checked_sub(1).and_then(|at| calls.get(at)) {
        Some(call) => {
            pager::open_call(Some(call), &repl.context.paths.project);
            Ok(Next::Continue)
        }
        None => Err(Failure::usage(say!("repl-calls-range", last = calls.len())).hint("/open list")),
    }
}
