//! `/model`: shows the model; with a name, sets it for this project.

use super::{Conversation, Next};
use crate::{context::Context, failure::Failure};
use fwai_app::provider;

pub fn run(rest: &str, context: &Context, _conversation: &mut Conversation) -> Result<Next, Failure> {
    if rest.is_empty() {
        let choice = provider::choose(&context.config()?.config.provider).map_err(Failure::usage)?;
        context.print(format_args!("{}/{}", choice.name, choice.model));
    } else {
        fwai_app::config::set(&context.paths, &context.paths.user_config(), "provider.model", rest)?;
        context.note(format_args!(
            "model: {rest}, from the next session on (/quit, then `fwai sessions resume last`)"
        ));
    }
    Ok(Next::Continue)
}
