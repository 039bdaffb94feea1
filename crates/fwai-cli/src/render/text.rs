//! Styled text: spans, lines, their width on the screen, and how they wrap.

use super::{background, clean::clean_line, letters};
use anstyle::Style;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A piece of text in one style. Holds no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub style: Style,
}

impl Span {
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::new())
    }
}

/// One line of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Span>);

impl Line {
    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![Span::plain(text)])
    }

    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self(vec![Span::new(text, style)])
    }

    pub fn width(&self) -> usize {
        self.0.iter().map(|span| width(&span.text)).sum()
    }

    /// What is printed: with escape sequences of our own, or without any.
    pub fn paint(&self, colours: bool) -> String {
        let mut out = String::new();
        for span in &self.0 {
            // Whoever made the line should have cleaned it; the terminal must not depend on that.
            let text = match span.text.contains(char::is_control) {
                true => Cow::Owned(clean_line(&span.text)),
                false => Cow::Borrowed(&span.text),
            };
            let text = letters::shown(&text);
            match colours && span.style != Style::new() {
                true => out.push_str(&format!("{0}{text}{0:#}", span.style)),
                false => out.push_str(&text),
            }
        }
        match colours && background::is_light() {
            true => background::suited(&out).into_owned(),
            false => out,
        }
    }

    /// At most `columns` wide; what is cut off leaves a mark.
    pub fn cut(mut self, columns: usize, mark: &str) -> Self {
        if self.width() <= columns {
            return self;
        }
        let room = columns.saturating_sub(width(mark));
        let mut used = 0;
        for (at, span) in self.0.iter_mut().enumerate() {
            let (kept, full) = cut_text(&span.text, room - used);
            used += width(kept);
            if full {
                let kept = kept.trim_end_matches(mark);
                span.text = format!("{kept}{}", if columns >= width(mark) { mark } else { "" });
                self.0.truncate(at + 1);
                break;
            }
        }
        self
    }

    #[cfg(test)]
    pub fn text(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }
}

/// Columns on the screen.
pub fn width(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => UnicodeWidthStr::width(text),
    }
}

/// The beginning that fits, and whether something was left out.
fn cut_text(text: &str, columns: usize) -> (&str, bool) {
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        used += width(cluster);
        if used > columns {
            return (&text[..at], true);
        }
    }
    (text, false)
}

/// What stands before the first line and before the others.
#[derive(Debug, Clone, Default)]
pub struct Indent {
    pub first: Vec<Span>,
    pub rest: Vec<Span>,
}

impl Indent {
    pub fn same(text: &str, style: Style) -> Self {
        let span = Span::new(text, style);
        Self { first: vec![span.clone()], rest: vec![span] }
    }
}

/// Something that stays together when a text is wrapped.
struct Word {
    spans: Vec<Span>,
    width: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letters,
    /// A letter that may stand at the end of any line.
    Wide,
    Space,
    Break,
}

