//! `/agent NAME TASK`: gives a task to an agent.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};

pub fn run(rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    let Some((name, task)) = rest.split_once(char::is_whitespace) else {
        return Err(Failure::usage("write /agent NAME TASK").hint("/agents lists the names"));
    };
    conversation.say(
        context,
        &format!("Use the task tool to give this to the agent `{name}`, then tell me its result:\n{task}"),
    )?;
    Ok(Next::Continue)
}
