//! Virtual boards: QEMU processes that live on between commands.
//!
//! [`directory`] is where a board keeps its state and sockets, [`process`] knows whether its QEMU still
//! lives, [`qmp`] speaks to it, [`command_line`] starts it, [`crash`] explains how it went down, and
//! [`board`] is the [`Board`](super::Board) on top.

mod board;
mod command_line;
mod console;
mod crash;
mod directory;
mod process;
mod qmp;

pub use board::VirtualBoard;
pub use crash::exception_name;
