//! From bytes, split anywhere, to whole events: server-sent events and lines of JSON.

pub mod lines;
pub mod sse;
pub mod surrogates;

/// Bytes that one event may have; an answer's total is bounded elsewhere.
pub const MAX_EVENT_BYTES: usize = 16 << 20;
