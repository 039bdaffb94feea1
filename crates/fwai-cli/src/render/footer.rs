//! What stands below the text while fwai works: what is going on, what waits, what is being typed, and one
//! line of state.

use super::{
    Abilities, Status, abilities, palette,
    text::{Indent, Line, Span, width, wrap},
};
use std::time::Duration;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ASCII_SPINNER: [&str; 4] = ["|", "/", "-", "\\"];
/// Text wider than this is hard to read.
const WIDEST: usize = 100;
/// Lines that wait and are shown, the newest ones.
const QUEUED: usize = 3;

/// What stands below the text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Footer {
    /// Asks something; stands in place of the spinner.
    pub question: Option<Line>,
    /// Lines that wait until the work is done.
    pub queue: Vec<String>,
    /// What is being typed, and the cursor's place in it in characters.
    pub typed: Option<(String, usize)>,
    /// Stands before what is typed.
    pub prompt: String,
    pub status: Status,
}

impl Footer {
    /// Its lines, and where the cursor stands in them. A question stands in place of the `activity`.
    pub fn lines(&self, activity: Line, signs: Abilities) -> (Vec<Line>, Option<(usize, usize)>) {
        let mut lines = Vec::new();
        match &self.question {
            Some(question) => {
                lines.push(Line::default());
                lines.extend(wrap(&question.0, columns(), &Indent::same("", palette::PLAIN)));
            }
            None => lines.push(activity),
        }
        let mark = signs.sign("› ", "> ");
        for queued in self.queue.iter().rev().take(QUEUED).rev() {
            let text = format!("{mark}{}", queued.replace('\n', signs.sign("⏎", " ")));
            lines.push(Line::styled(text, palette::DIM));
        }
        let mut cursor = None;
        if let Some((typed, place)) = &self.typed {
            let prompt = if self.prompt.is_empty() { mark } else { &self.prompt };
            let shown = typed.replace('\n', signs.sign("⏎", " "));
            let (text, column) = window(&shown, *place, columns().saturating_sub(width(prompt) + 1));
            cursor = Some((lines.len(), width(prompt) + column));
            lines.push(Line(vec![Span::new(prompt, palette::PROMPT), Span::plain(text)]));
        }
        if !self.status.is_empty() {
            lines.push(self.status.line(abilities::size().0.saturating_sub(1), signs));
        }
        (lines, cursor)
    }
}

/// Columns for text.
pub fn columns() -> usize {
    abilities::size().0.saturating_sub(1).clamp(1, WIDEST)
}

/// Columns for what is not read word by word: code has the whole screen.
pub fn all_columns() -> usize {
    abilities::size().0.saturating_sub(1).max(1)
}

/// A sign that turns as time passes.
pub fn spinner(elapsed: Duration, signs: Abilities) -> &'static str {
    let beat = (elapsed.as_millis() / 100) as usize;
    match signs.unicode {
        true => SPINNER[beat % SPINNER.len()],
        false => ASCII_SPINNER[beat % ASCII_SPINNER.len()],
    }
}

/// The part of a line around the cursor that fits, and the cursor's column in it.
fn window(text: &str, place: usize, columns: usize) -> (String, usize) {
    let columns = columns.max(2);
    let letters: Vec<char> = text.chars().collect();
    let wide = |letter: &char| width(letter.encode_utf8(&mut [0; 4]));
    let place = place.min(letters.len());
    let mut start = place;
    let mut used = 0;
    while start > 0 && used + wide(&letters[start - 1]) < columns {
        start -= 1;
        used += wide(&letters[start]);
    }
    let column = used;
    let mut shown: String = letters[start..place].iter().collect();
    for letter in &letters[place..] {
        if used + wide(letter) >= columns {
            break;
        }
        used += wide(letter);
        shown.push(*letter);
    }
    (shown, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_shows_the_part_around_the_cursor() {
        assert_eq!(window("abc", 3, 10), ("abc".into(), 3));
        assert_eq!(window("abcdefghij", 10, 5), ("ghij".into(), 4));
        assert_eq!(window("abcdefghij", 0, 5), ("abcd".into(), 0));
        assert_eq!(window("編譯並燒錄", 5, 6), ("燒錄".into(), 4));
    }
}
