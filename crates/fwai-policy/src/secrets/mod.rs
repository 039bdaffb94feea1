//! Finds secrets in text and takes them out, as pure code.
//!
//! Start with [`Redactor`]: it is what stands before everything that is shown or stored.
//! [`RedactStream`] does the same for output that arrives in pieces, [`Scanner`] reports where
//! secrets stand (for `fwai security scan`). What counts as a secret is data: `rules.toml`.
//!
//! How it is fast: [`filter`] runs over the text with one table look-up a byte and stops only where
//! four bytes of some keyword stand; only there does [`evaluate`] run a rule's automaton. How it is
//! right across pieces: an automaton that is still alive at the end of a piece keeps everything from
//! its keyword on until more text decides.

mod encoding;
mod engine;
mod evaluate;
mod filter;
mod judge;
mod known;
mod redactor;
mod rule;
mod scanner;
mod stream;

#[cfg(test)]
mod tests;

pub use redactor::{Redactor, Tally, is_sensitive_name};
pub use rule::{Rule, RuleSet, RulesError};
pub use scanner::{Scanner, SecretFinding};
pub use stream::RedactStream;
