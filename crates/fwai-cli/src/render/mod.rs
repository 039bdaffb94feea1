//! Events as people see them.

mod plain;
mod questions;

pub use plain::Plain;
pub use questions::{answer_from, question};
