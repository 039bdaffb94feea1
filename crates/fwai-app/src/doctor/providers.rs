//! Which model provider would answer, and whether its key is there. Nothing is sent, no key is shown.

use super::{Check, Patient};
use crate::provider::{self, OFFERS};
use fwai_schema::config::{ProviderConfig, ProviderName};

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    let Ok(layered) = &patient.config else { return Vec::new() };
    let config = &layered.config.provider;
    let mut checks = Vec::new();
    for offer in &OFFERS {
        if offer.key_variables.is_empty() {
            continue;
        }
        let set =
            offer.key_variables.iter().find(|name| std::env::var_os(name).is_some_and(|key| !key.is_empty()));
        let name = format!("key of {}", offer.name);
        checks.push(match set {
            Some(variable) => Check::ok(name, format!("{variable} is set")),
            None => Check::ok(name, format!("{} is not set", offer.key_variables[0])),
        });
    }
    checks.push(match chosen(config) {
        Some(name) => {
            let offer = provider::offer(name);
            let address = provider::base_url(config, offer);
            let model = config.model.as_deref().unwrap_or("its usual model");
            let has_key = offer.key_variables.iter().any(|name| is_set(name))
                || config.api_key_file.is_some()
                || config.api_key_cmd.is_some()
                || config.api_key_env.as_deref().is_some_and(is_set);
            if offer.needs_key_at(&address) && !has_key {
                let variable = offer.key_variables.first().copied().unwrap_or("API_KEY");
                Check::warning(
                    "provider",
                    format!("{name} has no key"),
                    format!("export {variable}=…, or fwai provider use ollama"),
                )
            } else {
                Check::ok("provider", format!("{name} with {model} at {address}"))
            }
        }
        None => Check::warning(
            "provider",
            "none is chosen and no key is set; a running Ollama would be used",
            "export ANTHROPIC_API_KEY=…, or fwai provider use ollama",
        ),
    });
    checks
}

/// The provider that the configuration and the environment name. Unlike a session's own choice this looks
/// for no running server, since that would open a socket.
fn chosen(config: &ProviderConfig) -> Option<ProviderName> {
    config
        .name
        .or_else(|| {
            OFFERS[..3]
                .iter()
                .find(|offer| offer.key_variables.iter().any(|name| is_set(name)))
                .map(|offer| offer.name)
        })
        .or_else(|| config.base_url.as_ref().map(|_| ProviderName::OpenAi))
        .or_else(|| config.replay.as_ref().map(|_| ProviderName::Replay))
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}
