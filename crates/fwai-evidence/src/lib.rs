//! Evidence that anyone can verify: what fwai did, written down before and after each effect, signed,
//! and kept in a Merkle log.
//!
//! Writers start at [`runs::RunStore`]: `create_run` → `begin` → … → `end`. The verifying half works on
//! bytes alone and compiles without the `store` feature, also for wasm32, so that a browser can check a
//! record as well as this program can.

#![forbid(unsafe_code)]

pub mod bundle;
pub mod canonical;
pub mod dsse;
pub mod merkle;
pub mod note;
pub mod public_key;
pub mod redact;
pub mod signed_record;
pub mod signer;
pub mod statement;
pub mod trust;

#[cfg(feature = "store")]
pub mod anchors;
#[cfg(feature = "store")]
pub mod claims;
#[cfg(feature = "store")]
pub mod durable;
#[cfg(feature = "store")]
pub mod export;
#[cfg(feature = "store")]
pub mod keys;
#[cfg(feature = "store")]
pub mod log;
#[cfg(feature = "store")]
pub mod prove;
#[cfg(feature = "store")]
pub mod runs;
#[cfg(feature = "store")]
pub mod sbom;
#[cfg(feature = "store")]
pub mod verify;
