//! Which provider and which model, where the user has not said so.

use super::{
    ProviderError, base_url,
    keys::from_environment,
    offers::{OFFERS, is_loopback, offer},
};
use fwai_schema::config::{ProviderConfig, ProviderName};
use std::{
    io::{Read, Write},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

/// A provider and a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub name: ProviderName,
    pub model: String,
}

/// The configured provider; else the first whose key is set; else a server that was given by its address
/// alone; else a running Ollama.
pub fn choose(config: &ProviderConfig) -> Result<Choice, ProviderError> {
    let name = match config.name {
        Some(name) => name,
        None => guess(config)?,
    };
    let name = if name == ProviderName::Local { ProviderName::Ollama } else { name };
    let model = match &config.model {
        Some(model) => model.clone(),
        None if name == ProviderName::Ollama => {
            installed_model(config).unwrap_or_else(|| offer(name).default_model.to_owned())
        }
        None => offer(name).default_model.to_owned(),
    };
    Ok(Choice { name, model })
}

fn guess(config: &ProviderConfig) -> Result<ProviderName, ProviderError> {
    for offer in &OFFERS[..3] {
        if from_environment(config, offer)?.is_some() {
            return Ok(offer.name);
        }
    }
    // Nearly every server that is neither of the others speaks OpenAI's language.
    if config.base_url.is_some() {
        return Ok(ProviderName::OpenAi);
    }
    if config.replay.is_some() {
        return Ok(ProviderName::Replay);
    }
    if installed_models(config).is_some() { Ok(ProviderName::Ollama) } else { Err(ProviderError::Nothing) }
}

fn installed_model(config: &ProviderConfig) -> Option<String> {
    let models = installed_models(config)?;
    let preferred = offer(ProviderName::Ollama).default_model;
    models.iter().find(|name| name.starts_with(preferred)).or(models.first()).cloned()
}

/// Asks an Ollama on this machine what it has. Plain and short, since it stands before every first
/// request; anything unexpected means that there is none.
fn installed_models(config: &ProviderConfig) -> Option<Vec<String>> {
    let url = base_url(config, offer(ProviderName::Ollama));
    let authority = url.strip_prefix("http://")?.split('/').next()?;
    if !is_loopback(&url) {
        return None;
    }
    let address = if authority.contains(':') { authority.to_owned() } else { format!("{authority}:80") };
    let patience = Duration::from_millis(500);
    let address = address.to_socket_addrs().ok()?.next()?;
    let mut socket = TcpStream::connect_timeout(&address, patience).ok()?;
    socket.set_read_timeout(Some(patience)).ok()?;
    let question = format!("GET /api/tags HTTP/1.0\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
    socket.write_all(question.as_bytes()).ok()?;
    let mut answer = Vec::new();
    let mut piece = [0; 16 << 10];
    // A server that keeps the connection open ends by its silence.
    while let Ok(count @ 1..) = socket.read(&mut piece) {
        answer.extend_from_slice(&piece[..count]);
        if answer.len() > 4 << 20 || tags(&answer).is_some() {
            break;
        }
    }
    tags(&answer)
}

fn tags(answer: &[u8]) -> Option<Vec<String>> {
    let start = answer.iter().position(|byte| *byte == b'{')?;
    let end = answer.iter().rposition(|byte| *byte == b'}')?;
    let body: serde_json::Value = serde_json::from_slice(answer.get(start..=end)?).ok()?;
    let names =
        body["models"].as_array()?.iter().filter_map(|model| Some(model["name"].as_str()?.to_owned()));
    Some(names.collect())
}
