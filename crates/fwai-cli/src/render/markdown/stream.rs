//! Markdown that arrives in pieces.
//!
//! Finished blocks are given out once and never touched again. The last block is laid out anew with each
//! piece and given out as a tail, which the screen draws over; what of it would not fit on the screen is
//! given out for good.

use super::{blocks::blocks, mend::mend};
use crate::render::{Abilities, clean::Cleaner, text::Line};

const STEADY_ROWS: usize = 4;

/// A text on its way in.
#[derive(Default)]
pub struct MarkdownStream {
    cleaner: Cleaner,
    /// Source of the block that is not finished.
    pending: String,
    /// Letters of that block that were given out already.
    given: usize,
    /// Something stands above, from which the next block keeps a line's distance.
    follows: bool,
}

/// What is to be shown now.
#[derive(Default, Debug)]
pub struct Piece {
    /// For good.
    pub lines: Vec<Line>,
    /// Until the next piece.
    pub tail: Vec<Line>,
}

impl MarkdownStream {
    pub fn push(&mut self, text: &str) {
        self.pending.push_str(&self.cleaner.clean(text));
    }

    pub fn is_empty(&self) -> bool {
        self.pending.trim().is_empty()
    }

    /// Lays out what there is; the tail has at most `rows` lines.
    pub fn show(&mut self, columns: usize, rows: usize, abilities: Abilities) -> Piece {
        self.lay_out(columns, Some(rows), abilities)
    }

    /// Everything that is left, as it is.
    pub fn finish(&mut self, columns: usize, abilities: Abilities) -> Vec<Line> {
        let piece = self.lay_out(columns, None, abilities);
        *self = Self::default();
        piece.lines
    }

    fn lay_out(&mut self, columns: usize, rows: Option<usize>, abilities: Abilities) -> Piece {
        let mut piece = Piece::default();
        if self.is_empty() {
            return piece;
        }
        self.give_finished(&mut piece.lines, columns, abilities);
        let source = if rows.is_some() { mend(&self.pending) } else { self.pending.clone() };
        let mut lines = Vec::new();
        let mut steady = true;
        for block in blocks(&source, columns, abilities) {
            steady = !block.is_table;
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.extend(block.lines);
        }
        let lines = self.not_given(lines);
        let Some(rows) = rows else {
            piece.lines.extend(lines);
            return piece;
        };
        // All but the columns of a table is settled a few lines above the end. The lower the tail, the less
        // there is to fold when the terminal becomes narrow.
        let rows = if steady { rows.min(STEADY_ROWS) } else { rows };
        let over = lines.len().saturating_sub(rows.max(1));
        self.given += lines[..over].iter().map(letters).sum::<usize>();
        piece.tail = lines;
        piece.lines.extend(piece.tail.drain(..over));
        piece
    }

    /// Gives out the blocks that no further line can change: all but the last one, and only whole lines
    /// say where a block ends.
    fn give_finished(&mut self, out: &mut Vec<Line>, columns: usize, abilities: Abilities) {
        let whole = self.pending.rfind('\n').map_or(0, |end| end + 1);
        let mut found = blocks(&self.pending[..whole], columns, abilities);
        found.pop();
        let mut done = 0;
        for block in found {
            done = block.end;
            let above = usize::from(self.follows && self.given > 0);
            let whole = above + block.lines.iter().map(letters).sum::<usize>();
            out.extend(self.not_given(block.lines));
            // What follows it may have been given out, too.
            self.given = self.given.saturating_sub(whole);
            self.follows = true;
        }
        self.pending.drain(..done);
    }

    /// What of a block was not given out before.
    fn not_given(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut out = Vec::new();
        if self.follows && self.given == 0 && !lines.is_empty() {
            out.push(Line::default());
        }
        // The blank line above the block counts as well, once it was given out.
        let mut before = usize::from(self.follows && self.given > 0);
        for line in lines {
            let count = letters(&line);
            match self.given.saturating_sub(before) {
                0 => out.push(line),
                // The width has changed in the middle of what was a line.
                part if part < count => out.push(without(line, part)),
                _ => {}
            }
            before += count;
        }
        out
    }
}

