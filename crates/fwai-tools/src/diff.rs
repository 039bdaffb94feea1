//! Unified diffs for models and people.

use similar::TextDiff;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The changes with three lines of context, at most `limit` lines of them.
///
/// Only what lies between the first and the last difference is compared, so that one changed line in a
/// large file costs no more than looking for it.
pub fn unified(name: &str, before: &str, after: &str, limit: usize) -> String {
    let (skipped, was, is) = between(before, after);
    let diff = TextDiff::from_lines(was, is);
    let mut text = format!("--- a/{name}\n+++ b/{name}\n");
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        let hunk = hunk.to_string();
        let (header, lines) = hunk.split_once('\n').unwrap_or((&hunk, ""));
        text.push_str(&moved(header, skipped));
        text.push('\n');
        text.push_str(lines);
    }
    let mut lines = text.lines();
    let shown: Vec<&str> = lines.by_ref().take(limit).collect();
    match lines.count() {
        0 => shown.join("\n"),
        more => format!("{}\n({more} more lines)", shown.join("\n")),
    }
}

/// How many lines both texts begin with, and what is left of each, with some context on both sides.
fn between<'t>(before: &'t str, after: &'t str) -> (usize, &'t str, &'t str) {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let same = common_prefix(old, new);
    let start = before_lines(old, same, CONTEXT + 1);
    // What both end with, without the part that both begin with.
    let most = (old.len() - same).min(new.len() - same);
    let tail = common_suffix(&old[old.len() - most..], &new[new.len() - most..]);
    let end = after_lines(old, old.len() - tail, CONTEXT + 1);
    let rest = old.len() - end;
    if new.len() < rest || start > new.len() - rest || start > end {
        return (0, before, after);
    }
    let skipped = memchr::memchr_iter(b'\n', &old[..start]).count();
    // Both cuts lie behind a newline, so that no character is split.
    (skipped, &before[start..end], &after[start..new.len() - rest])
}

/// Whole blocks are compared at once, which a processor does many times faster than single bytes.
const BLOCK: usize = 4096;

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    blocks + a[blocks..].iter().zip(&b[blocks..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let blocks =
        a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    let (a, b) = (&a[..a.len() - blocks], &b[..b.len() - blocks]);
    blocks + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// The beginning of the line that is `count` lines above `at`.
fn before_lines(text: &[u8], at: usize, count: usize) -> usize {
    memchr::memrchr_iter(b'\n', &text[..at]).nth(count).map_or(0, |newline| newline + 1)
}

/// The end of the line that is `count` lines below `at`.
fn after_lines(text: &[u8], at: usize, count: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[at..]).nth(count).map_or(text.len(), |newline| at + newline + 1)
}

/// `@@ -a,b +c,d @@` with both places moved down.
fn moved(header: &str, lines: usize) -> String {
    let move_one = |word: &str| -> Option<String> {
        let (sign, rest) = word.split_at_checked(1)?;
        let (at, length) = rest.split_once(',').map_or((rest, None), |(at, length)| (at, Some(length)));
        let at = at.parse::<usize>().ok()? + lines;
        Some(length.map_or_else(|| format!("{sign}{at}"), |length| format!("{sign}{at},{length}")))
    };
    let words = header.split(' ').map(|word| match word.starts_with(['-', '+']) {
        true => move_one(word).unwrap_or_else(|| word.to_owned()),
        false => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_in_the_middle_keeps_its_place() {
        let before: String = (1..=1000).map(|line| format!("line {line}\n")).collect();
        let after = before.replace("line 500\n", "line five hundred\nand more\n");
        let expected = TextDiff::from_lines(&before, &after)
            .unified_diff()
            .context_radius(CONTEXT)
            .header("a/x", "b/x")
            .to_string();
        assert_eq!(unified("x", &before, &after, 100), expected.trim_end());
    }

    proptest::proptest! {
        #[test]
        fn the_short_way_says_what_the_long_one_does(
            before in proptest::collection::vec("[ab]{0,2}\n?", 0..30),
            after in proptest::collection::vec("[ab]{0,2}\n?", 0..30),
        ) {
            let (before, after) = (before.concat(), after.concat());
            let short = unified("x", &before, &after, 1000);
            let (mut removed, mut added) = (Vec::new(), Vec::new());
            for line in short.lines().skip(2) {
                match line.as_bytes().first() {
                    Some(b'-') => removed.push(&line[1..]),
                    Some(b'+') => added.push(&line[1..]),
                    _ => {}
                }
            }
            // Lines gained and lost balance whatever way was chosen.
            let count = |text: &str| text.split_inclusive('\n').count();
            proptest::prop_assert_eq!(
                count(&before) as i64 - removed.len() as i64,
                count(&after) as i64 - added.len() as i64
            );
        }
    }
}
