//! New names and times for sessions.

use fwai_agent::host::Clock;

pub use fwai_agent::new_session_id;

/// RFC 3339, for the log of a fork.
pub fn now(clock: &dyn Clock) -> String {
    clock.now()
}