/// Breaks a text at the borders of words; `\n` in it is a break of its own.
pub fn wrap(spans: &[Span], columns: usize, indent: &Indent) -> Vec<Line> {
    let room = |indent: &[Span]| {
        let taken: usize = indent.iter().map(|span| width(&span.text)).sum();
        columns.saturating_sub(taken).max(1)
    };
    let (first, rest) = (room(&indent.first), room(&indent.rest));
    let mut lines: Vec<Line> = Vec::new();
    let mut line: Vec<Span> = Vec::new();
    let mut used = 0;
    let mut finish = |line: &mut Vec<Span>, used: &mut usize| {
        let before = if lines.is_empty() { &indent.first } else { &indent.rest };
        let mut spans = before.clone();
        trim_end(line);
        spans.append(line);
        lines.push(Line(spans));
        *used = 0;
        rest
    };
    let mut most = first;
    for word in words(spans) {
        match word.kind {
            Kind::Break => most = finish(&mut line, &mut used),
            Kind::Space if used == 0 => {}
            Kind::Space if used + word.width > most => most = finish(&mut line, &mut used),
            _ => {
                if used + word.width > most && used > 0 {
                    most = finish(&mut line, &mut used);
                }
                if word.width <= most {
                    used += word.width;
                    word.spans.into_iter().for_each(|span| push(&mut line, span));
                    continue;
                }
                // Longer than a line: broken where it must be.
                for span in word.spans {
                    for cluster in span.text.graphemes(true) {
                        let wide = width(cluster);
                        if used + wide > most && used > 0 {
                            most = finish(&mut line, &mut used);
                        }
                        used += wide;
                        push(&mut line, Span::new(cluster, span.style));
                    }
                }
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        let before = if lines.is_empty() { &indent.first } else { &indent.rest };
        let mut spans = before.clone();
        trim_end(&mut line);
        spans.append(&mut line);
        lines.push(Line(spans));
    }
    lines
}

/// Cuts a line at the last column, not at words: code and logs keep their spaces.
pub fn fold(spans: Vec<Span>, columns: usize, indent: &Indent) -> Vec<Line> {
    let taken = |spans: &[Span]| spans.iter().map(|span| width(&span.text)).sum::<usize>();
    let mut line = indent.first.clone();
    let mut used = taken(&line);
    let whole: usize = used + taken(&spans);
    if whole <= columns {
        line.extend(spans);
        return vec![Line(line)];
    }
    let mut lines = Vec::new();
    for span in spans {
        for cluster in span.text.graphemes(true) {
            let wide = width(cluster);
            if used + wide > columns && used > taken(&indent.rest).min(columns - 1) {
                lines.push(Line(std::mem::replace(&mut line, indent.rest.clone())));
                used = taken(&line);
            }
            used += wide;
            push(&mut line, Span::new(cluster, span.style));
        }
    }
    lines.push(Line(line));
    lines
}

/// Appends a span, joined to the last one where the style is the same.
pub fn push(line: &mut Vec<Span>, span: Span) {
    match line.last_mut() {
        Some(last) if last.style == span.style => last.text.push_str(&span.text),
        _ => line.push(span),
    }
}

fn trim_end(line: &mut Vec<Span>) {
    while let Some(last) = line.last_mut() {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        if !last.text.is_empty() {
            return;
        }
        line.pop();
    }
}

fn words(spans: &[Span]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for span in spans {
        for cluster in span.text.graphemes(true) {
            let wide = width(cluster);
            let kind = match cluster {
                "\n" => Kind::Break,
                " " | "\t" => Kind::Space,
                _ if closes(cluster) => words.last().map_or(Kind::Letters, |word| match word.kind {
                    Kind::Wide => Kind::Wide,
                    _ => Kind::Letters,
                }),
                _ if wide >= 2 => Kind::Wide,
                _ => Kind::Letters,
            };
            let joins = |last: &Word| match kind {
                Kind::Letters => last.kind == Kind::Letters,
                Kind::Wide => last.kind == Kind::Wide && closes(cluster),
                Kind::Space => last.kind == Kind::Space,
                Kind::Break => false,
            };
            let text = if cluster == "\t" { " " } else { cluster };
            let wide = if kind == Kind::Space { 1 } else { wide };
            match words.last_mut() {
                Some(last) if joins(last) => {
                    last.width += wide;
                    push(&mut last.spans, Span::new(text, span.style));
                }
                _ => words.push(Word { spans: vec![Span::new(text, span.style)], width: wide, kind }),
            }
        }
    }
    words
}

/// Marks that do not begin a line.
fn closes(cluster: &str) -> bool {
    matches!(
        cluster,
        "，" | "。"
            | "、"
            | "；"
            | "："
            | "？"
            | "！"
            | "）"
            | "」"
            | "』"
            | "》"
            | "】"
            | "”"
            | "’"
            | "…"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, columns: usize, expected: &[&str]) {
        let lines = wrap(&[Span::plain(text)], columns, &Indent::default());
        let shown: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(shown, expected, "{text:?} in {columns}");
        assert!(lines.iter().all(|line| line.width() <= columns.max(2)), "{shown:?}");
    }

    #[test]
    fn words_stay_whole_and_long_ones_break() {
        check("the quick brown fox", 10, &["the quick", "brown fox"]);
        check("a_very_long_identifier x", 8, &["a_very_l", "ong_iden", "tifier x"]);
        check("one\ntwo", 10, &["one", "two"]);
        check("", 10, &[""]);
        check("ends exactly", 12, &["ends exactly"]);
    }

    #[test]
    fn wide_letters_count_twice_and_break_anywhere() {
        check("編譯並燒錄韌體", 6, &["編譯並", "燒錄韌", "體"]);
        check("編譯並燒錄。", 10, &["編譯並燒", "錄。"]);
        check("用 UART 輸出", 8, &["用 UART", "輸出"]);
        check("ok 👩‍🔬 yes", 6, &["ok 👩‍🔬", "yes"]);
        check("中", 1, &["中"]);
    }

    #[test]
    fn the_indent_takes_its_room() {
        let indent = Indent { first: vec![Span::plain("- ")], rest: vec![Span::plain("  ")] };
        let lines = wrap(&[Span::plain("aaa bbb ccc")], 7, &indent);
        assert_eq!(lines.iter().map(Line::text).collect::<Vec<_>>(), ["- aaa", "  bbb", "  ccc"]);
    }

    #[test]
    fn cutting_counts_columns() {
        assert_eq!(Line::plain("abcdef").cut(4, "…").text(), "abc…");
        assert_eq!(Line::plain("編譯並燒錄").cut(5, "…").text(), "編譯…");
        assert_eq!(Line::plain("abc").cut(3, "…").text(), "abc");
        assert_eq!(Line(vec![Span::plain("ab"), Span::plain("cd")]).cut(3, "~").text(), "ab~");
        assert_eq!(Line::plain("abc").cut(0, "…").text(), "");
    }
}
