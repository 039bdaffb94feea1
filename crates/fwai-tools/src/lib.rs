//! The tools that an agent can call, one file each, and the walls around what they start.
//!
//! [`registry`] is the one list. [`world`] is what tools may touch; [`safe_path`] keeps file access
//! beneath the project.

pub mod diff;
pub mod files;
pub mod firmware;
pub mod prelude;
pub mod registry;
pub mod safe_path;
pub mod sandbox;
pub mod search;
pub mod shell;
pub mod snapshots;
pub mod web;
pub mod world;
pub mod yaml_tool;
