//! Which model provider would answer, and whether its key is there. Nothing is sent, no key is shown.

use super::{Check, Patient};
use crate::provider::{self, OFFERS};

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
    checks.push(match provider::choose(config) {
        Ok(choice) => {
            let offer = provider::offer(choice.name);
            let address = provider::base_url(config, offer);
            let has_key = offer
                .key_variables
                .iter()
                .any(|name| std::env::var_os(name).is_some_and(|key| !key.is_empty()))
                || config.api_key_file.is_some()
                || config.api_key_cmd.is_some()
                || config
                    .api_key_env
                    .as_ref()
                    .is_some_and(|name| std::env::var_os(name).is_some_and(|key| !key.is_empty()));
            let variable = offer.key_variables.first().copied().unwrap_or("API_KEY");
            if offer.needs_key_at(&address) && !has_key {
                Check::warning(
                    "provider",
                    format!("{} has no key", choice.name),
                    format!("export {variable}=…, or fwai provider use ollama"),
                )
            } else {
                Check::ok("provider", format!("{} with {} at {address}", choice.name, choice.model))
            }
        }
        Err(error) => Check::warning(
            "provider",
            error.to_string(),
            "export ANTHROPIC_API_KEY=…, or fwai provider use ollama",
        ),
    });
    checks
}
