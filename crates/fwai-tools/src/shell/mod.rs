//! The shell: commands inside the walls, in the foreground or as jobs.

mod bash;
mod bash_output;
pub mod jobs;
mod kill_job;
pub(crate) mod process;

pub use bash::{Bash, overran};
pub use bash_output::BashOutput;
pub use kill_job::KillJob;
