//! What every tool file needs.

pub use crate::world::World;
pub use fwai_agent::prelude::*;
