//! Boards behind OpenOCD: [`server`] runs the program, [`tcl`] speaks to it, [`board`] is the back end.

mod board;
mod server;
mod tcl;

pub use board::OpenOcd;
pub use tcl::TclError;
