//! Events as people see them.

mod plain;
mod questions;

pub use plain::{Plain, printable};
pub use questions::{answer_from, question};
