//! [`Screen`]: console bytes as lines for people, with timestamps, a hex view and decoded addresses.

use std::{fmt::Write, time::Duration};

use super::{SafeText, explain::locate_addresses};
use crate::elf::Symbolizer;

/// Text or hexadecimal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    #[default]
    Text,
    Hex,
}

/// How the console is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScreenOptions {
    pub view: View,
    pub timestamps: bool,
    /// Let the device's colours through.
    pub colours: bool,
    /// Lines end with CR LF, as a terminal in raw mode needs.
    pub raw: bool,
}

/// Turns chunks into what is printed.
pub struct Screen<'a> {
    options: ScreenOptions,
    symbols: Option<&'a Symbolizer>,
    filter: SafeText,
    at_line_start: bool,
    line: String,
    offset: u64,
    row: Vec<u8>,
}

impl<'a> Screen<'a> {
    pub fn new(options: ScreenOptions, symbols: Option<&'a Symbolizer>) -> Self {
        let filter = SafeText::new(options.colours);
        Self {
            options,
            symbols,
            filter,
            at_line_start: true,
            line: String::new(),
            offset: 0,
            row: Vec::new(),
        }
    }

    /// What to print for these bytes, received `at` since the start.
    pub fn show(&mut self, bytes: &[u8], at: Duration) -> String {
        match self.options.view {
            View::Hex => self.hex(bytes, at),
            View::Text => self.text(bytes, at),
        }
    }

    /// What is left at the end.
    pub fn finish(&mut self, at: Duration) -> String {
        let mut out = String::new();
        if !self.row.is_empty() {
            self.hex_row(at, &mut out);
        }
        if !self.at_line_start {
            if self.options.colours {
                out.push_str("\u{1b}[0m");
            }
            self.end_line(&mut out);
        }
        out
    }

    fn text(&mut self, bytes: &[u8], at: Duration) -> String {
        let text = self.filter.feed(bytes);
        let mut out = String::with_capacity(text.len() + 16);
        for piece in text.split_inclusive('\n') {
            if self.at_line_start && self.options.timestamps {
                let _ = write!(out, "[{:>8.3}] ", at.as_secs_f64());
            }
            let content = piece.trim_end_matches('\n');
            out.push_str(content);
            if self.symbols.is_some() && self.line.len() < 4096 {
                self.line.push_str(content);
            }
            self.at_line_start = false;
            if piece.ends_with('\n') {
                if self.options.colours {
                    // A colour that a device leaves on must not reach the next line.
                    out.push_str("\u{1b}[0m");
                }
                self.end_line(&mut out);
            }
        }
        out
    }

    fn end_line(&mut self, out: &mut String) {
        let end = if self.options.raw { "\r\n" } else { "\n" };
        out.push_str(end);
        self.at_line_start = true;
        let line = std::mem::take(&mut self.line);
        if let Some(symbols) = self.symbols {
            for place in locate_addresses(&line, symbols) {
                let _ = write!(out, "    -> {place}{end}");
            }
        }
    }

    fn hex(&mut self, bytes: &[u8], at: Duration) -> String {
        let mut out = String::new();
        for byte in bytes {
            self.row.push(*byte);
            if self.row.len() == 16 {
                self.hex_row(at, &mut out);
            }
        }
        out
    }

    fn hex_row(&mut self, at: Duration, out: &mut String) {
        if self.options.timestamps {
            let _ = write!(out, "[{:>8.3}] ", at.as_secs_f64());
        }
        let _ = write!(out, "{:08x} ", self.offset);
        for column in 0..16 {
            let _ = match self.row.get(column) {
                Some(byte) => write!(out, " {byte:02x}"),
                None => write!(out, "   "),
            };
        }
        out.push_str("  ");
        out.extend(self.row.iter().map(|byte| if (0x20..0x7f).contains(byte) { *byte as char } else { '.' }));
        out.push_str(if self.options.raw { "\r\n" } else { "\n" });
        self.offset += self.row.len() as u64;
        self.row.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_get_timestamps_and_open_ones_are_shown_at_once() {
        let mut screen = Screen::new(ScreenOptions { timestamps: true, ..Default::default() }, None);
        assert_eq!(screen.show(b"one\r\ntw", Duration::from_millis(1500)), "[   1.500] one\n[   1.500] tw");
        assert_eq!(screen.show(b"o\n> ", Duration::from_secs(2)), "o\n[   2.000] > ");
        assert_eq!(screen.finish(Duration::from_secs(3)), "\n");
    }

    #[test]
    fn the_hex_view_shows_rows_and_the_rest() {
        let mut screen = Screen::new(ScreenOptions { view: View::Hex, ..Default::default() }, None);
        let first = screen.show(b"0123456789abcdef\x00\x1b", Duration::ZERO);
        assert_eq!(first, "00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n");
        let rest = screen.finish(Duration::ZERO);
        assert!(rest.starts_with("00000010  00 1b ") && rest.ends_with("..\n"), "{rest}");
    }
}
