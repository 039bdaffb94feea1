//! The one list of tools that touch the world, in the order in which a model sees them.

use crate::{
    files::{EditFile, ReadFile, WriteFile},
    search::{Glob, Grep, ListDirectory},
    shell::{Bash, BashOutput, KillJob},
    world::World,
};
use fwai_agent::registry::Registry;
use std::sync::Arc;

/// Every tool of this crate.
pub fn built_in(world: &Arc<World>) -> Registry {
    Registry::new()
        .with::<_, Bash>(world)
        .with::<_, ReadFile>(world)
        .with::<_, WriteFile>(world)
        .with::<_, EditFile>(world)
        .with::<_, Glob>(world)
        .with::<_, Grep>(world)
        .with::<_, ListDirectory>(world)
        .with::<_, BashOutput>(world)
        .with::<_, KillJob>(world)
}
