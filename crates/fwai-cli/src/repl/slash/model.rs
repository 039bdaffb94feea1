//! `/model`: shows the model, lists those that are offered, or goes on with another one.

use super::{Next, Repl, program};
use crate::{failure::Failure, language::say};
use fwai_app::provider;
use fwai_schema::config::ProviderName;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    match rest {
        "" => {
            let choice = provider::choose(&repl.context.config()?.config.provider)?;
            repl.context.print(format_args!("{}/{}", choice.name, choice.model));
            repl.context.note(say!("repl-model-how"));
            Ok(Next::Continue)
        }
        "list" => program::run("provider", "provider models", repl),
        wanted => switch(wanted, repl),
    }
}

/// The conversation goes on with the other model from the next words on.
fn switch(wanted: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if wanted.contains(char::is_whitespace) {
        return Err(Failure::usage(say!("repl-model-one-word")).hint("/model list"));
    }
    let named = wanted.split_once('/').and_then(|(provider, model)| {
        let provider = ProviderName::ALL.into_iter().find(|known| known.as_str() == provider)?;
        Some((provider, model))
    });
    let settings = match named {
        Some((provider, model)) => {
            vec![format!("provider.name={provider}"), format!("provider.model={model}")]
        }
        None => vec![format!("provider.model={wanted}")],
    };
    // Tried before anything changes: a provider without its key must not end the conversation.
    let tried = repl.context.with_settings(settings.clone());
    let layered = tried.config()?;
    let choice = provider::choose(&layered.config.provider)?;
    provider::make(layered, &tried.paths, &choice)?;
    repl.reload(settings);
    let model = format!("{}/{}", choice.name, choice.model);
    repl.context.note(say!("repl-model-is", model = model));
    Ok(Next::Continue)
}
