//! The one list of tools that touch the world, in the order in which a model sees them.

use crate::{
    files::{EditFile, ReadFile, WriteFile},
    firmware::{
        BuildFirmware, DecodeFault, FlashBoard, Gdb, InitProject, MemoryAnalysis, ReadConsole, ReadRegisters,
        ResetBoard, RunTests, SendConsole,
    },
    search::{Glob, Grep, ListDirectory},
    shell::{Bash, BashOutput, KillJob},
    web::{WebFetch, WebSearch},
    world::World,
};
use fwai_agent::registry::Registry;
use std::sync::Arc;

/// Tools for firmware, over the program's own commands.
pub fn firmware(registry: Registry, world: &Arc<World>) -> Registry {
    registry
        .with::<_, BuildFirmware>(world)
        .with::<_, RunTests>(world)
        .with::<_, FlashBoard>(world)
        .with::<_, ReadConsole>(world)
        .with::<_, SendConsole>(world)
        .with::<_, ResetBoard>(world)
        .with::<_, Gdb>(world)
        .with::<_, DecodeFault>(world)
        .with::<_, ReadRegisters>(world)
        .with::<_, MemoryAnalysis>(world)
        .with::<_, InitProject>(world)
}

/// Tools for files, search and shell.
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
        .with::<_, WebFetch>(world)
        .with::<_, WebSearch>(world)
}
