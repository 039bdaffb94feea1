//! Code in colour: comments, strings, numbers, keywords and types, line by line, in one pass.

mod languages;
mod scan;

pub use scan::{Highlighter, diff_style};
