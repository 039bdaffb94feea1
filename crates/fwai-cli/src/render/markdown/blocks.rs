//! Blocks of Markdown as lines of a given width.

use super::table::Table;
use crate::render::{
    Abilities,
    highlight::Highlighter,
    palette,
    text::{Indent, Line, Span, fold, push, width, wrap},
};
use anstyle::Style;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// One block of the outermost level.
pub struct Block {
    /// Where it ends in the source.
    pub end: usize,
    pub lines: Vec<Line>,
    pub is_table: bool,
}

/// The whole text as lines, a blank one between blocks.
pub fn render(source: &str, columns: usize, abilities: Abilities) -> Vec<Line> {
    let mut lines = Vec::new();
    for block in blocks(source, columns, abilities) {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(block.lines);
    }
    lines
}

/// The blocks of a text. The last one may be unfinished.
pub fn blocks(source: &str, columns: usize, abilities: Abilities) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut layout = Layout::new(columns, abilities);
    let mut found = Vec::new();
    let mut depth = 0;
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        let closes = match &event {
            Event::Start(_) => {
                depth += 1;
                false
            }
            Event::End(_) => {
                depth -= 1;
                depth == 0
            }
            _ => depth == 0,
        };
        let is_table = matches!(event, Event::End(TagEnd::Table));
        layout.take(event);
        if closes {
            found.push(Block { end: range.end, lines: std::mem::take(&mut layout.lines), is_table });
        }
    }
    found
}

/// Turns events into lines.
struct Layout {
    columns: usize,
    abilities: Abilities,
    lines: Vec<Line>,
    /// Words of the present paragraph.
    words: Vec<Span>,
    styles: Vec<Style>,
    containers: Vec<Container>,
    code: Option<(Highlighter, String)>,
    links: Vec<(String, usize)>,
    table: Option<Table>,
}

struct Container {
    /// Stands before the first line only; taken when that is laid out.
    first: Option<Span>,
    rest: Span,
    /// The next number of an ordered list.
    number: Option<u64>,
    is_list: bool,
    /// Its items have blank lines between them.
    wrote: bool,
}

