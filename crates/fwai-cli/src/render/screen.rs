//! The bottom of the terminal that is drawn over again and again, and everything above it that stays.
//!
//! Each update is one write: the old bottom is taken away, finished lines are printed into the scrollback,
//! the new bottom is drawn. Nothing in it is as wide as the screen, so a line is a row; after a change of
//! size the terminal has folded those that became too long, which is what [`Screen::rows_above`] counts.

use super::{Abilities, abilities, text::Line};
use std::io::Write;

/// What is drawn at the bottom.
#[derive(Debug, Default)]
pub struct Screen {
    drawn: Vec<Row>,
    /// Where the cursor stands: row and column in the drawn part.
    cursor: (usize, usize),
    hidden: bool,
    columns: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Row {
    painted: String,
    width: usize,
}

impl Screen {
    /// Prints `lines` for good and draws `live` below them. The cursor is shown at `cursor`, or not at all.
    pub fn update(
        &mut self,
        lines: &[Line],
        live: Vec<Line>,
        cursor: Option<(usize, usize)>,
        abilities: Abilities,
    ) {
        let (columns, rows) = abilities::size();
        let most = columns.saturating_sub(1).max(1);
        let mark = abilities.sign("…", "~");
        let mut live: Vec<Row> = live
            .into_iter()
            .map(|line| {
                let line = line.cut(most, mark);
                Row { width: line.width(), painted: line.paint(abilities.colours) }
            })
            .collect();
        // A bottom that is higher than the screen cannot be taken away again.
        let over = live.len().saturating_sub(rows.saturating_sub(1).max(1));
        live.drain(..over);
        let cursor = cursor.map(|(row, column)| (row.saturating_sub(over), column.min(most)));
        let target =
            cursor.unwrap_or_else(|| (live.len().saturating_sub(1), live.last().map_or(0, |row| row.width)));
        let same_size = columns == self.columns;
        if lines.is_empty() && same_size && live == self.drawn && target == self.cursor {
            return;
        }
        let mut out = String::from("\x1b[?2026h");
        let kept = match lines.is_empty() && same_size {
            true => self.drawn.iter().zip(&live).take_while(|(old, new)| old == new).count(),
            false => 0,
        };
        let kept = kept.min(self.drawn.len().saturating_sub(1)).min(live.len().saturating_sub(1));
        self.go_to_top(&mut out, columns);
        if kept > 0 {
            out.push_str(&format!("\x1b[{kept}B"));
        }
        out.push_str("\x1b[J");
        for line in lines {
            out.push_str(&line.paint(abilities.colours));
            out.push_str("\r\n");
        }
        for (number, row) in live.iter().enumerate().skip(kept) {
            if number > kept {
                out.push_str("\r\n");
            }
            out.push_str(&row.painted);
        }
        if let Some((row, column)) = cursor {
            let up = live.len().saturating_sub(1).saturating_sub(row);
            if up > 0 {
                out.push_str(&format!("\x1b[{up}A"));
            }
            out.push('\r');
            if column > 0 {
                out.push_str(&format!("\x1b[{column}C"));
            }
        }
        let hide = cursor.is_none() && !live.is_empty();
        if hide != self.hidden {
            out.push_str(if hide { "\x1b[?25l" } else { "\x1b[?25h" });
            self.hidden = hide;
        }
        out.push_str("\x1b[?2026l");
        self.drawn = live;
        self.cursor = target;
        self.columns = columns;
        print(&out);
    }

    /// Takes the bottom away; the cursor stands where the next line goes.
    pub fn erase(&mut self) {
        if self.drawn.is_empty() && !self.hidden {
            return;
        }
        let mut out = String::new();
        self.go_to_top(&mut out, abilities::size().0);
        out.push_str("\x1b[J");
        if self.hidden {
            out.push_str("\x1b[?25h");
        }
        self.drawn.clear();
        self.cursor = (0, 0);
        self.hidden = false;
        print(&out);
    }

    fn go_to_top(&self, out: &mut String, columns: usize) {
        out.push('\r');
        let up = self.rows_above(columns);
        if up > 0 {
            out.push_str(&format!("\x1b[{up}A"));
        }
    }

    /// Rows of the screen between the top of what is drawn and the cursor.
    fn rows_above(&self, columns: usize) -> usize {
        let columns = columns.max(1);
        let folded = |row: &Row| row.width.div_ceil(columns).max(1);
        let above: usize = self.drawn.iter().take(self.cursor.0).map(folded).sum();
        above + if columns < self.columns { self.cursor.1.saturating_sub(1) / columns } else { 0 }
    }
}

fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    // A terminal that is gone is noticed where keys are read.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
