//! `/mode`: how much may be done without asking.

use super::{Next, Repl};
use crate::{failure::Failure, language::say};
use fwai_schema::{document::nearest, permission::Mode};

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if rest.is_empty() {
        if let Some(mode) = repl.conversation.current_mode(&repl.context) {
            repl.context.print(say!("repl-mode", mode = mode));
        }
        return Ok(Next::Continue);
    }
    match Mode::ALL.into_iter().find(|mode| mode.as_str() == rest) {
        Some(mode) => {
            repl.conversation.set_mode(&repl.context, mode);
            Ok(Next::Continue)
        }
        None => {
            let guess = nearest(rest, Mode::ALL.iter().map(|mode| mode.as_str()));
            let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
            Err(Failure::usage(format_args!("there is no mode `{rest}`{guess}"))
                .hint("plan, ask, auto or yolo"))
        }
    }
}
