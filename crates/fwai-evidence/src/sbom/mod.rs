//! An SBOM of what was really linked: CycloneDX 1.6 from the image's DWARF and the linker's map.
//!
//! [`generate`] is the door. [`linked`] finds which sources and archive members are in the image,
//! [`attribute`] says to which component each belongs (rules in `components.toml`, then manifests of
//! the project), [`cyclonedx`] writes it down. The same image and tree give the same bytes.

mod attribute;
mod component_rules;
mod cyclonedx;
mod digest;
mod generate;
mod licence;
mod linked;
mod manifests;
mod map_members;
mod version;

#[cfg(test)]
mod tests;

pub use generate::{ModelRef, SbomError, SbomInput, generate, summary};
