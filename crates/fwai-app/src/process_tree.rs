//! Ending everything that this process started, children of children included, when a watchdog or a second
//! Ctrl-C says that nothing may stay behind.

use rustix::process::{Pid, Signal, kill_process};
use std::{collections::HashMap, fs, time::Duration};

/// Kills every descendant of this process; true when none is left.
///
/// A process that appears while we look is found by the next round: its parent, which could start more, is
/// already dead by then.
pub fn kill_descendants() -> bool {
    for _ in 0..50 {
        let found = descendants(std::process::id());
        if found.is_empty() {
            return true;
        }
        for pid in found {
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                // Gone already is as good as killed.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Living descendants, the nearest first; those that are only not yet waited for do not count.
fn descendants(of: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some((state, parent)) = state_and_parent(&stat)
            && !matches!(state, 'Z' | 'X')
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![of];
    while let Some(pid) = next.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            found.push(child);
            next.push(child);
        }
    }
    found
}

/// From `/proc/PID/stat`; the name in parentheses may hold anything, also spaces and parentheses.
fn state_and_parent(stat: &str) -> Option<(char, u32)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_confuse() {
        assert_eq!(state_and_parent("12 (a) b (c)) S 7 12 12 0"), Some(('S', 7)));
        assert_eq!(state_and_parent("12 (a"), None);
    }
}
