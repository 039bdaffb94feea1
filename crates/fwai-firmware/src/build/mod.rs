//! Building: run the project's command, understand what it says, find what it made.
//!
//! [`build`] does all of it; [`DiagnosticParser`] is the part that reads compilers and is useful alone.

mod artifacts;
mod diagnostic;
mod dialects;
mod history;
mod lines;
mod operation;
mod order;
mod parser;
mod progress;
#[cfg(test)]
mod tests;

pub use artifacts::{Artifacts, Search, Snapshot};
pub use diagnostic::{Detail, Diagnostic, Note, Severity, SymbolUser};
pub use operation::{BuildEvent, BuildOutcome, BuildRequest, build};
pub use parser::DiagnosticParser;
pub use progress::{Progress, ProgressReader};
