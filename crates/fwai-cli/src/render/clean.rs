//! Text of models, tools and boards without anything that could steer a terminal.
//!
//! Whole escape sequences are taken out, also those that arrive in pieces, and so are control characters
//! and the marks that turn the direction of writing round, behind which code can hide.

use std::borrow::Cow;

/// Cleans a text that arrives in pieces.
#[derive(Debug, Default, Clone)]
pub struct Cleaner {
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// ESC with intermediate bytes: a character set or the like; one more byte ends it.
    Intermediate,
    /// CSI: until a final byte.
    Control,
    /// OSC, DCS, APC, PM, SOS: until BEL or ST.
    Command(usize),
    /// ESC inside of such a string.
    CommandEscape(usize),
}

/// A string that never ends must not swallow the rest of the answer.
const LONGEST_COMMAND: usize = 4096;

impl Cleaner {
    pub fn clean(&mut self, text: &str) -> String {
        if self.state == State::Text && text.chars().all(is_harmless) {
            return text.to_owned();
        }
        text.chars().filter(|letter| self.keeps(*letter)).collect()
    }

    fn keeps(&mut self, letter: char) -> bool {
        let (next, keep) = match (self.state, letter) {
            (State::Command(_), '\u{7}' | '\u{9c}') => (State::Text, false),
            (State::Command(length), '\u{1b}') => (State::CommandEscape(length), false),
            (State::Command(LONGEST_COMMAND..), _) => (State::Text, is_harmless(letter)),
            (State::Command(length), _) => (State::Command(length + 1), false),
            (State::CommandEscape(_), '\\') => (State::Text, false),
            (_, '\u{1b}') => (State::Escape, false),
            (State::Escape | State::CommandEscape(_), '[') => (State::Control, false),
            (State::Escape | State::CommandEscape(_), ']' | 'P' | '_' | '^' | 'X') => {
                (State::Command(0), false)
            }
            (State::Escape, ' '..='/') => (State::Intermediate, false),
            (State::Intermediate, ' '..='/') => (State::Intermediate, false),
            (State::Escape | State::Intermediate | State::CommandEscape(_), '0'..='~') => {
                (State::Text, false)
            }
            (State::Control, '@'..='~') => (State::Text, false),
            (State::Control, ' '..='?') => (State::Control, false),
            (_, '\u{9b}') => (State::Control, false),
            (_, '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}') => (State::Command(0), false),
            _ => (State::Text, is_harmless(letter)),
        };
        self.state = next;
        keep
    }
}

/// A whole text, cleaned.
pub fn clean(text: &str) -> String {
    Cleaner::default().clean(text)
}

/// The same on one line.
pub fn clean_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// Lines of ours, which have colours, around words of others, which may hold anything: of all sequences only those
/// that change the colour of letters are left.
pub fn clean_around_colours(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let (mut cleaner, mut out, mut rest) = (Cleaner::default(), String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&cleaner.clean(&rest[..at]));
        let tail = &rest[at + 2..];
        let end = tail.find(|letter: char| !letter.is_ascii_digit() && letter != ';').unwrap_or(tail.len());
        if cleaner.state == State::Text && tail[end..].starts_with('m') {
            out.push_str(&rest[at..at + 2 + end + 1]);
            rest = &tail[end + 1..];
        } else {
            out.push_str(&cleaner.clean("\x1b["));
            rest = tail;
        }
    }
    out.push_str(&cleaner.clean(rest));
    Cow::Owned(out)
}

fn is_harmless(letter: char) -> bool {
    let turns_round =
        matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    (!letter.is_control() || matches!(letter, '\n' | '\t')) && !turns_round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_go_whole_and_words_stay() {
        for (hostile, left) in [
            ("a\x1b[31mred\x1b[0m b", "ared b"),
            ("\x1b]0;title\x07x", "x"),
            ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1bPq#0;2\x1b\\done", "done"),
            ("\x1b(0lqk\x1b(B", "lqk"),
            ("\u{9b}2Jclear", "clear"),
            ("\x1bcreset", "reset"),
            ("a\rb\x08\x07\x0b", "ab"),
            ("if (x) {\u{202e} } \u{2066}", "if (x) { } "),
            ("\x1b[1;1H\x1b[2J\x1b[?1049hgone", "gone"),
            ("tab\tand\nline", "tab\tand\nline"),
            ("中文 é 👩‍🔬", "中文 é 👩‍🔬"),
            ("\x1b\x1b[31mx", "x"),
        ] {
            assert_eq!(clean(hostile), left, "{hostile:?}");
        }
    }

    #[test]
    fn around_colours_nothing_else_is_left() {
        for (hostile, left) in [
            ("\x1b[1;31mwrong\x1b[0m file", "\x1b[1;31mwrong\x1b[0m file"),
            ("a\x1b[2Jb\x1b[32mc", "ab\x1b[32mc"),
            // An escape inside of a title ends it, as in a terminal.
            ("a\x1b]0;title\x1b[31mx\x07b", "axb"),
            ("\x1b[31", ""),
            ("\x1b[?25mx", "x"),
            ("a\rb\u{9b}2Jc", "abc"),
            ("plain", "plain"),
        ] {
            assert_eq!(clean_around_colours(hostile), left, "{hostile:?}");
        }
    }

    #[test]
    fn a_sequence_in_pieces_is_still_one() {
        let hostile = "before\x1b]52;c;ZXZpbA==\x1b\\mid\x1b[38;5;196mdle\x1b[0m after";
        for cut in 1..hostile.len() {
            let mut cleaner = Cleaner::default();
            let mut out = cleaner.clean(&hostile[..cut]);
            out.push_str(&cleaner.clean(&hostile[cut..]));
            assert_eq!(out, "beforemiddle after", "cut at {cut}");
        }
    }

    #[test]
    fn an_endless_command_does_not_swallow_the_answer() {
        let text = format!("\x1b]{}END", "x".repeat(10_000));
        assert!(clean(&text).ends_with("END"));
    }
}
