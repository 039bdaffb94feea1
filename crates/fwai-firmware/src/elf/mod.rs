//! ELF images: what is in them, where it is loaded, and who they are.
//!
//! [`ElfImage::open`] reads the file once and keeps what its headers say as plain lists. A damaged
//! file is read as far as it goes: whatever is missing stands in [`ElfImage::problems`], and only a
//! file that is no ELF at all is an error. [`identity`] has the build-id, [`vectors`] the Cortex-M
//! vector table, [`attributes`] the CPU that the compiler was told to build for, and
//! [`Symbolizer`] turns addresses into functions and lines.

mod attributes;
mod debug_sections;
mod headers;
mod identity;
mod image;
mod machine;
mod names;
mod notes;
mod raw;
mod search;
mod symbolizer;
mod symbols;
mod vectors;

pub use attributes::CpuAttributes;
pub use identity::{BuildId, BuildIdSource};
pub use image::{Class, ElfError, ElfImage, Section, Segment};
pub use machine::Machine;
pub use names::demangled;
pub use search::FoundText;
pub use symbolizer::{Frame, Location, Symbolizer};
pub use symbols::{Place, Symbol, SymbolKind};
pub use vectors::VectorTable;
