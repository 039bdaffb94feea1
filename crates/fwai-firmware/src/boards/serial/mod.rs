//! Boards behind a serial port: [`port`] finds it, [`console`] reads and writes it, [`lease`] hands it over
//! to a flashing program, and [`board`] is the back end.

mod board;
mod console;
mod lease;
mod port;

pub use board::SerialBoard;
pub(super) use console::SerialConsole;
pub(super) use lease::Lease;
pub use port::{PortError, find_port};
