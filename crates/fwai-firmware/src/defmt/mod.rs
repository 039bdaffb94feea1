//! Logs of firmware in Rust that come as numbers (defmt), read with the strings of their ELF.
//!
//! [`Table::of`] collects the strings: every log line is a symbol of the section `.defmt` whose name
//! is a JSON object and whose address is the number that travels. [`Stream`] cuts the device's bytes
//! into frames, decodes their arguments and gives [`Line`]s; what is damaged is skipped and said so.
//! The wire format is that of defmt 3 and 4; `tests/defmt` holds a real device's bytes with what
//! defmt's own decoder reads in them.

mod arguments;
mod cbor;
mod clock;
mod error;
mod floats;
mod format;
mod hint;
mod locations;
mod render;
mod rzcobs;
mod stream;
mod table;

pub use error::DefmtError;
pub use locations::LogPlace;
pub use stream::{Line, Stream};
pub use table::{Level, Table};
