//! What this machine has for firmware work and what it lacks, each with the command that mends it.
//!
//! [`examine`] asks every examiner of [`examine::EXAMINERS`] at the same time; a program that hangs is given
//! up after a few seconds. Without `online` no socket is opened, and keys are never read aloud.

mod check;
mod devices;
mod disk;
pub mod examine;
pub mod programs;
mod providers;
mod settings;
mod virtual_boards;
mod walls;

pub use check::{Check, Status};
pub use examine::{Patient, examine};
