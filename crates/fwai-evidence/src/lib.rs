//! Evidence that anyone can verify: what fwai did, written down before and after each effect, signed,
//! and kept in a Merkle log.
//!
//! Writers start at [`runs::RunStore`]: `create_run` → `begin` → … → `end`. The verifying half works on
//! bytes alone and compiles without the `store` feature, also for wasm32, so that a browser can check a
//! record as well as this program can.

#![forbid(unsafe_code)]

pub mod redact;

#[cfg(feature = "store")]
pub mod durable;
#[cfg(feature = "store")]
pub mod runs;
