//! The only way for text to reach a page.

/// Escapes text for HTML, also inside attributes. Terminal colours vanish, other control characters
/// and characters that reorder what is read (bidirectional overrides) become visible.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' => {
                // A line that was overwritten on a terminal is shown as lines of its own.
                if chars.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\u{1b}' => skip_terminal_sequence(&mut chars),
            c if c.is_control() => out.push(control_picture(c)),
            c if reorders(c) => out.push_str(&format!("⟦U+{:04X}⟧", c as u32)),
            c => out.push(c),
        }
    }
    out
}

fn control_picture(c: char) -> char {
    match c as u32 {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '␡',
        _ => '\u{fffd}',
    }
}

fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{feff}')
}

fn skip_terminal_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.peek() {
        // CSI: parameters, then one final character.
        Some('[') => {
            chars.next();
            while let Some(c) = chars.peek().copied() {
                if c == '\n' || !c.is_ascii() {
                    return;
                }
                chars.next();
                if ('@'..='~').contains(&c) {
                    return;
                }
            }
        }
        // OSC: up to BEL or ESC \, but never over a line's end.
        Some(']') => {
            while let Some(c) = chars.peek().copied() {
                if c == '\n' {
                    return;
                }
                chars.next();
                if c == '\u{7}' {
                    return;
                }
                if c == '\u{1b}' {
                    chars.next_if_eq(&'\\');
                    return;
                }
            }
        }
        Some(c) if c.is_ascii() && *c != '\n' => {
            chars.next();
        }
        _ => {}
    }
}
