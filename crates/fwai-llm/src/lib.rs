//! Language model providers: four wire formats behind one [`Provider`] trait.
//!
//! Read [`provider`] first: it is all that the agent knows. This crate opens no file and no socket
//! and has no clock of its own.

#![forbid(unsafe_code)]

pub mod error;
pub mod maybe_send;
pub mod provider;

pub use error::LlmError;
pub use maybe_send::{BoxFuture, BoxStream, MaybeSend, MaybeSync};
pub use provider::{Completion, Delta, Provider, ProviderStatus, Request};
