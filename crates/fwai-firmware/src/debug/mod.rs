//! Debugging over any GDB server: one persistent GDB in machine-interface mode.
//!
//! [`mi`] reads what GDB writes, [`gdb`] keeps the process and its time limits, [`session`] knows boards,
//! symbols and whether the ELF is what runs, [`commands`] turns what people type into MI and back, and
//! [`fault`] explains a hard fault.

mod commands;
mod fault;
mod gdb;
mod identity;
pub mod mi;
mod peripherals;
mod refused;
mod render;
mod session;

pub use commands::{HELP, StepResult};
pub use gdb::{Gdb, GdbError};
pub use session::{DebugError, DebugOptions, DebugSession, Trust};
