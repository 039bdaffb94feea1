//! `/cost`: tokens and money so far.

use super::{Next, Repl};
use crate::{
    failure::Failure,
    language::{self, say},
};

pub fn run(_rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let conversation = &repl.conversation;
    let usage = &conversation.usage;
    let cost = conversation.cost.map_or_else(|| say!("unknown"), |cost| format!("${cost:.4}"));
    for (name, value) in [
        (say!("repl-cost-read"), usage.total_input().to_string()),
        (say!("repl-cost-cached"), usage.cache_read_tokens.to_string()),
        (say!("repl-cost-written"), usage.output_tokens.to_string()),
        (say!("repl-cost-calls"), conversation.calls.len().to_string()),
        (say!("repl-cost-cost"), cost),
    ] {
        repl.context.print(format_args!("  {} {value:>12}", language::pad(&name, 14)));
    }
    Ok(Next::Continue)
}
