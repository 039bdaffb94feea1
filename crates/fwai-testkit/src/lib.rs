//! Stand-ins for tests. The scripted model server is the only thing that tests of fwai put in place of a
//! real one.

#![forbid(unsafe_code)]

pub mod model_server;
