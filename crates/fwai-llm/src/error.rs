//! What can go wrong between fwai and a model, each in one line that a person can act on.

use thiserror::Error;

/// A model call that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
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
                | LlmError::Cut { .. }
        )
    }
}
