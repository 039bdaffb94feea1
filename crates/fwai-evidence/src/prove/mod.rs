//! `fwai audit prove`: a run with everything that a stranger needs to check it.

mod tar;
mod write_bundle;

pub use write_bundle::{ProveError, WrittenBundle, write_bundle};

/// The verifier that travels with each bundle.
pub const VERIFIER: &str = include_str!("verify.py");
