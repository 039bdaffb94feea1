//! What can go wrong between fwai and a model, each in one line that a person can act on.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A model call that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Error, fwai_schema::Speak, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LlmError {
    #[error(
        "{provider}: no API key; set {variable}, or `provider.api_key_file` or `provider.api_key_cmd` in config.yaml"
    )]
    NoKey { provider: String, variable: String },
    #[error("{provider}: the key was refused ({status}): {message}")]
    Auth { provider: String, status: u16, message: String },
    #[error("{provider}: cannot reach {url}: {message}")]
    Connect { provider: String, url: String, message: String },
    #[error("{provider}: no answer for {seconds} s ({phase})")]
    Timeout { provider: String, phase: String, seconds: u64 },
    #[error("{provider}: too many requests (429): {message}")]
    RateLimited { provider: String, message: String, retry_after_ms: Option<u64> },
    #[error("{provider}: overloaded ({status}): {message}")]
    Overloaded { provider: String, status: u16, message: String, retry_after_ms: Option<u64> },
    #[error("{provider}: the server failed ({status}): {message}")]
    Server { provider: String, status: u16, message: String, retry_after_ms: Option<u64> },
    #[error("{provider}: {message} (404); `fwai provider models` lists what the server offers")]
    NotFound { provider: String, model: String, message: String },
    #[error("{provider}: the request was refused ({status}): {message}")]
    BadRequest { provider: String, status: u16, message: String },
    #[error("{provider}: the conversation is too long for {model}: {message}")]
    ContextTooLong { provider: String, model: String, message: String },
    #[error("{provider}: the answer was cut off after {received} bytes: {message}")]
    Cut { provider: String, received: u64, message: String },
    #[error("{provider}: the answer made no sense: {message}")]
    Protocol { provider: String, message: String },
    #[error("{provider}: the answer is larger than {limit} bytes")]
    TooLarge { provider: String, limit: u64 },
    #[error("replay: {message}")]
    Replay { message: String },
    /// What happened in the last of several tries.
    #[error("{last}; fwai tried {tries} times")]
    GaveUp { tries: u32, last: Box<LlmError> },
    #[error("interrupted")]
    Cancelled,
}

impl LlmError {
    /// Whether the same request may succeed when sent again.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            LlmError::Connect { .. }
                | LlmError::Timeout { .. }
                | LlmError::RateLimited { .. }
                | LlmError::Overloaded { .. }
                | LlmError::Server { .. }
                | LlmError::Protocol { .. }
                | LlmError::Cut { .. }
        )
    }

    /// What happened, without how often.
    pub fn root(&self) -> &LlmError {
        match self {
            LlmError::GaveUp { last, .. } => last.root(),
            other => other,
        }
    }

    /// How long the server asked to be left alone.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            LlmError::RateLimited { retry_after_ms, .. }
            | LlmError::Overloaded { retry_after_ms, .. }
            | LlmError::Server { retry_after_ms, .. } => *retry_after_ms,
            _ => None,
        }
    }

    /// The same error with every piece of text passed through `change`; takes keys out of what servers say.
    pub fn map_text(mut self, change: impl Fn(&str) -> String) -> Self {
        match &mut self {
            LlmError::Auth { message, .. }
            | LlmError::RateLimited { message, .. }
            | LlmError::Overloaded { message, .. }
            | LlmError::Server { message, .. }
            | LlmError::NotFound { message, .. }
            | LlmError::BadRequest { message, .. }
            | LlmError::ContextTooLong { message, .. }
            | LlmError::Cut { message, .. }
            | LlmError::Protocol { message, .. }
            | LlmError::Replay { message } => *message = change(message),
            LlmError::Connect { url, message, .. } => {
                *url = change(url);
                *message = change(message);
            }
            LlmError::GaveUp { last, .. } => {
                let inner = std::mem::replace(&mut **last, LlmError::Cancelled);
                **last = inner.map_text(change);
            }
            LlmError::NoKey { .. }
            | LlmError::Timeout { .. }
            | LlmError::TooLarge { .. }
            | LlmError::Cancelled => {}
        }
        self
    }
}