impl Layout {
    fn new(columns: usize, abilities: Abilities) -> Self {
        Self {
            columns: columns.max(4),
            abilities,
            lines: Vec::new(),
            words: Vec::new(),
            styles: vec![Style::new()],
            containers: Vec::new(),
            code: None,
            links: Vec::new(),
            table: None,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.say(&text, self.style()),
            },
            Event::Code(text) => {
                let bare = if self.abilities.colours { text.into_string() } else { format!("`{text}`") };
                self.say(&bare, merge(self.style(), palette::INLINE_CODE));
            }
            Event::InlineHtml(html) | Event::Html(html) => match &mut self.code {
                Some((_, code)) => code.push_str(&html),
                None => self.say(&html, self.style()),
            },
            Event::SoftBreak => self.say(" ", self.style()),
            Event::HardBreak => self.say("\n", self.style()),
            Event::Rule => {
                let sign = self.abilities.sign("─", "-");
                let dashes = sign.repeat(self.room().min(40));
                self.put(vec![Span::new(dashes, palette::DIM)]);
            }
            Event::TaskListMarker(done) => {
                let sign = match done {
                    true => self.abilities.sign("☑ ", "[x] "),
                    false => self.abilities.sign("☐ ", "[ ] "),
                };
                // The box stands in place of the bullet.
                match self.containers.last_mut().and_then(|item| item.first.as_mut()) {
                    Some(mark) => *mark = Span::new(sign, palette::DIM),
                    None => self.say(sign, self.style()),
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            // Inside an item of a loose list paragraphs are apart; words of a tight item come before its
            // inner list without a paragraph of their own.
            Tag::Paragraph => self.separate(),
            Tag::Heading { level, .. } => {
                self.separate();
                let style = if level == HeadingLevel::H1 { palette::TITLE } else { palette::HEADING };
                self.styles.push(style);
                if !self.abilities.colours {
                    self.say(&format!("{} ", "#".repeat(level as usize)), style);
                }
            }
            Tag::BlockQuote(_) => {
                self.separate();
                let bar = Span::new(self.abilities.sign("│ ", "> "), palette::DIM);
                self.contain(bar.clone(), bar, None, false);
                self.styles.push(merge(self.style(), palette::ITALIC));
            }
            Tag::CodeBlock(kind) => {
                self.separate();
                let name = match &kind {
                    CodeBlockKind::Fenced(name) => name.split([' ', ',', '{']).next().unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                self.code = Some((Highlighter::named(name), String::new()));
            }
            Tag::HtmlBlock => {
                self.separate();
                self.code = Some((Highlighter::named(""), String::new()));
            }
            Tag::List(number) => {
                self.flush();
                self.containers.push(Container {
                    first: None,
                    rest: Span::plain(""),
                    number,
                    is_list: true,
                    wrote: false,
                });
            }
            Tag::Item => {
                let depth = self.containers.iter().filter(|container| container.is_list).count();
                let list = self.containers.last_mut();
                let mark = match list.and_then(|list| list.number.as_mut()) {
                    Some(number) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    None => match (self.abilities.unicode, depth) {
                        (false, _) => "- ".to_owned(),
                        (true, 1) => "• ".to_owned(),
                        (true, 2) => "◦ ".to_owned(),
                        (true, _) => "▪ ".to_owned(),
                    },
                };
                let rest = Span::plain(" ".repeat(width(&mark)));
                self.contain(Span::new(mark, palette::DIM), rest, None, false);
            }
            Tag::Emphasis => self.styles.push(merge(self.style(), palette::ITALIC)),
            Tag::Strong => self.styles.push(merge(self.style(), palette::BOLD)),
            Tag::Strikethrough => self.styles.push(merge(self.style(), palette::STRUCK)),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.words.len()));
                self.styles.push(merge(self.style(), palette::LINK));
            }
            Tag::Table(alignments) => {
                self.separate();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.begin_row();
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.styles.pop();
                self.containers.pop();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.end_code(),
            TagEnd::List(_) => {
                self.containers.pop();
                if let Some(outer) = self.containers.last_mut() {
                    outer.wrote = true;
                }
            }
            TagEnd::Item => {
                self.flush();
                // An item without words still has its mark.
                if self.containers.last().is_some_and(|item| item.first.is_some()) {
                    self.put(Vec::new());
                }
                self.containers.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                if let Some((address, from)) = self.links.pop() {
                    let from = from.saturating_sub(1).min(self.words.len());
                    let named: String = self.words[from..].iter().map(|span| span.text.as_str()).collect();
                    let told = named.contains(address.trim_start_matches("mailto:"));
                    if !told && !address.is_empty() && !address.starts_with('#') {
                        self.say(&format!(" ({address})"), palette::DIM);
                    }
                }
            }
            TagEnd::TableCell => {
                let words = std::mem::take(&mut self.words);
                if let Some(table) = &mut self.table {
                    table.cell(words);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    for line in table.lines(self.room(), self.abilities) {
                        self.put(line.0);
                    }
                }
            }
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn say(&mut self, text: &str, style: Style) {
        push(&mut self.words, Span::new(text.replace('\t', " "), style));
    }

    fn contain(&mut self, first: Span, rest: Span, number: Option<u64>, is_list: bool) {
        self.containers.push(Container { first: Some(first), rest, number, is_list, wrote: false });
    }

    /// A blank line before a block that follows another one in the same container.
    fn separate(&mut self) {
        self.flush();
        if let Some(container) = self.containers.last_mut()
            && container.wrote
        {
            container.wrote = false;
            self.put(Vec::new());
        }
    }

    fn room(&self) -> usize {
        let taken: usize = self.containers.iter().map(|container| width(&container.rest.text)).sum();
        self.columns.saturating_sub(taken).max(4)
    }

    /// What stands before the words here. On a narrow screen the outer marks make room for them.
    fn indent(&mut self) -> Indent {
        let rest: Vec<Span> = self.containers.iter().map(|container| container.rest.clone()).collect();
        let first = self
            .containers
            .iter_mut()
            .map(|container| container.first.take().unwrap_or_else(|| container.rest.clone()))
            .collect();
        let most = self.columns.saturating_sub(LEAST_ROOM);
        Indent { first: innermost(first, most), rest: innermost(rest, most) }
    }

    /// Lays the words out that have come together.
    fn flush(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let indent = self.indent();
        self.lines.extend(wrap(&words, self.columns, &indent));
        self.mark_written();
    }

    /// One line as it is.
    fn put(&mut self, spans: Vec<Span>) {
        let mut line = self.indent().first;
        line.extend(spans);
        self.lines.push(Line(line));
        self.mark_written();
    }

    fn mark_written(&mut self) {
        if let Some(container) = self.containers.last_mut() {
            container.wrote = true;
        }
    }

    fn end_code(&mut self) {
        let Some((mut highlighter, code)) = self.code.take() else { return };
        let indent = if self.columns >= 30 { "  " } else { "" };
        let more = self.abilities.sign("↪ ", "> ");
        for line in code.lines() {
            let spans = highlighter.line(&line.replace('\t', "    "));
            let mut before = self.indent();
            before.first.push(Span::plain(indent));
            before.rest.push(Span::new(format!("{indent}{more}"), palette::DIM));
            self.lines.extend(fold(spans, self.columns, &before));
        }
        self.mark_written();
    }
}

/// Columns that words have in any case: a mark of a broken line, and a wide letter or two.
const LEAST_ROOM: usize = 6;

/// The last of these marks, as many as fit.
fn innermost(mut marks: Vec<Span>, most: usize) -> Vec<Span> {
    while marks.iter().map(|mark| width(&mark.text)).sum::<usize>() > most {
        marks.remove(0);
    }
    marks
}

/// The style of something inside something.
fn merge(outer: Style, inner: Style) -> Style {
    let style = outer.effects(outer.get_effects() | inner.get_effects());
    match inner.get_fg_color() {
        Some(colour) => style.fg_color(Some(colour)),
        None => style,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF8: Abilities = Abilities { colours: true, unicode: true };
    const ASCII: Abilities = Abilities { colours: false, unicode: false };

    fn shown(source: &str, columns: usize, abilities: Abilities) -> String {
        let lines = render(source, columns, abilities);
        for line in &lines {
            assert!(line.width() <= columns, "{} > {columns}: {:?}", line.width(), line.text());
        }
        lines.iter().map(|line| line.text().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    const ALL: &str = "# Title\n\nSome *words* with `code` and a [link](http://x.y/z).\n\n- one\n- two\n  - nested item that is long enough to wrap\n    1. deeper\n- three\n\n> quoted\n> text\n\n```c\nint main(void) {\n\treturn 0;\n}\n```\n\n| a | b |\n|---|--:|\n| 1 | 22 |\n| long cell | 3 |\n\n---\n\n1. first\n\n   more of it\n2. second\n\n- [x] done\n- [ ] open\n";

    #[test]
    fn everything_at_forty_columns() {
        insta::assert_snapshot!(shown(ALL, 40, UTF8), @r"
        Title

        Some words with code and a link
        (http://x.y/z).

        • one
        • two
          ◦ nested item that is long enough to
            wrap
            1. deeper
        • three

        │ quoted text

          int main(void) {
              return 0;
          }

        a         │  b
        ──────────┼───
        1         │ 22
        long cell │  3

        ────────────────────────────────────────

        1. first

           more of it
        2. second

        ☑ done
        ☐ open
        ");
    }

    #[test]
    fn everything_in_ascii() {
        insta::assert_snapshot!(shown(ALL, 40, ASCII), @r"
        # Title

        Some words with `code` and a link
        (http://x.y/z).

        - one
        - two
          - nested item that is long enough to
            wrap
            1. deeper
        - three

        > quoted text

          int main(void) {
              return 0;
          }

        a         |  b
        ----------+---
        1         | 22
        long cell |  3

        ----------------------------------------

        1. first

           more of it
        2. second

        [x] done
        [ ] open
        ");
        assert!(shown(ALL, 40, ASCII).is_ascii());
    }

    #[test]
    fn narrow_terminals_lose_nothing() {
        for columns in [8, 12, 20, 40, 80, 200] {
            let text = shown(ALL, columns, UTF8);
            for word in ["Title", "nested", "return", "quoted", "22", "deeper", "second"] {
                let joined: String = text.chars().filter(|c| !c.is_whitespace() && *c != '↪').collect();
                assert!(joined.contains(word), "{word} at {columns}:\n{text}");
            }
        }
    }

    #[test]
    fn wide_letters_fit() {
        insta::assert_snapshot!(shown("**重點**：編譯並燒錄韌體，然後看開機訊息。\n\n| 名稱 | 值 |\n|--|--|\n| 鮑率 | 115200 |", 20, UTF8), @r"
        重點：編譯並燒錄韌
        體，然後看開機訊息。

        名稱 │ 值
        ─────┼───────
        鮑率 │ 115200
        ");
    }

    #[test]
    fn deep_quotes_and_lists_leave_room_for_their_words() {
        for source in [">>>>]👩", ">>>>>>>> 中文 words", "- a\n  - b\n    - c\n      - d\n        - 中文"]
        {
            for line in render(source, 8, UTF8) {
                assert!(line.width() <= 8, "{:?}", line.text());
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_fits_the_width(source in "[-a-z*_`#>|\\[\\]() \\n0-9.中👩]{0,200}", columns in 8usize..60) {
            for line in render(&source, columns, UTF8) {
                proptest::prop_assert!(line.width() <= columns, "{:?}", line.text());
            }
        }
    }
}
