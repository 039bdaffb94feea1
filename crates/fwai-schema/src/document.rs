//! YAML text to checked types, with every problem pointing at its line.
//!
//! [`Document::parse`] keeps where each value stood; [`Document::check`] holds it against the JSON
//! Schema of its family; [`edit::set`] changes one value and leaves comments and order alone. Raw text
//! becomes checked input here, once; past this line the types carry the proof.

mod check;
pub mod edit;
mod interpolate;
mod node;
mod parse;
mod problem;

pub use check::nearest;
pub use interpolate::{expand, interpolate};
pub use node::{Entry, Node, NodeValue, Span};
pub use parse::scalar;
pub use problem::{Problem, Severity};

use crate::families::Family;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// A parsed YAML file that remembers where everything stood.
#[derive(Debug, Clone)]
pub struct Document {
    /// Name for messages, mostly a path.
    pub name: Arc<str>,
    pub text: Arc<str>,
    pub root: Node,
}

impl Document {
    /// Parses one YAML (or JSON) document; an empty text is an empty mapping.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problem> {
        parse::parse(name, text)
    }

    /// Every departure from the family's schema. Unknown keys are warnings, or errors in strict families.
    pub fn check(&self, family: &Family) -> Vec<Problem> {
        check::check(self, family.schema().as_value(), family.strict)
    }

    /// The document as `T`, with warnings; or all its errors.
    pub fn read<T: DeserializeOwned>(&self, family: &Family) -> Result<(T, Vec<Problem>), Vec<Problem>> {
        let problems = self.check(family);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(problems);
        }
        match serde_json::from_value(self.root.to_json()) {
            Ok(value) => Ok((value, problems)),
            // The schema is derived from the type, so this is rare: a rule that only the type knows.
            Err(error) => Err(vec![self.problem_at(self.root.span, error.to_string())]),
        }
    }

    /// An error at a place in this document.
    pub fn problem_at(&self, span: Span, message: impl Into<String>) -> Problem {
        Problem::error(self, span, message)
    }
}

/// Parses, interpolates nothing, checks and reads in one go.
pub fn read_str<T: DeserializeOwned>(
    name: &str,
    text: &str,
    family: &Family,
) -> Result<(T, Vec<Problem>), Vec<Problem>> {
    Document::parse(name, text).map_err(|problem| vec![problem])?.read(family)
}

/// One value given outside a file (a flag, an environment variable), checked against the key it is for.
/// `name` says in messages where it came from.
pub fn parse_value(name: &str, text: &str, family: &Family, path: &str) -> Result<Value, Problem> {
    let schema = family.schema();
    let here = |message: String| {
        let span = Span { start: 0, end: text.len(), line: 1, column: 1 };
        Problem::at(name, text, span, message)
    };
    let below = check::schema_at(schema.as_value(), path).map_err(|unknown| {
        here(format!("unknown key `{}`", unknown.key)).allowed(unknown.allowed.join(", ")).did_you_mean(
            nearest(&unknown.key, unknown.allowed.iter().map(String::as_str))
                .map(|guess| format!("{}{guess}", unknown.parent)),
        )
    })?;
    let mut document = match Document::parse(name, text) {
        Ok(document) => document,
        // Text such as `a: b: c` or `[` is no YAML, yet a fine string.
        Err(_) if check::takes_string(below, schema.as_value()) => return Ok(Value::String(text.to_owned())),
        Err(problem) => return Err(problem),
    };
    if check::takes_string(below, schema.as_value()) || text.is_empty() {
        document.root.value = NodeValue::String(text.to_owned());
    }
    match check::check_below(&document, schema.as_value(), below, path, family.strict).into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(document.root.to_json()),
    }
}

/// The value at a dotted path of a JSON tree.
pub fn lookup<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |at, key| match at {
        Value::Object(map) => map.get(key),
        Value::Array(list) => key.parse::<usize>().ok().and_then(|index| list.get(index)),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
