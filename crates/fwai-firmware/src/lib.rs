//! Firmware without language models: what a project is, how it is built, what is in the image, and
//! what the board says.
//!
//! Start with [`launch`]: every child process of this crate (compiler, QEMU, GDB, OpenOCD, a user's
//! own command) starts through its [`launch::Launcher`], so that whoever embeds the crate decides
//! what walls stand around them. [`elf`] reads images and everything else builds on both.

#![forbid(unsafe_code)]

pub mod boards;
pub mod build;
pub mod debug;
pub mod defmt;
pub mod detect;
pub mod elf;
pub mod fault;
pub mod flash;
pub mod launch;
pub mod linker_script;
pub mod memory;
pub mod monitor;
pub mod svd;
pub mod template;
