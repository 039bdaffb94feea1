//! `/agent NAME TASK`: gives a task to an agent.

use super::{Next, Repl};
use crate::failure::Failure;
use fwai_app::library;
use fwai_schema::document::nearest;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let Some((name, task)) = rest.split_once(char::is_whitespace) else {
        return Err(Failure::usage("write /agent NAME TASK").hint("/agents lists the names"));
    };
    let agents = library::agents(&repl.context.paths);
    let known = || agents.iter().map(|agent| agent.name.as_str()).chain(["explorer"]);
    if !known().any(|known| known == name) {
        let guess =
            nearest(name, known()).map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
        return Err(Failure::usage(format_args!("there is no agent `{name}`{guess}")).hint("/agents"));
    }
    let task = task.trim();
    repl.say(&format!(
        "Use the task tool to give this to the agent `{name}`, then tell me its result:\n{task}"
    ))?;
    Ok(Next::Continue)
}
