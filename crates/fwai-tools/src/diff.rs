//! Unified diffs for models and people.

use similar::TextDiff;

/// The changes with three lines of context, at most `limit` lines of them.
pub fn unified(name: &str, before: &str, after: &str, limit: usize) -> String {
    let diff = TextDiff::from_lines(before, after);
    let text =
        diff.unified_diff().context_radius(3).header(&format!("a/{name}"), &format!("b/{name}")).to_string();
    let mut lines = text.lines();
    let shown: Vec<&str> = lines.by_ref().take(limit).collect();
    match lines.count() {
        0 => shown.join("\n"),
        more => format!("{}\n({more} more lines)", shown.join("\n")),
    }
}
