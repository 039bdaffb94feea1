//! Building: run the project's command, understand what it says, find what it made.
//!
//! [`build`] does all of it; [`DiagnosticParser`] is the part that reads compilers and is useful alone.

mod diagnostic;
mod dialects;
mod lines;
mod order;
mod parser;
#[cfg(test)]
mod tests;

pub use diagnostic::{Detail, Diagnostic, Note, Severity, SymbolUser};
pub use parser::DiagnosticParser;
