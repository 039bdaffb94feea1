//! Boards: facts as data ([`catalogue`]), one trait ([`Board`]) and a back end for each way to reach one.
//!
//! Start with [`open`], which turns a board definition into a [`Board`]; flash, monitor and debug only
//! ever see the trait.

mod board;
mod catalogue;
mod command_board;
mod image;
mod intel_hex;
mod open;
mod openocd;
mod own_board;
#[cfg(feature = "probe-rs")]
mod probe_rs_board;
mod readback;
mod serial;
mod virtual_board;

pub use board::{
    Board, BoardError, BoardState, Console, ConsoleEvent, ConsoleFrom, Crash, DebugServer, FlashReport,
    Identity, kind_name,
};
pub use catalogue::{BUILT_IN, Catalogue, CatalogueError};
pub use image::{Image, ImageError, ImageKind, Segment};
pub use open::{BoardContext, open};
pub use openocd::TclError;
pub use own_board::own_board;
pub use serial::{PortError, find_port};
pub use virtual_board::{VirtualBoard, exception_name};