/// The line after so many visible letters.
fn without(line: Line, mut letters: usize) -> Line {
    let mut out = Line::default();
    for mut span in line.0 {
        let start = span.text.char_indices().find(|(_, letter)| {
            let visible = is_visible(*letter);
            letters -= usize::from(visible && letters > 0);
            letters == 0 && !visible
        });
        if letters == 0 {
            let from = start.map_or(span.text.len(), |(at, letter)| at + letter.len_utf8());
            let from = if out.0.is_empty() { from } else { 0 };
            span.text.drain(..from);
            out.0.push(span);
        }
    }
    out
}

fn is_visible(letter: char) -> bool {
    !letter.is_whitespace() && letter != '↪'
}

/// Visible letters; they do not change with the width.
fn letters(line: &Line) -> usize {
    let count = |text: &str| text.chars().filter(|letter| is_visible(*letter)).count();
    // A blank line counts as well, else it would be given out again and again.
    line.0.iter().map(|span| count(&span.text)).sum::<usize>().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF8: Abilities = Abilities { colours: true, unicode: true };

    const ANSWER: &str = "# Findings\n\nThe **stack pointer** is wrong: `SP` is 0.\n\n- first *item*\n- second\n\n```c\nint x;\n\nint y;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.\n";

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn pieces_of_any_size_give_what_the_whole_gives() {
        let whole = texts(&super::super::render(ANSWER, 40, UTF8));
        for size in [1, 2, 3, 7, 1000] {
            let mut stream = MarkdownStream::default();
            let mut shown = Vec::new();
            let letters: Vec<char> = ANSWER.chars().collect();
            for piece in letters.chunks(size) {
                stream.push(&piece.iter().collect::<String>());
                shown.extend(texts(&stream.show(40, 20, UTF8).lines));
            }
            shown.extend(texts(&stream.finish(40, UTF8)));
            assert_eq!(shown, whole, "pieces of {size}");
        }
    }

    #[test]
    fn a_block_higher_than_the_screen_is_given_out_from_its_top() {
        let code: String = (0..50).map(|number| format!("line {number};\n\n")).collect();
        let text = format!("```c\n{code}```\n\nend\n");
        let mut stream = MarkdownStream::default();
        let mut shown = Vec::new();
        for piece in text.chars().collect::<Vec<_>>().chunks(5) {
            stream.push(&piece.iter().collect::<String>());
            let piece = stream.show(40, 4, UTF8);
            assert!(piece.tail.len() <= 4);
            shown.extend(texts(&piece.lines));
        }
        shown.extend(texts(&stream.finish(40, UTF8)));
        assert_eq!(shown, texts(&super::super::render(&text, 40, UTF8)));
    }

    #[test]
    fn a_long_paragraph_below_a_heading_is_given_out_once() {
        let words: String = (0..100).map(|number| format!("word{number} ")).collect();
        let text = format!("# Title\n\n{words}\n\n## Next\n\n{words}\n");
        for size in [1, 5, 40] {
            let mut stream = MarkdownStream::default();
            let mut shown = Vec::new();
            for piece in text.chars().collect::<Vec<_>>().chunks(size) {
                stream.push(&piece.iter().collect::<String>());
                shown.extend(texts(&stream.show(20, 10, UTF8).lines));
            }
            shown.extend(texts(&stream.finish(20, UTF8)));
            assert_eq!(shown, texts(&super::super::render(&text, 20, UTF8)), "pieces of {size}");
        }
    }

    #[test]
    fn another_width_in_the_middle_loses_no_word() {
        let text: String = (0..200).map(|number| format!("word{number} ")).collect();
        let mut stream = MarkdownStream::default();
        let mut shown = String::new();
        for (at, piece) in text.chars().collect::<Vec<_>>().chunks(9).enumerate() {
            stream.push(&piece.iter().collect::<String>());
            let columns = if at < 60 { 60 } else { 23 };
            shown += &texts(&stream.show(columns, 3, UTF8).lines).join(" ");
            shown.push(' ');
        }
        shown += &texts(&stream.finish(23, UTF8)).join(" ");
        for number in 0..200 {
            assert!(shown.contains(&format!("word{number}")), "{number}: {shown}");
        }
    }

    #[test]
    fn escape_sequences_do_not_pass() {
        let mut stream = MarkdownStream::default();
        for piece in ["a\x1b", "[2", "Jb\x1b]0;t\x07c"] {
            stream.push(piece);
        }
        let lines = stream.finish(40, UTF8);
        assert_eq!(texts(&lines), ["abc"]);
    }
}
