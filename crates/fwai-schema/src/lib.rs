//! Plain data of fwai, and nothing else: what configuration files may say, what travels between a
//! session and its doors, and what evidence records.
//!
//! Start with [`message`] (what a model reads and writes), [`op`] and [`event`] (what goes into a
//! session and what comes out), then [`config`] and [`project`] (what a user writes). Every type
//! derives its JSON Schema; `cargo xtask codegen` writes those to `schemas/`. [`document`] turns
//! YAML text into these types with errors that point at the line; [`said`] is how errors reach people who do
//! not read English.

#![forbid(unsafe_code)]

// The derived code names this crate, here too.
extern crate self as fwai_schema;

pub mod agent;
pub mod board;
pub mod config;
pub mod document;
pub mod event;
pub mod evidence;
pub mod families;
pub mod finding;
pub mod future_services;
pub mod message;
pub mod op;
pub mod permission;
pub mod policy;
pub mod project;
pub mod said;
pub mod skill;
pub mod todo;
pub mod tool;

pub use said::Speak;

/// The derives that every schema type carries.
pub(crate) mod prelude {
    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};
    pub use std::collections::BTreeMap;
}
