//! Boards behind OpenOCD: [`server`] runs the program, [`tcl`] speaks to it, [`board`] is the back end.

mod board;
mod server;
mod tcl;
#[cfg(test)]
mod tests;

pub use board::OpenOcd;
pub use tcl::TclError;
