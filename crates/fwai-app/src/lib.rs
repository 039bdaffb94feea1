//! Where configuration becomes a running session: the one place that knows every other room.
//!
//! [`paths`] says where things lie, [`config`] reads them, [`trust`] says which of the project's words
//! count, [`provider`] finds the model to talk to, [`session`] puts a session together, and [`gate`]
//! stands between the agent and the world.

#![forbid(unsafe_code)]

pub mod answer_schema;
pub mod atomic;
pub mod bench;
pub mod build_run;
pub mod ci;
pub mod claims;
pub mod config;
pub mod doctor;
pub mod effective_policy;
pub mod evidence;
pub mod gate;
pub mod hooks;
pub mod library;
pub mod memory_run;
pub mod native_clock;
pub mod newest_elf;
pub mod no_model;
pub mod organisation;
pub mod paths;
pub mod process_tree;
pub mod project_facts;
pub mod provider;
pub mod recorder;
pub mod remembered;
pub mod sbom_run;
pub mod secret_scan;
pub mod session;
pub mod session_store;
pub mod sessions;
pub mod trust;
pub mod walls;
pub mod workspace;
