//! Stand-ins for tests. The scripted model server is the only thing that tests of fwai put in place of a
//! real one; [`bench`] puts the real program beside it, in a project and a home of its own, and
//! [`terminal`] puts it on a real pseudo-terminal whose screen can be read.

#![forbid(unsafe_code)]

pub mod bench;
pub mod model_server;
pub mod terminal;
