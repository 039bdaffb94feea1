//! Peripheral registers by name and field, from a CMSIS-SVD file.
//!
//! [`Svd::open`] reads the vendor's file with everything expanded: derived peripherals, clusters,
//! arrays and inherited properties. Vendors' files are often wrong in places, so an element that
//! cannot be understood is left out and noted in [`Svd::problems`]. [`Svd::register`] finds
//! `RCC.AHB1ENR`, [`Register::decode`] turns a value into fields.

mod decode;
mod dim;
mod model;
mod number;
mod read;
#[cfg(test)]
mod tests;

pub use decode::{DecodedField, DecodedRegister};
pub use model::{EnumValue, Field, Peripheral, Register, Svd, SvdError};
