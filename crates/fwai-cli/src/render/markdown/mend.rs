//! What an unfinished piece of Markdown most likely means: marks that are still open are closed, and marks
//! that have only begun are held back, so that nothing jumps when their other half arrives.

/// The text as it would be read if it ended here on purpose.
pub fn mend(text: &str) -> String {
    let start = text.rfind("\n\n").map_or(0, |at| at + 2);
    let last_line = text.rfind('\n').map_or(0, |at| at + 1);
    if in_fence(text) {
        return held_back_fence(text, last_line).to_owned();
    }
    let text = held_back_fence(text, last_line);
    let text = text.trim_end_matches(['*', '_', '~']).trim_end_matches(" \u{20}");
    let paragraph = &text[start.min(text.len())..];
    let mut out = text.to_owned();
    if paragraph.matches('`').count() % 2 == 1 {
        // A mark without words behind it is not shown yet.
        match out.strip_suffix('`') {
            Some(rest) => out.truncate(rest.len()),
            None => out.push('`'),
        }
        return out;
    }
    if outside_code(paragraph).matches("**").count() % 2 == 1 {
        out.truncate(out.trim_end().len());
        out.push_str("**");
    }
    out
}

/// Whether a fence of code is open at the end.
fn in_fence(text: &str) -> bool {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        open = match (open, mark) {
            (None, mark) => mark,
            (Some(fence), Some(mark))
                if fence == mark && line.trim_end().trim_matches(['`', '~']).is_empty() =>
            {
                None
            }
            (open, _) => open,
        };
    }
    open.is_some()
}

/// Without a last line that may become a fence.
fn held_back_fence(text: &str, last_line: usize) -> &str {
    match text[last_line..].trim() {
        "`" | "``" | "~" | "~~" => &text[..last_line],
        "```" | "~~~" if !in_fence(text) => text,
        _ => text,
    }
}

fn outside_code(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::mend;

    #[test]
    fn open_marks_are_closed_for_now() {
        for (text, meant) in [
            ("some **bold", "some **bold**"),
            ("some **", "some "),
            ("some **bold ", "some **bold**"),
            ("call `foo(", "call `foo(`"),
            ("call `", "call "),
            ("done **x** and `y`", "done **x** and `y`"),
            ("`a**b` **c", "`a**b` **c**"),
            ("text\n``", "text\n"),
            ("```c\nint *x = **y", "```c\nint *x = **y"),
            ("```c\nint x;\n``", "```c\nint x;\n"),
            ("first **open\n\nsecond", "first **open\n\nsecond"),
        ] {
            assert_eq!(mend(text), meant, "{text:?}");
        }
    }
}
