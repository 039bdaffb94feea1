//! Language model providers: four wire formats behind one [`Provider`] trait.
//!
//! Read [`provider`] first: it is all that the agent knows. A call then goes through
//! [`http_provider`] (retries, timeouts), which asks a [`wire`] to encode the request, sends it
//! through a [`http::Transport`], and feeds the bytes that come back to an [`answer`] decoder that
//! folds them into one message. This crate opens no file and no socket and has no clock of its own;
//! `native` alone knows reqwest and tokio.

#![forbid(unsafe_code)]

pub mod answer;
pub mod cassette;

pub mod clock;
pub mod error;
pub mod fault;
pub mod fold;
pub mod framing;
pub mod http;
pub mod http_provider;
pub mod key;
pub mod maybe_send;
#[cfg(feature = "reqwest")]
pub mod native;
pub mod pricing;
pub mod provider;
pub mod retry;
pub mod wire;
pub mod wires;

pub use clock::Clock;
pub use error::LlmError;
pub use http_provider::HttpProvider;
pub use key::ApiKey;
pub use maybe_send::{BoxFuture, BoxStream, MaybeSend, MaybeSync};
pub use provider::{Completion, Delta, ModelInfo, Provider, ProviderStatus, Request};
