//! Bytes of a device as text that cannot control the terminal.
//!
//! Escape sequences are dropped (colours may stay), other control characters become visible signs, and
//! bytes that are no UTF-8 become the replacement character. State is kept between chunks, so a sequence
//! that is cut in two is dropped all the same.

/// A streaming filter.
#[derive(Debug, Clone, Default)]
pub struct SafeText {
    /// Let colour sequences (`ESC [ … m`) through.
    keep_colours: bool,
    state: State,
    /// Start of a UTF-8 character or a colour sequence that is not complete yet.
    held: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    /// `ESC [`
    Csi,
    /// `ESC ]`, `P`, `X`, `^`, `_`: text up to BEL or `ESC \`.
    String,
    StringEscape,
}

const LONGEST_COLOUR: usize = 32;

impl SafeText {
    pub fn new(keep_colours: bool) -> Self {
        Self { keep_colours, ..Self::default() }
    }

    /// The next bytes as safe text.
    pub fn feed(&mut self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        for &byte in bytes {
            self.byte(byte, &mut text);
        }
        text
    }

    fn byte(&mut self, byte: u8, text: &mut String) {
        match self.state {
            State::Text => self.text_byte(byte, text),
            State::Escape => {
                self.state = match byte {
                    b'[' => State::Csi,
                    b']' | b'P' | b'X' | b'^' | b'_' => State::String,
                    0x1b => State::Escape,
                    // Two-byte sequences with an intermediate byte end with the next one.
                    0x20..=0x2f => State::Escape,
                    _ => State::Text,
                };
                self.held.clear();
            }
            State::Csi => match byte {
                0x20..=0x3f => {
                    if self.held.len() < LONGEST_COLOUR {
                        self.held.push(byte);
                    }
                }
                0x1b => self.state = State::Escape,
                b'\n' | b'\r' => {
                    self.state = State::Text;
                    self.held.clear();
                    self.text_byte(byte, text);
                }
                _ => {
                    let colour = byte == b'm' && self.held.iter().all(|b| b.is_ascii_digit() || *b == b';');
                    if colour && self.keep_colours {
                        text.push_str("\u{1b}[");
                        text.extend(self.held.iter().map(|b| *b as char));
                        text.push('m');
                    }
                    self.held.clear();
                    self.state = State::Text;
                }
            },
            State::String => match byte {
                0x07 => self.state = State::Text,
                0x1b => self.state = State::StringEscape,
                // A device that never ends its string must not swallow the rest of the log.
                b'\n' => {
                    self.state = State::Text;
                    text.push('\n');
                }
                _ => {}
            },
            State::StringEscape => self.state = if byte == b'\\' { State::Text } else { State::String },
        }
    }

    fn text_byte(&mut self, byte: u8, text: &mut String) {
        if !self.held.is_empty() {
            if byte & 0xc0 == 0x80 {
                self.held.push(byte);
                match std::str::from_utf8(&self.held) {
                    Ok(done) => {
                        text.extend(done.chars().map(visible));
                        self.held.clear();
                    }
                    // Still incomplete.
                    Err(error) if error.error_len().is_none() => {}
                    Err(_) => {
                        text.push('\u{fffd}');
                        self.held.clear();
                    }
                }
                return;
            }
            text.push('\u{fffd}');
            self.held.clear();
        }
        match byte {
            0x1b => self.state = State::Escape,
            b'\n' | b'\t' => text.push(byte as char),
            b'\r' => {}
            0x00..0x20 => text.push(char::from_u32(0x2400 + u32::from(byte)).unwrap_or('\u{fffd}')),
            0x7f => text.push('\u{2421}'),
            0x20..0x7f => text.push(byte as char),
            0xc2..=0xf4 => self.held.push(byte),
            _ => text.push('\u{fffd}'),
        }
    }
}

/// Characters beyond ASCII that would still act on a terminal or reorder text.
fn visible(c: char) -> char {
    match c {
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        c => c,
    }
}

/// Text without escape sequences and control characters, for matching.
pub fn strip_escapes(text: &str) -> String {
    SafeText::new(false).feed(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        let check = |input: &[u8], expected: &str| assert_eq!(SafeText::new(false).feed(input), expected);
        check(b"plain\r\n", "plain\n");
        check(b"\x1b[2J\x1b[Hcleared", "cleared");
        check(b"\x1b]0;evil title\x07ok", "ok");
        check(b"\x1b]52;c;ZXZpbA==\x1b\\ok", "ok");
        check(b"\x1bPq#0\x1b\\x", "x");
        check(b"a\x08b\x7f\x00", "a\u{2408}b\u{2421}\u{2400}");
        check(b"\x1b[31mred\x1b[0m", "red");
        check("gr\u{fc}n \u{9b}31m".as_bytes(), "gr\u{fc}n \u{fffd}31m");
        check(&[0xff, b'x', 0xc3, b'y'], "\u{fffd}x\u{fffd}y");
        check(b"\x1b]never ended\nnext line", "\nnext line");
        check(b"\x1b(Bok", "ok");
        assert_eq!(SafeText::new(true).feed(b"\x1b[1;31mE\x1b[0m \x1b[5A"), "\u{1b}[1;31mE\u{1b}[0m ");
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_control_character(bytes: Vec<u8>, cut in 0usize..64) {
            let mut filter = SafeText::new(false);
            let cut = cut.min(bytes.len());
            let text = filter.feed(&bytes[..cut]) + &filter.feed(&bytes[cut..]);
            prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{text:?}");
            let mut whole = SafeText::new(false);
            prop_assert_eq!(text, whole.feed(&bytes));
        }
    }
}
