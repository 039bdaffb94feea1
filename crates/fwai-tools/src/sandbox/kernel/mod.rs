//! The part that talks to the kernel: system calls, the seccomp program, Landlock, the small code path that
//! runs between `clone` and `exec`, and the keeper that makes the first half of a sandbox ahead.

pub mod identities;
pub mod init;
pub mod keeper;
pub mod landlock;
mod memory;
pub mod plan;
pub mod seccomp;
pub mod spawn;
pub mod sys;
