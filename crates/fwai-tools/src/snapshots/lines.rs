//! How many lines two contents differ in.

use similar::{Algorithm, ChangeTag};
use std::time::{Duration, Instant};

/// Longer than this and the count becomes an upper bound: everything between the ends that agree.
const PATIENCE: Duration = Duration::from_millis(100);

/// Lines added and removed; zero for binary content.
pub fn changed(was: &[u8], is: &[u8]) -> (u64, u64) {
    if is_binary(was) || is_binary(is) {
        return (0, 0);
    }
    let (was, is): (Vec<&[u8]>, Vec<&[u8]>) = (lines(was), lines(is));
    if was.is_empty() || is.is_empty() {
        return (is.len() as u64, was.len() as u64);
    }
    let deadline = Some(Instant::now() + PATIENCE);
    let operations = similar::capture_diff_slices_deadline(Algorithm::Myers, &was, &is, deadline);
    let mut counts = (0, 0);
    for change in operations.iter().flat_map(|operation| operation.iter_changes(&was, &is)) {
        match change.tag() {
            ChangeTag::Insert => counts.0 += 1,
            ChangeTag::Delete => counts.1 += 1,
            ChangeTag::Equal => {}
        }
    }
    counts
}

fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}
