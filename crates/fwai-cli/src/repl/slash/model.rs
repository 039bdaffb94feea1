//! `/model`: shows the model, lists those that are offered, or goes on with another one.

use super::{Next, Repl, program};
use crate::failure::Failure;
use fwai_app::provider;
use fwai_schema::config::ProviderName;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    match rest {
        "" => {
            let choice = provider::choose(&repl.context.config()?.config.provider)?;
            repl.context.print(format_args!("{}/{}", choice.name, choice.model));
            repl.context.note("/model NAME or /model PROVIDER/NAME changes it here, /model list shows what is offered; /config set provider.model NAME keeps it");
            Ok(Next::Continue)
        }
        "list" => program::run("provider", "provider models", repl),
        wanted => switch(wanted, repl),
    }
}

/// The conversation goes on with the other model from the next words on.
fn switch(wanted: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if wanted.contains(char::is_whitespace) {
        return Err(Failure::usage("a model is one word").hint("/model list"));
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
    repl.context.note(format_args!("model: {}/{}", choice.name, choice.model));
    Ok(Next::Continue)
}
