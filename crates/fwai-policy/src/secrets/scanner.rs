//! Reports where secrets stand in a file, without ever repeating them.

use std::sync::Arc;

use serde::Serialize;

use super::{engine::Engine, rule::RuleSet};

/// A line with one of these in a comment is left alone by scans (never by redaction).
const MARKERS: [&str; 3] = ["fwai:allow-secret", "gitleaks:allow", "pragma: allowlist secret"];

/// One secret and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SecretFinding {
    pub rule: String,
    pub title: String,
    /// Both count from 1; columns in characters.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// What can be shown of it.
    pub redacted: String,
}

/// Looks for secrets in whole texts.
#[derive(Debug, Clone)]
pub struct Scanner {
    engine: Arc<Engine>,
}

impl Scanner {
    pub fn new(rules: RuleSet) -> Self {
        Self { engine: Arc::new(Engine::new(rules, Vec::new())) }
    }

    /// All rules that findings may name.
    pub fn rules(&self) -> &RuleSet {
        &self.engine.rules
    }

    /// The secrets of one text, in order.
    pub fn scan(&self, text: &[u8]) -> Vec<SecretFinding> {
        let mut place = Place { line: 1, line_start: 0, seen: 0 };
        let spans = self.engine.look(text, 0, true).spans;
        spans
            .into_iter()
            .filter_map(|span| {
                place.advance(text, span.start);
                let (line, column) = (place.line, place.column(text, span.start));
                let line_end = text[span.start..].iter().position(|byte| *byte == b'\n');
                let whole_line = &text[place.line_start..line_end.map_or(text.len(), |at| span.start + at)];
                if MARKERS.iter().any(|marker| contains(whole_line, marker.as_bytes())) {
                    return None;
                }
                place.advance(text, span.end);
                let rule = span.rank.checked_sub(2).map(|rule| &self.engine.rules.rules[rule]);
                Some(SecretFinding {
                    rule: self.engine.rule_id(span.rank).to_owned(),
                    title: rule
                        .map_or("Matches security.patterns of the configuration", |rule| &rule.title)
                        .to_owned(),
                    line,
                    column,
                    end_line: place.line,
                    end_column: place.column(text, span.end),
                    redacted: preview(
                        &text[span.start..span.end],
                        rule.map(|rule| rule.keywords.as_slice()).unwrap_or_default(),
                    ),
                })
            })
            .collect()
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The public beginning (`ghp_`, `AKIA`, the PEM header) and how long the rest is.
fn preview(secret: &[u8], keywords: &[String]) -> String {
    let beginning =
        keywords.iter().filter(|keyword| secret.starts_with(keyword.as_bytes())).max_by_key(|k| k.len());
    let shown = beginning.map_or("", String::as_str);
    format!("{shown}…[{} bytes redacted]", secret.len() - shown.len())
}

/// Counts lines while going forward through a text.
struct Place {
    line: u32,
    line_start: usize,
    seen: usize,
}

impl Place {
    fn advance(&mut self, text: &[u8], to: usize) {
        for (at, _) in text.iter().enumerate().take(to).skip(self.seen).filter(|(_, byte)| **byte == b'\n') {
            self.line += 1;
            self.line_start = at + 1;
        }
        self.seen = self.seen.max(to);
    }

    fn column(&self, text: &[u8], at: usize) -> u32 {
        let before = text.get(self.line_start..at).unwrap_or_default();
        before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32 + 1
    }
}
