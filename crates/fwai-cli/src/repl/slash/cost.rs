//! `/cost`: tokens and money so far.

use super::{Next, Repl};
use crate::failure::Failure;

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let conversation = &repl.conversation;
    let usage = &conversation.usage;
    let cost = conversation.cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}"));
    for (name, value) in [
        ("read", usage.total_input().to_string()),
        ("of it cached", usage.cache_read_tokens.to_string()),
        ("written", usage.output_tokens.to_string()),
        ("tool calls", conversation.calls.len().to_string()),
        ("cost", cost),
    ] {
        repl.context.print(format_args!("  {name:<14} {value:>12}"));
    }
    Ok(Next::Continue)
}
