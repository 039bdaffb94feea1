//! `/quit`: leaves.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};

pub fn run(_rest: &str, _context: &Context, _conversation: &mut Conversation) -> Result<Next, Failure> {
    Ok(Next::Quit)
}
