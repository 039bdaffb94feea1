//! Walls around every child process: what a command may see and change is decided here and enforced by the
//! kernel, whatever the command does.
//!
//! [`spec::SandboxSpec`] says what is open, [`Sandbox::spawn`] starts a command behind the walls,
//! [`probe::Probe`] says which walls this machine has. Only [`kernel`] holds `unsafe` code.

mod appeared;
mod child;
mod command;
mod environment;
mod graveyard;
mod hard_links;
mod kernel;
mod launcher;
mod layout;
mod left_repositories;
mod off;
mod placeholders;
mod private_places;
pub mod probe;
mod protected_targets;
pub mod ready;
mod real_path;
pub mod spec;
mod walls;

pub use child::{ExitStatus, Finished, Sandboxed};
pub use command::{SandboxCommand, Stdio};
pub use launcher::SandboxLauncher;
pub use spec::{Limits, Network, SandboxSpec, Tmp};
pub use walls::{Sandbox, SandboxError, Wall};
