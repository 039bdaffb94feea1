//! The agent: a session that takes [`Op`](fwai_schema::op::Op)s and gives
//! [`Event`](fwai_schema::event::Event)s, the turn loop inside it, and the two joints to the world.
//!
//! Read [`tool`] first if you write a tool, [`host`] if you bring the agent to a new place (a terminal,
//! a server, a browser). This crate opens no file and no socket and has no clock of its own; it also
//! compiles to wasm32.

#![forbid(unsafe_code)]

mod agents;
pub mod arguments;
mod asking;
pub mod cancel;
pub mod config;
mod context;
mod core;
pub mod decision;
pub mod examples;
mod executor;
pub mod fence;
pub mod fork;
pub mod history;
pub mod host;
pub mod intents;
pub mod memory_logs;
mod orchestration;
pub mod outcome;
mod paths;
pub mod plan;
pub mod prompt;
mod redaction;
pub mod registry;
mod repeats;
pub mod session;
pub mod session_tools;
pub mod skills;
pub mod state;
pub mod todos;
pub mod tokens;
pub mod tool;
pub mod truncate;
mod turn;

pub use config::{PromptParts, SessionConfig, new_session_id};
pub use session::{Session, SessionHandle, Started};

/// What a file with one tool in it needs; `fwai-tools` re-exports this with its own world.
pub mod prelude {
    pub use crate::{
        examples,
        examples::{Example, Expect},
        host::HostError,
        outcome::ToolOutcome,
        tool::{DynTool, Effects, Tool, ToolContext},
    };
    pub use fwai_schema::permission::{DeviceVerb, Level, Mode};
    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};
}

// The derive macros of a prelude user expand to these paths.
pub use schemars;
pub use serde;
pub use serde_json;
