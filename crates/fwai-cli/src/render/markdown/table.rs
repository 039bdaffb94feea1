//! A table that fits: columns as wide as they need where there is room, wrapped cells where there is not,
//! and one row below the other where even that would be unreadable.

use crate::render::{
    Abilities, palette,
    text::{Indent, Line, Span, push, width, wrap},
};
use anstyle::Style;
use pulldown_cmark::Alignment;

const NARROWEST: usize = 4;
/// Words longer than this may be broken.
const LONG_WORD: usize = 12;

/// Cells as they come together.
pub struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Vec<Span>>>,
}

impl Table {
    pub fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    pub fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub fn cell(&mut self, words: Vec<Span>) {
        if let Some(row) = self.rows.last_mut() {
            row.push(words);
        }
    }

    pub fn lines(mut self, columns: usize, abilities: Abilities) -> Vec<Line> {
        let count = self.alignments.len().max(1);
        for row in &mut self.rows {
            row.resize(count, Vec::new());
        }
        if let Some(head) = self.rows.first_mut() {
            let bold = |style: Style| style.effects(style.get_effects() | palette::BOLD.get_effects());
            head.iter_mut().flatten().for_each(|span| span.style = bold(span.style));
        }
        match self.widths(count, columns) {
            Some(widths) => self.grid(&widths, abilities),
            None => self.listed(columns, abilities),
        }
    }

    /// Column widths that fit, if there are any.
    fn widths(&self, count: usize, columns: usize) -> Option<Vec<usize>> {
        let natural =
            |column: usize| self.rows.iter().map(|row| row_width(&row[column])).max().unwrap_or(0).max(1);
        let mut widths: Vec<usize> = (0..count).map(natural).collect();
        let room = columns.checked_sub(3 * (count - 1))?;
        if room < count * NARROWEST && widths.iter().sum::<usize>() > room {
            return None;
        }
        // The widest gives way first.
        while widths.iter().sum::<usize>() > room {
            let widest = widths.iter_mut().max().filter(|widest| **widest > NARROWEST)?;
            *widest -= 1;
        }
        // A table of broken words says less than a list.
        let longest = |column: usize| {
            let cells = self.rows.iter().flat_map(|row| &row[column]);
            cells.flat_map(|span| span.text.split_whitespace()).map(width).max().unwrap_or(0)
        };
        let readable = (0..count).all(|column| widths[column] >= longest(column).min(LONG_WORD));
        readable.then_some(widths)
    }

    fn grid(&self, widths: &[usize], abilities: Abilities) -> Vec<Line> {
        let (bar, cross, dash) =
            (abilities.sign(" │ ", " | "), abilities.sign("─┼─", "-+-"), abilities.sign("─", "-"));
        let mut lines = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<Line>> = row
                .iter()
                .zip(widths)
                .map(|(cell, columns)| wrap(cell, *columns, &Indent::default()))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(1);
            for at in 0..height {
                let mut line = Vec::new();
                for (column, cell) in cells.iter().enumerate() {
                    if column > 0 {
                        push(&mut line, Span::new(bar, palette::DIM));
                    }
                    let words = cell.get(at).cloned().unwrap_or_default();
                    let empty = widths[column].saturating_sub(words.width());
                    let (left, right) = match self.alignments.get(column) {
                        Some(Alignment::Right) => (empty, 0),
                        Some(Alignment::Center) => (empty / 2, empty - empty / 2),
                        _ => (0, empty),
                    };
                    push(&mut line, Span::plain(" ".repeat(left)));
                    words.0.into_iter().for_each(|span| push(&mut line, span));
                    let is_last = column + 1 == cells.len();
                    push(&mut line, Span::plain(" ".repeat(if is_last { 0 } else { right })));
                }
                lines.push(Line(line));
            }
            if number == 0 {
                let dashes: Vec<String> = widths.iter().map(|columns| dash.repeat(*columns)).collect();
                lines.push(Line::styled(dashes.join(cross), palette::DIM));
            }
        }
        lines
    }

    /// `head: cell`, one below the other.
    fn listed(&self, columns: usize, abilities: Abilities) -> Vec<Line> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        let mut lines = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            if number > 0 {
                lines.push(Line::styled(abilities.sign("─", "-").repeat(columns.min(8)), palette::DIM));
            }
            for (name, cell) in head.iter().zip(row) {
                let mut words = name.clone();
                words.push(Span::plain(": "));
                words.extend(cell.iter().cloned());
                lines.extend(wrap(&words, columns, &Indent::default()));
            }
        }
        if rows.is_empty() {
            head.iter().for_each(|name| lines.extend(wrap(name, columns, &Indent::default())));
        }
        lines
    }
}

fn row_width(cell: &[Span]) -> usize {
    cell.iter().map(|span| width(&span.text)).sum()
}
