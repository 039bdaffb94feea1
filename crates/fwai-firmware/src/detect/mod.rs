//! What a firmware project says about itself: build system, chip, board, commands, memory map, each
//! with the file and line that say so.
//!
//! Start with [`detection::detect`]; [`detectors::DETECTORS`] is the list of everything that is looked at,
//! [`resolve`] the order in which contradictions are settled, [`tree`] the limits.

mod arduino;
pub mod boards;
mod cargo;
pub mod chips;
mod cmake;
mod compile_commands;
mod cubemx;
pub mod detection;
pub mod detectors;
pub mod documents;
mod embedder_md;
mod esp_idf;
mod findings;
mod flags;
mod linker_script;
mod make;
mod meson;
mod openocd;
mod other_systems;
mod platformio;
mod readme;
pub mod resolve;
mod source;
mod source_code;
mod syntax;
pub mod tree;
mod variables;
mod view;
mod vscode;
mod zephyr;

pub use detection::{Detection, Guess, detect};
pub use tree::{DetectError, Limits};
