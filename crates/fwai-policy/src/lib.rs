//! (request, rules) → decision, and what must never leave: no files, no sockets, no clock.
//!
//! [`secrets`] finds secrets in text and takes them out.

#![forbid(unsafe_code)]

pub mod secrets;
