//! One thing that is wrong with a document, said so that a person can mend it.

use super::{Document, Span};
use crate::said::{Said, Speak};
use serde::Serialize;
use std::fmt;

/// Whether work can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Warning,
    Error,
}

/// A problem with its place, what was found, what is allowed, and a guess at what was meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// The text that is wrong.
    pub found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    /// The whole line, for the picture.
    #[serde(skip)]
    source_line: String,
    #[serde(skip)]
    width: usize,
}

impl Problem {
    pub(super) fn error(document: &Document, span: Span, message: impl Into<String>) -> Self {
        Self::at(&document.name, &document.text, span, message)
    }

    pub(super) fn at(file: &str, text: &str, span: Span, message: impl Into<String>) -> Self {
        let source_line = text.lines().nth(span.line.saturating_sub(1) as usize).unwrap_or("");
        let found = text.get(span.start..span.end).unwrap_or("");
        let first_line = found.lines().next().unwrap_or("").trim_end();
        Self {
            severity: Severity::Error,
            file: file.to_owned(),
            line: span.line,
            column: span.column,
            message: message.into(),
            found: shorten(first_line),
            allowed: None,
            did_you_mean: None,
            source_line: shorten(source_line),
            width: first_line.chars().count().clamp(1, 80),
        }
    }

    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(allowed.into());
        self
    }

    pub fn did_you_mean(mut self, guess: Option<String>) -> Self {
        self.did_you_mean = guess;
        self
    }

    pub(super) fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

fn shorten(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match clean.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        if !self.source_line.trim().is_empty() {
            let gutter = self.line.to_string();
            let pad = " ".repeat(gutter.len());
            let indent = " ".repeat(self.column.saturating_sub(1) as usize);
            write!(f, "\n  {gutter} | {}", self.source_line)?;
            write!(f, "\n  {pad} | {indent}{}", "^".repeat(self.width))?;
        }
        if let Some(allowed) = &self.allowed {
            write!(f, "\n  allowed: {allowed}")?;
        }
        if let Some(guess) = &self.did_you_mean {
            write!(f, "\n  did you mean `{guess}`?")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// A picture of a place in a file, whose lines are told one by one.
impl Speak for Problem {
    fn said(&self) -> Said {
        Said::plain(self)
    }
}
