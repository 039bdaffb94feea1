//! Reads a line of code as pieces of few kinds. What it does not know stays plain; it never fails.

use super::languages::{LANGUAGES, Language};
use crate::render::{
    palette,
    text::{Span, push},
};
use anstyle::Style;

/// Colours one block of code; remembers what goes over the end of a line.
#[derive(Debug, Clone)]
pub struct Highlighter {
    how: How,
    /// What ends the comment or the string that is open.
    open: Option<(&'static str, Style)>,
}

#[derive(Debug, Clone, Copy)]
enum How {
    Plain,
    Diff,
    Language(&'static Language),
}

impl Highlighter {
    /// By the name of a fence, or the name or ending of a file.
    pub fn named(name: &str) -> Self {
        let name = name.trim().rsplit(['/', '.']).next().unwrap_or_default();
        let is_named = |language: &&Language| {
            language.names.iter().any(|known| *known == name || known.eq_ignore_ascii_case(name))
        };
        let how = match LANGUAGES.iter().find(is_named) {
            Some(language) => How::Language(language),
            None if matches!(name, "diff" | "patch") => How::Diff,
            None => How::Plain,
        };
        Self { how, open: None }
    }

    /// One line, without its end.
    pub fn line(&mut self, line: &str) -> Vec<Span> {
        match self.how {
            How::Plain => vec![Span::plain(line)],
            How::Diff => vec![Span::new(line, diff_style(line))],
            How::Language(language) => self.scan(language, line),
        }
    }

    fn scan(&mut self, language: &'static Language, line: &str) -> Vec<Span> {
        let mut out: Vec<Span> = Vec::new();
        let mut at = 0;
        let mut first_word = true;
        while at < line.len() {
            let rest = &line[at..];
            if let Some((end, style)) = self.open {
                let stop = rest.find(end).map(|found| found + end.len());
                push(&mut out, Span::new(&rest[..stop.unwrap_or(rest.len())], style));
                match stop {
                    Some(stop) => {
                        at += stop;
                        self.open = None;
                        continue;
                    }
                    None => return out,
                }
            }
            let before = line[..at].chars().next_back();
            let fresh = before.is_none_or(|letter| !is_word(letter, language));
            let (length, style, opens) = piece(language, rest, before, fresh, &mut first_word);
            if let Some(end) = opens {
                push(&mut out, Span::new(&rest[..length], style));
                self.open = Some((end, style));
            } else {
                push(&mut out, Span::new(&rest[..length], style));
            }
            at += length;
        }
        out
    }
}

/// The next piece: its length, its style, and what ends it where it may go over lines.
fn piece(
    language: &'static Language,
    rest: &str,
    before: Option<char>,
    fresh: bool,
    first_word: &mut bool,
) -> (usize, Style, Option<&'static str>) {
    let letter = rest.chars().next().expect("the rest is not empty");
    let is_first = *first_word;
    if letter.is_whitespace() {
        let length = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        return (length, palette::PLAIN, None);
    }
    *first_word = false;
    // In a shell and its kin `#` opens a comment only at the start of a word.
    let may_comment = |mark: &str| mark.len() > 1 || before.is_none_or(char::is_whitespace);
    let directive_comment =
        language.line_comments.iter().any(|mark| rest.starts_with(mark) && may_comment(mark));
    if directive_comment {
        return (rest.len(), palette::COMMENT, None);
    }
    if let Some((open, close)) = language.block_comment.filter(|(open, _)| rest.starts_with(open)) {
        return (open.len(), palette::COMMENT, Some(close));
    }
    if let Some(quote) = language.long_quotes.iter().find(|quote| rest.starts_with(**quote)) {
        return (quote.len(), palette::STRING, Some(quote));
    }
    if language.quotes.contains(&letter) {
        let length = string_length(rest, letter);
        let is_key = language.keys == Some(':') && rest[length..].trim_start().starts_with(':');
        return (length, if is_key { palette::TYPE } else { palette::STRING }, None);
    }
    if language.directive == Some(letter) && (is_first || (letter == '.' && fresh)) {
        let end = rest[1..].find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ' ' | '.'));
        let words = &rest[..end.map_or(rest.len(), |end| end + 1)];
        let length = match letter {
            '[' | '@' => rest.len(),
            _ => words
                .trim_end()
                .char_indices()
                .skip(1)
                .find(|(_, c)| *c == ' ')
                .map_or(words.trim_end().len(), |(end, _)| end),
        };
        return (length.max(1), palette::DIRECTIVE, None);
    }
    if language.dollar && letter == '$' {
        let close = match rest.as_bytes().get(1) {
            Some(b'(') => rest.find(')').map(|end| end + 1),
            Some(b'{') => rest.find('}').map(|end| end + 1),
            _ => None,
        };
        let word =
            || 1 + rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len() - 1);
        return (close.unwrap_or_else(word).max(1), palette::TYPE, None);
    }
    if letter.is_ascii_digit() && fresh {
        let length =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_')).unwrap_or(rest.len());
        return (length, palette::NUMBER, None);
    }
    if is_word(letter, language) || letter == '.' {
        let end = rest.find(|c: char| !is_word(c, language) && c != '.').unwrap_or(rest.len());
        let whole = &rest[..end];
        let simple = rest.find(|c: char| !is_word(c, language)).unwrap_or(rest.len()).max(1);
        let is_key = |length: usize| {
            let after = rest[length..].trim_start();
            language
                .keys
                .is_some_and(|mark| after.starts_with(mark) || (mark == '=' && after.starts_with(":=")))
        };
        if is_first && is_key(end) {
            return (end, palette::TYPE, None);
        }
        if known(language.keywords, whole, language.any_case) {
            return (end, palette::KEYWORD, None);
        }
        let word = &rest[..simple];
        // `- key: value`
        if language.keys == Some(':') && word == "-" {
            *first_word = true;
        }
        let style = match () {
            _ if known(language.keywords, word, language.any_case) => palette::KEYWORD,
            _ if known(language.types, word, language.any_case) => palette::TYPE,
            _ => palette::PLAIN,
        };
        return (simple, style, None);
    }
    (letter.len_utf8(), palette::PLAIN, None)
}

