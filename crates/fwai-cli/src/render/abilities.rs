//! What the terminal can show: colours, letters beyond ASCII, a cursor that moves, and how wide it is.

use std::io::IsTerminal;

/// What a view may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    pub colours: bool,
    pub unicode: bool,
}

impl Abilities {
    /// Those of standard output.
    pub fn of_stdout() -> Self {
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        Self { colours: choice != anstream::ColorChoice::Never, unicode: encoding() == Encoding::Utf8 }
    }

    /// Those of standard error.
    pub fn of_stderr() -> Self {
        let choice = anstream::AutoStream::choice(&std::io::stderr());
        Self { colours: choice != anstream::ColorChoice::Never, unicode: encoding() == Encoding::Utf8 }
    }

    /// One of two texts, the second for terminals that know ASCII only.
    pub fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }
}

/// Whether the cursor can be moved, and somebody sees it.
pub fn has_live_screen() -> bool {
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal() && !is_dumb()
}

pub fn is_dumb() -> bool {
    std::env::var("TERM").map_or(true, |term| term.is_empty() || term == "dumb")
}

/// Columns and rows; 80 by 24 where nobody knows.
pub fn size() -> (usize, usize) {
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (usize::from(columns), usize::from(rows)),
        _ => (80, 24),
    }
}

/// How letters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// The locale names another one, or none but ASCII (`C`).
    Other,
    /// No locale is set.
    Unknown,
}

/// The locale's character set, in the order in which the system asks for it.
pub fn encoding() -> Encoding {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    match set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")) {
        None => Encoding::Unknown,
        Some(locale) => match locale.to_ascii_lowercase() {
            locale if locale.contains("utf-8") || locale.contains("utf8") => Encoding::Utf8,
            _ => Encoding::Other,
        },
    }
}
