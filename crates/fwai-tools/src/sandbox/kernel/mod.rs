//! The part that talks to the kernel: system calls, the seccomp program, Landlock, and the small code path
//! that runs between `clone` and `exec`.

pub mod init;
pub mod landlock;
mod memory;
pub mod seccomp;
pub mod spawn;
pub mod sys;
