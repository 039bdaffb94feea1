//! Letters for a terminal that knows ASCII only: the bytes of any other letter are rubbish there, and some of them
//! (0x9B begins a sequence) steer it.

use super::abilities::{self, Encoding};
use std::{borrow::Cow, io::IsTerminal};
use unicode_width::UnicodeWidthChar;

/// A text as standard output can show it; its width stays the same.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.is_ascii() || !(is_limited() && std::io::stdout().is_terminal()) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(in_ascii(text)),
    }
}

/// Whether the locale names an encoding in which not every letter can be shown. A locale that is not set says
/// nothing about the terminal.
pub fn is_limited() -> bool {
    abilities::encoding() == Encoding::Other
}

/// Each letter as one of ASCII, as wide as it was.
pub fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let sign = match letter {
            letter if letter.is_ascii() => letter,
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '’' | '‚' => '\'',
            '–' | '—' | '−' | '─' | '‐' | '‑' => '-',
            '…' | '·' => '.',
            '→' | '›' | '▸' => '>',
            '←' | '‹' => '<',
            '•' | '◦' | '×' | '◆' => '*',
            '│' | '┃' => '|',
            '┼' | '├' | '└' | '✓' => '+',
            '✗' => 'x',
            'µ' | 'μ' => 'u',
            'Ω' => 'O',
            '≈' => '~',
            '\u{a0}' => ' ',
            other => {
                out.extend(std::iter::repeat_n('?', other.width().unwrap_or(0)));
                continue;
            }
        };
        out.push(sign);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::text::width;

    #[test]
    fn every_letter_becomes_ascii_of_the_same_width() {
        for (text, ascii) in [
            ("plain", "plain"),
            ("“5 µs” — it’s ok…", "\"5 us\" - it's ok."),
            ("編譯 ✓", "???? +"),
            ("caf\u{e9} cafe\u{301}", "caf? cafe"),
            ("e\u{11b}", "e?"),
        ] {
            assert_eq!(in_ascii(text), ascii);
            assert_eq!(width(text), ascii.len(), "{text}");
        }
    }
}
