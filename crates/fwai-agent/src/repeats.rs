//! Stops a model that repeats the same failing call. A call may fail twice in the same words, since the
//! world may have changed; the third is answered without being run. Any successful change starts afresh.

use crate::executor::Call;
use std::collections::HashMap;

const FAILURES_ALLOWED: u32 = 2;
const REFUSALS_ALLOWED: u32 = 2;

/// Failing calls of one turn.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    failures: HashMap<String, u32>,
    refused: u32,
}

impl Repeats {
    /// Equal for calls that are the same.
    pub(crate) fn key(call: &Call) -> String {
        format!("{} {}", call.name, call.input)
    }

    /// The answer of a call that must not run again.
    pub(crate) fn refusal(&mut self, key: &str) -> Option<String> {
        let failures = *self.failures.get(key)?;
        if failures < FAILURES_ALLOWED {
            return None;
        }
        self.refused += 1;
        Some(format!(
            "Not run: this exact call failed {failures} times in this turn and nothing has changed since. Change the \
             call, fix its cause, or tell the user what stops you."
        ))
    }

    pub(crate) fn record(&mut self, key: &str, success: bool, changed: bool) {
        if success {
            self.failures.remove(key);
            if changed {
                self.failures.clear();
                self.refused = 0;
            }
        } else {
            *self.failures.entry(key.to_owned()).or_default() += 1;
        }
    }

    pub(crate) fn refused(&self) -> u32 {
        self.refused
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.refused >= REFUSALS_ALLOWED
    }
}
