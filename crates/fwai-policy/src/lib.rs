//! Decides whether a request is allowed, and knows nothing of files, sockets or clocks.
//!
//! Start with [`engine::PolicyEngine::decide`]: a [`request::Request`] (what a tool is about to do) and a mode
//! go in, a [`decision::Decision`] comes out. [`shell`] reads shell commands so that a line is judged by its
//! worst part, [`paths`] says where a path lands without asking the disk, [`rules`] are the user's own words,
//! [`merge`] bounds one policy by another, [`budget`] counts what a session changed,
//! [`secrets`] finds secrets in text and takes them out.

#![forbid(unsafe_code)]

pub mod budget;
pub mod compliance;
pub mod decision;
pub mod engine;
pub mod flash_guard;
pub mod git_config;
pub mod hosts;
pub mod merge;
pub mod paths;
pub mod private_paths;
pub mod protect;
pub mod request;
pub mod rules;
pub mod secrets;
pub mod shell;

pub use decision::Decision;
pub use engine::PolicyEngine;
pub use request::{Request, Surroundings};
