//! Time and chance of this machine.

use fwai_agent::host::Clock;
use fwai_llm::BoxFuture;
use std::time::{Duration, Instant};

/// The clock of the operating system; sleeping needs a tokio runtime.
#[derive(Debug, Clone, Copy)]
pub struct NativeClock {
    start: Instant,
}

impl Default for NativeClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for NativeClock {
    fn now(&self) -> String {
        format!("{:.3}", jiff::Timestamp::now())
    }

    fn monotonic_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, milliseconds: u64) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(Duration::from_millis(milliseconds)))
    }

    fn random_id(&self) -> String {
        const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let mut bytes = [0u8; 12];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_milliseconds_and_ids_differ() {
        let clock = NativeClock::default();
        let now = clock.now();
        assert_eq!(now.len(), "2026-01-01T00:00:00.000Z".len(), "{now}");
        assert!(now.ends_with('Z'));
        assert_ne!(clock.random_id(), clock.random_id());
        assert_eq!(clock.random_id().len(), 12);
    }
}
