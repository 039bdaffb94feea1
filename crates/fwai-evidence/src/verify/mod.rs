//! Verification of a project's evidence: names what is wrong, and where.

mod anchor_check;
mod log_check;
mod many_signatures;
mod project;
mod report;
mod run_check;

pub use log_check::{CheckedLog, LeafKind, check_log};
pub use project::{Verification, verify_all, verify_run};
pub use report::{AnchorReport, LogReport, Problem, Report};
