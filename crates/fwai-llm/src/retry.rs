//! Which failures are worth another try, and how long to wait before it.

use crate::{Clock, LlmError};
use fwai_schema::config::RetryConfig;
use std::time::Duration;

/// How long to wait before the next try; `None` when there shall be none. `tries` counts those made.
pub fn delay_before_retry(
    config: &RetryConfig,
    error: &LlmError,
    tries: u32,
    clock: &dyn Clock,
) -> Option<Duration> {
    if !error.is_retryable() || tries > most_retries(config, error) {
        return None;
    }
    let most = config.max_ms;
    if let Some(asked) = error.retry_after_ms() {
        // A little later than asked, each client differently; an impatient one would be sent away again.
        let spread = (asked as f64 * 0.1).min(1000.0) * clock.jitter();
        return Some(Duration::from_millis((asked.saturating_add(spread as u64)).min(most)));
    }
    let full = config.initial_ms.saturating_mul(1u64 << (tries - 1).min(20)).min(most);
    let ms = full as f64 * (0.5 + 0.5 * clock.jitter());
    Some(Duration::from_millis(ms as u64))
}

/// Waiting long once more, or reading the same nonsense again, helps less than asking a person.
fn most_retries(config: &RetryConfig, error: &LlmError) -> u32 {
    let most = config.max_retries;
    match error {
        LlmError::Connect { url, .. } if is_local(url) => 0,
        LlmError::Connect { .. } => most.min(2),
        LlmError::Timeout { .. } | LlmError::Protocol { .. } => most.min(1),
        _ => most,
    }
}

/// On this machine a refused connection means that no server runs.
fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["localhost", "127.", "[::1]"].iter().any(|local| host.starts_with(local))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoxFuture;

    struct Halfway;
    impl Clock for Halfway {
        fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
            Box::pin(std::future::ready(()))
        }
        fn jitter(&self) -> f64 {
            0.5
        }
    }

    fn delays(error: LlmError) -> Vec<u64> {
        let config = RetryConfig { max_retries: 4, initial_ms: 400, max_ms: 2000 };
        (1..)
            .map_while(|tries| delay_before_retry(&config, &error, tries, &Halfway))
            .map(|delay| delay.as_millis() as u64)
            .collect()
    }

    fn overloaded(retry_after_ms: Option<u64>) -> LlmError {
        LlmError::Overloaded { provider: "p".into(), status: 529, message: String::new(), retry_after_ms }
    }

    #[test]
    fn waits_double_up_to_their_limit() {
        assert_eq!(delays(overloaded(None)), [300, 600, 1200, 1500]);
    }

    #[test]
    fn the_server_knows_better_but_not_without_end() {
        assert_eq!(delays(overloaded(Some(1000))), [1050; 4]);
        assert_eq!(delays(overloaded(Some(3_600_000))), [2000; 4]);
        assert_eq!(delays(overloaded(Some(0))), [0; 4]);
    }

    #[test]
    fn some_failures_are_tried_less_often_or_never() {
        let connect =
            |url: &str| LlmError::Connect { provider: "p".into(), url: url.into(), message: String::new() };
        assert_eq!(delays(connect("http://127.0.0.1:11434")).len(), 0);
        assert_eq!(delays(connect("https://api.example.org")).len(), 2);
        assert_eq!(delays(LlmError::Protocol { provider: "p".into(), message: String::new() }).len(), 1);
        let refused = LlmError::BadRequest { provider: "p".into(), status: 400, message: String::new() };
        assert_eq!(delays(refused).len(), 0);
    }
}
