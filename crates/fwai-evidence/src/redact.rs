//! The one gate that text passes before it is persisted.
//!
//! The engine that knows what a secret looks like is given from outside; evidence only promises that
//! nothing reaches the disk without having passed it.

use std::collections::BTreeMap;

use serde_json::Value;

/// Replaces secrets in what is about to be written.
pub trait Redactor: Send + Sync {
    /// Redacts a whole text that is at hand.
    fn redact(&self, text: &[u8]) -> Redacted;

    /// Starts redacting a text that comes in pieces; a secret may lie across two of them.
    fn stream(&self) -> Box<dyn RedactStream>;

    /// Redacts a JSON value and returns the rule behind each replacement. Keys are names of our own and stay.
    fn redact_json(&self, value: &mut Value) -> Vec<String> {
        let mut rules = Vec::new();
        redact_strings(value, &mut |text| {
            let redacted = self.redact(text.as_bytes());
            rules.extend(redacted.rules.iter().cloned());
            (!redacted.rules.is_empty()).then(|| String::from_utf8_lossy(&redacted.text).into_owned())
        });
        rules
    }
}

/// A text after redaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub text: Vec<u8>,
    /// The rule behind each replacement, one entry per replacement.
    pub rules: Vec<String>,
}

/// Redaction of a text in pieces.
pub trait RedactStream: Send {
    /// Takes a piece and gives back what may be written already.
    fn push(&mut self, piece: &[u8]) -> Redacted;

    /// Gives back what was held for the next piece.
    fn finish(&mut self) -> Redacted;
}

/// Passes everything on as it is, for callers whose text was redacted before.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlreadyRedacted;

impl Redactor for AlreadyRedacted {
    fn redact(&self, text: &[u8]) -> Redacted {
        Redacted { text: text.to_vec(), rules: Vec::new() }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(AlreadyRedacted)
    }
}

impl RedactStream for AlreadyRedacted {
    fn push(&mut self, piece: &[u8]) -> Redacted {
        self.redact(piece)
    }

    fn finish(&mut self) -> Redacted {
        Redacted::default()
    }
}

/// A plain function over whole texts is a redactor too; pieces are held until the end.
impl<F> Redactor for F
where
    F: Fn(&[u8]) -> Redacted + Clone + Send + Sync + 'static,
{
    fn redact(&self, text: &[u8]) -> Redacted {
        self(text)
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(HeldUntilEnd { redact: self.clone(), held: Vec::new() })
    }
}

struct HeldUntilEnd<F> {
    redact: F,
    held: Vec<u8>,
}

impl<F: Fn(&[u8]) -> Redacted + Send> RedactStream for HeldUntilEnd<F> {
    fn push(&mut self, piece: &[u8]) -> Redacted {
        self.held.extend_from_slice(piece);
        Redacted::default()
    }

    fn finish(&mut self) -> Redacted {
        (self.redact)(&std::mem::take(&mut self.held))
    }
}

/// Counts replacements by rule.
#[derive(Debug, Clone, Default)]
pub struct RedactionCount(BTreeMap<String, u64>);

impl RedactionCount {
    pub fn add(&mut self, rules: &[String]) {
        for rule in rules {
            *self.0.entry(rule.clone()).or_default() += 1;
        }
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn rules(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

fn redact_strings(value: &mut Value, redact: &mut dyn FnMut(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(redacted) = redact(text) {
                *text = redacted;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact_strings(item, redact)),
        Value::Object(map) => map.values_mut().for_each(|item| redact_strings(item, redact)),
        _ => {}
    }
}
