//! Flashing: [`guard`] decides whether an image may go to a board, [`operation`] puts it there and proves it.

mod guard;
mod operation;
#[cfg(test)]
mod tests;

pub use guard::{BuildFacts, Confirmation, GuardFacts, GuardRefusal, check};
pub use operation::{FlashError, FlashOutcome, ProofWanted, flash};
