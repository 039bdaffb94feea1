//! Cutting a text in the middle: both ends of a compiler's output matter, and what is left out is said.

use std::borrow::Cow;

/// At most about `limit` bytes of `text`, cut in the middle at line or character boundaries.
pub fn middle(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let (head, tail) = ends(text, limit);
    let left_out = text.len() - head.len() - tail.len();
    Cow::Owned(format!("{head}\n[… {left_out} bytes left out …]\n{tail}"))
}

/// As [`middle`], and says where the whole text is.
pub fn middle_kept_in(text: &str, limit: usize, file: &str) -> String {
    let (head, tail) = ends(text, limit);
    let left_out = text.len() - head.len() - tail.len();
    format!(
        "{head}\n[… {left_out} of {} bytes left out; the whole output is in {file} …]\n{tail}",
        text.len()
    )
}

/// Two thirds from the start and one third from the end.
fn ends(text: &str, limit: usize) -> (&str, &str) {
    let head_limit = limit / 3 * 2;
    let head = &text[..floor(text, head_limit)];
    let tail = &text[ceil(text, text.len() - (limit - head_limit).min(text.len()))..];
    // A cut at a line end reads better, where that costs little.
    let head = match head.rfind('\n') {
        Some(end) if end > head.len() / 2 => &head[..end],
        _ => head,
    };
    let tail = match tail.find('\n') {
        Some(start) if start < tail.len() / 2 => &tail[start + 1..],
        _ => tail,
    };
    (head, tail)
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_ends_stay_and_the_gap_is_said() {
        let text: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        let cut = middle(&text, 60);
        assert_eq!(
            cut,
            "line 0\nline 1\nline 2\nline 3\nline 4\n[… 8838 bytes left out …]\nline 998\nline 999\n"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_cut_within_bounds(text in "(a|é|漢|\n|🎉){0,200}", limit in 0usize..300) {
            let cut = middle(&text, limit);
            prop_assert!(cut.len() <= limit.max(text.len().min(limit)) + 60);
        }
    }
}
