//! Cortex-M faults in words: what the fault registers and the stacked frame say, where it happened,
//! what usually causes it and what to look at next.
//!
//! [`FaultState`] holds what is known, from a debugger or out of a console dump
//! ([`FaultState::from_text`]); [`decode`] turns it into a [`FaultReport`].

mod bits;
mod console;
mod decode;
mod report;
mod state;
#[cfg(test)]
mod tests;

pub use bits::{FaultBit, set_bits};
pub use decode::decode;
pub use report::{FaultFact, FaultReport};
pub use state::{ExceptionFrame, FaultState};
