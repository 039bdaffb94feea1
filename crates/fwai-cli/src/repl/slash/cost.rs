//! `/cost`: tokens and money so far.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};

pub fn run(_rest: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    let usage = &conversation.usage;
    let cost = conversation.cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}"));
    context.print(format_args!(
        "read {} (cached {}), written {}, cost {cost}",
        usage.total_input(),
        usage.cache_read_tokens,
        usage.output_tokens
    ));
    Ok(Next::Continue)
}
