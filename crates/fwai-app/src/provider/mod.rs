//! From configuration to a running [`Provider`]: which one, with which key, at which address.
//!
//! A project's own configuration is written by whoever wrote the project, who may be a stranger. So it may
//! choose a model, but it cannot say where keys are read, run a command for one, or send one elsewhere.

mod choose;
mod keys;
mod offers;
mod tape;

pub use choose::{Choice, choose};
pub use keys::{KeyError, KeySource, find_key, keys_in_environment};
pub use offers::{OFFERS, Offer, offer};
pub use tape::{CassetteFile, ProjectTape};

use crate::{
    config::{Layer, Layered},
    paths::Paths,
};
use fwai_llm::{
    ApiKey, HttpProvider, LlmError, Provider,
    cassette::{Recorder, Replay},
    native::{ReqwestTransport, TokioClock},
    pricing::facts_of,
    wire::{Wire, WireSettings},
    wires::{
        anthropic::Anthropic, gemini::Gemini, ollama::Ollama, openai_chat::OpenAiChat,
        openai_responses::OpenAiResponses,
    },
};
use fwai_policy::secrets::{Redactor, RuleSet};
use fwai_schema::config::{OpenAiWire, ProviderConfig, ProviderName};
use std::{path::PathBuf, sync::Arc, time::Duration};
use thiserror::Error;

/// Why there is no provider.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum ProviderError {
    #[error(
        "no model to talk to: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama (`ollama serve`); then `fwai provider status`"
    )]
    Nothing,
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Llm(#[from] LlmError),
    #[error(
        "{place}: a project may not set `{key}`, since that would let it read or redirect your key; if you trust it: fwai config set --user {key} VALUE"
    )]
    Untrusted { key: String, place: String },
    #[error("provider replay: set `provider.replay` to the cassette to play")]
    NoCassette,
    #[error("cannot read the cassette {path}: {source}")]
    Cassette { path: String, source: std::io::Error },
    #[error("security.patterns: {0}")]
    Rules(String),
}

/// The provider of a choice, recording where the configuration says so.
pub fn make(layered: &Layered, paths: &Paths, choice: &Choice) -> Result<Arc<dyn Provider>, ProviderError> {
    let config = &layered.config.provider;
    if choice.name == ProviderName::Replay {
        return replay(layered, paths);
    }
    let offer = offer(choice.name);
    let key = find_key(config, offer)?.map(|(key, _)| key);
    let base_url = base_url(config, offer);
    if key.is_none() && offer.needs_key_at(&base_url) {
        return Err(LlmError::NoKey {
            provider: offer.name.to_string(),
            variable: config.api_key_env.clone().unwrap_or_else(|| offer.key_variables[0].to_owned()),
        }
        .into());
    }
    let secret = key.clone();
    let provider: Arc<dyn Provider> = Arc::new(http_provider(config, offer, choice, base_url, key));
    let Some(cassette) = &config.record else { return Ok(provider) };
    let path = cassette_path(layered, paths, "provider.record", cassette)?;
    let tape = project_tape(layered, paths, secret)?;
    Ok(Arc::new(Recorder::new(provider, Arc::new(tape), Arc::new(CassetteFile::new(path)))))
}

fn http_provider(
    config: &ProviderConfig,
    offer: &Offer,
    choice: &Choice,
    base_url: String,
    key: Option<ApiKey>,
) -> HttpProvider {
    // OpenAI's newest models take tools only in Responses; compatible servers know only Chat Completions.
    let usual = if base_url == offer.base_url { OpenAiWire::Responses } else { OpenAiWire::Chat };
    let wire: Box<dyn Wire> = match (offer.name, config.wire.unwrap_or(usual)) {
        (ProviderName::Anthropic, _) => Box::new(Anthropic),
        (ProviderName::OpenAi, OpenAiWire::Responses) => Box::new(OpenAiResponses),
        (ProviderName::OpenAi, OpenAiWire::Chat) => Box::new(OpenAiChat),
        (ProviderName::Gemini, _) => Box::new(Gemini),
        (ProviderName::Ollama | ProviderName::Local | ProviderName::Replay, _) => Box::new(Ollama),
    };
    let mut facts = facts_of(&choice.model, &config.models);
    facts.context_window = config.context_window.or(facts.context_window);
    let settings = WireSettings {
        base_url,
        model: choice.model.clone(),
        key,
        headers: config.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        max_tokens: config.max_tokens,
        max_output: facts.max_output,
        temperature: config.temperature,
        thinking_tokens: config.thinking_tokens,
        context_window: match offer.name {
            ProviderName::Ollama => facts.context_window,
            _ => None,
        },
    };
    HttpProvider {
        name: offer.name.to_string(),
        wire,
        settings,
        facts,
        timeouts: config.timeouts.clone(),
        retry: config.retry.clone(),
        transport: Arc::new(ReqwestTransport::new(Duration::from_secs(config.timeouts.connect_s))),
        clock: Arc::new(TokioClock),
        served_window: Default::default(),
    }
}

/// Where a provider's requests go: as configured, as its own variable says, or home.
pub fn base_url(config: &ProviderConfig, offer: &Offer) -> String {
    let configured = config.base_url.clone().filter(|url| !url.trim().is_empty());
    let url = configured.or_else(|| offer.base_url_from_environment()).unwrap_or(offer.base_url.to_owned());
    // `localhost:8080` is meant as an address too.
    if url.contains("://") { url } else { format!("http://{url}") }
}

fn replay(layered: &Layered, paths: &Paths) -> Result<Arc<dyn Provider>, ProviderError> {
    let config = &layered.config.provider;
    let cassette = config.replay.as_ref().ok_or(ProviderError::NoCassette)?;
    let path = cassette_path(layered, paths, "provider.replay", cassette)?;
    let shown = paths.display(&path);
    let text = std::fs::read_to_string(&path)
        .map_err(|source| ProviderError::Cassette { path: shown.clone(), source })?;
    let facts = facts_of(config.model.as_deref().unwrap_or_default(), &config.models);
    let tape = project_tape(layered, paths, None)?;
    Ok(Arc::new(Replay::new(&shown, &text, facts, Arc::new(tape))?))
}

fn project_tape(layered: &Layered, paths: &Paths, key: Option<ApiKey>) -> Result<ProjectTape, ProviderError> {
    let security = &layered.config.security;
    let rules = RuleSet::with_config(&security.patterns, &security.allow)
        .map_err(|error| ProviderError::Rules(error.to_string()))?;
    let redactor = Redactor::new(rules);
    if let Some(key) = key {
        redactor.add_known(key.expose());
    }
    Ok(ProjectTape::new(&paths.project, redactor))
}

/// A cassette's place, from the project's directory. One that the project itself names must lie inside it.
fn cassette_path(layered: &Layered, paths: &Paths, key: &str, name: &str) -> Result<PathBuf, ProviderError> {
    let path = paths.project.join(name);
    let origin = layered.origin(key);
    let outside = name.split(['/', '\\']).any(|part| part == "..") || !path.starts_with(&paths.project);
    if origin.layer == Layer::Project && outside {
        return Err(untrusted(layered, key));
    }
    Ok(path)
}

fn untrusted(layered: &Layered, key: &str) -> ProviderError {
    let place = layered.origin(key).place.unwrap_or_else(|| ".fwai/config.yaml".into());
    ProviderError::Untrusted { key: key.to_owned(), place }
}

#[cfg(test)]
mod tests;
