//! Where configuration becomes a running session: the one place that knows every other room.
//!
//! [`paths`] says where things lie, [`config`] reads them, [`ci`] tells where we run,
//! [`provider`] finds the model to talk to.

#![forbid(unsafe_code)]

pub mod atomic;
pub mod ci;
pub mod config;
pub mod evidence;
pub mod native_clock;
pub mod paths;
pub mod provider;
pub mod secret_scan;
pub mod session_store;