fn is_word(letter: char, language: &Language) -> bool {
    letter.is_alphanumeric() || letter == '_' || (language.dashes && letter == '-')
}

fn known(words: &[&str], word: &str, any_case: bool) -> bool {
    words.iter().any(|known| *known == word || (any_case && known.eq_ignore_ascii_case(word)))
}

/// To the closing quote, or to the end of the line.
fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The style of a line of a unified diff.
pub fn diff_style(line: &str) -> Style {
    match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => palette::BOLD,
        [b'd', b'i', b'f', b'f', b' ', ..] => palette::BOLD,
        [b'+', ..] => palette::ADDED,
        [b'-', ..] => palette::REMOVED,
        [b'@', b'@', ..] => palette::HUNK,
        _ => palette::PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each piece with the letter of its kind: k(eyword) t(ype) s(tring) n(umber) c(omment) plain.
    fn marked(language: &str, code: &str) -> String {
        let mut highlighter = Highlighter::named(language);
        let kind = |style: Style| match style {
            palette::KEYWORD => "k",
            palette::TYPE => "t",
            palette::STRING => "s",
            palette::NUMBER => "n",
            palette::COMMENT => "c",
            palette::BAD => "-",
            palette::BOLD => "b",
            _ => "",
        };
        let line = |line: &str| {
            let spans = highlighter.line(line);
            let text: String = spans.iter().map(|span| span.text.as_str()).collect();
            assert_eq!(text, line, "nothing is lost");
            let mark = |span: &Span| match kind(span.style) {
                "" => span.text.clone(),
                kind => format!("{kind}<{}>", span.text),
            };
            spans.iter().map(mark).collect::<String>()
        };
        code.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn c() {
        insta::assert_snapshot!(marked("c", "#define BAUD 115200\nstatic uint32_t x = 0x20; // \"no\"\n/* a\n b */ return \"a\\\"b\";"), @r##"
        t<#define> BAUD n<115200>
        k<static> t<uint32_t> x = n<0x20>; c<// "no">
        c</* a>
        c< b */> k<return> s<"a\"b">;
        "##);
    }

    #[test]
    fn every_other_language() {
        for (language, code) in [
            ("asm", "main: ldr r0, =0x40 @ load\n.word 1"),
            ("rust", "pub fn f() -> u8 { 1 }"),
            ("python", "def f():\n  \"\"\"long\n  text\"\"\"\n  return None # x"),
            ("yaml", "- name: \"x\" # c\n  on: true"),
            ("json", "{\"a\": [1, true], \"b\": \"c\"}"),
            ("sh", "echo \"$HOME\" $X a#b # c"),
            ("cmake", "add_executable(app main.c) # c"),
            ("make", "CC := gcc\nall: $(OBJ)"),
            ("kconfig", "config UART\n\tbool \"Serial\""),
            ("dts", "&uart1 { status = \"okay\"; };"),
            ("ld", "MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 512K }"),
            ("diff", "--- a\n+++ b\n-old\n+new"),
        ] {
            let shown = marked(language, code);
            assert_ne!(shown, code, "{language} has no colour at all");
        }
        insta::assert_snapshot!(marked("yaml", "- name: \"x\" # c\n  on: true"), @r#"
        - t<name>: s<"x"> c<# c>
          t<on>: t<true>
        "#);
        insta::assert_snapshot!(marked("json", "{\"a\": [1, true], \"b\": \"c\"}"), @r#"{t<"a">: [n<1>, t<true>], t<"b">: s<"c">}"#);
        insta::assert_snapshot!(marked("sh", "echo \"$HOME\" $X a#b # c"), @r#"k<echo> s<"$HOME"> t<$X> a#b c<# c>"#);
        insta::assert_snapshot!(marked("asm", "main: ldr r0, =0x40 @ load"), @"main: k<ldr> t<r0>, =n<0x40> c<@ load>");
    }

    #[test]
    fn an_unknown_language_is_left_alone() {
        assert_eq!(marked("brainfuck", "+[-]"), "+[-]");
        assert_eq!(marked("", "int x;"), "int x;");
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_lost_whatever_the_text(code in "\\PC{0,60}", at in 0..LANGUAGES.len()) {
            let mut highlighter = Highlighter::named(LANGUAGES[at].names[0]);
            let text: String = highlighter.line(&code).iter().map(|span| span.text.as_str()).collect();
            proptest::prop_assert_eq!(text, code);
        }
    }
}
