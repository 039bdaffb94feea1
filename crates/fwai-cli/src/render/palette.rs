//! The few styles that everything shown is made of: the terminal's own sixteen colours, chosen so that
//! they can be read on a dark background; `background.rs` has what takes their place on a light one.

use anstyle::{AnsiColor, Color, Effects, Style};

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

pub const PLAIN: Style = Style::new();
pub const DIM: Style = Style::new().effects(Effects::DIMMED);
pub const BOLD: Style = Style::new().effects(Effects::BOLD);
pub const ITALIC: Style = Style::new().effects(Effects::ITALIC);
pub const STRUCK: Style = Style::new().effects(Effects::STRIKETHROUGH);

pub const TITLE: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));
pub const HEADING: Style = BOLD;
pub const LINK: Style = Style::new().effects(Effects::UNDERLINE);
pub const INLINE_CODE: Style = colour(AnsiColor::Cyan);

pub const GOOD: Style = colour(AnsiColor::Green);
pub const BAD: Style = colour(AnsiColor::Red);
pub const WARNING: Style = colour(AnsiColor::Magenta);
pub const QUESTION: Style = colour(AnsiColor::BrightBlue).effects(Effects::BOLD);
pub const PROMPT: Style = colour(AnsiColor::BrightBlue);

pub const ADDED: Style = GOOD;
pub const REMOVED: Style = BAD;
pub const HUNK: Style = colour(AnsiColor::Cyan);

pub const KEYWORD: Style = colour(AnsiColor::Magenta);
pub const TYPE: Style = colour(AnsiColor::BrightBlue);
pub const STRING: Style = colour(AnsiColor::Green);
pub const NUMBER: Style = colour(AnsiColor::Cyan);
pub const COMMENT: Style = DIM;
pub const DIRECTIVE: Style = colour(AnsiColor::BrightBlue);

/// Every style, for whoever must look at them all.
#[cfg(test)]
pub const ALL: &[Style] = &[
    PLAIN,
    DIM,
    BOLD,
    ITALIC,
    STRUCK,
    TITLE,
    HEADING,
    LINK,
    INLINE_CODE,
    GOOD,
    BAD,
    WARNING,
    QUESTION,
    PROMPT,
    ADDED,
    REMOVED,
    HUNK,
    KEYWORD,
    TYPE,
    STRING,
    NUMBER,
    COMMENT,
    DIRECTIVE,
];
