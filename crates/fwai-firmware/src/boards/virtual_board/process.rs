//! Which process a board's QEMU is, told apart from a later one with the same number.

use std::{fs, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

/// A process number with its start time: the pair is never used twice between reboots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessId {
    pub pid: u32,
    /// Clock ticks since boot at which it started.
    pub started: u64,
}

impl ProcessId {
    /// The running process of this number.
    pub fn of(pid: u32) -> Option<Self> {
        let (_, started) = stat(pid)?;
        Some(Self { pid, started })
    }

    /// Whether this very process still runs; one that ended and waits for its parent does not.
    pub fn alive(&self) -> bool {
        stat(self.pid).is_some_and(|(state, started)| started == self.started && !matches!(state, 'Z' | 'X'))
    }

    /// End it, politely and then not; true when it is gone.
    pub async fn end(&self, patience: Duration) -> bool {
        for (signal, patience) in [(Signal::TERM, patience), (Signal::KILL, Duration::from_secs(2))] {
            if !self.alive() {
                return true;
            }
            if let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
                // It may have ended by itself in between.
                let _ = kill_process(pid, signal);
            }
            if self.gone_within(patience).await {
                return true;
            }
        }
        !self.alive()
    }

    /// Wait for the end.
    pub async fn gone_within(&self, limit: Duration) -> bool {
        let deadline = tokio::time::Instant::now() + limit;
        while self.alive() {
            if tokio::time::Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        true
    }
}

/// State letter and start time from `/proc`. The name before them may hold spaces and parentheses.
fn stat(pid: u32) -> Option<(char, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_whitespace().collect();
    Some((fields.first()?.chars().next()?, fields.get(19)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_recycled_number_is_another_process() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = ProcessId::of(child.id()).unwrap();
        assert!(id.alive());
        let recycled = ProcessId { started: id.started + 1, ..id };
        assert!(!recycled.alive());
        assert!(recycled.end(Duration::from_millis(10)).await, "nothing to end");
        assert!(id.alive(), "somebody else's process was left alone");
        assert!(id.end(Duration::from_secs(5)).await);
        assert!(!id.alive(), "a zombie does not count as alive");
        child.wait().unwrap();
    }
}
