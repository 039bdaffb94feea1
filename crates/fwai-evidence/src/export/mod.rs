//! Runs for other eyes: JSON and CSV for programs, SARIF 2.1.0 for code scanners, HTML for people.
//!
//! [`RunExport`] is one run as read from its directory, together with what verification said; each
//! format is a pure function of it. Nothing in a log, a diff or a name can break out of the HTML:
//! all text goes through [`html::escape`].

pub mod csv;
pub mod html;
pub mod json;
mod run_export;
mod run_sarif;
pub mod sarif;

#[cfg(test)]
mod tests;

pub use run_export::{ExportError, LogText, RunExport, Verification, VerificationState};
pub use run_sarif::run_sarif;
