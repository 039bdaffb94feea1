//! Claims: "built", "tested", "flashed", "fixed", bound to runs and to the files they speak of.

mod check;
mod cover;

pub use check::{CheckedClaim, ClaimState, check_claims};
pub use cover::{cover_files, project_files};
