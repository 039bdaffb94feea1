//! A document against its JSON Schema, with errors that a person can act on.
//!
//! Only the keywords that our own generated schemas use are understood; that is what lets every
//! message say what is allowed and what was probably meant, which no general validator does.

use super::{Document, Entry, Node, NodeValue, Problem};
use serde_json::Value;

pub(super) fn check(document: &Document, schema: &Value, strict: bool) -> Vec<Problem> {
    let mut checker = Checker { document, root: schema, strict, problems: Vec::new() };
    checker.node(&document.root, schema, "");
    checker.problems
}

/// Checks a value that stands for `path` of a larger document.
pub(super) fn check_below(
    document: &Document,
    root: &Value,
    schema: &Value,
    path: &str,
    strict: bool,
) -> Vec<Problem> {
    let mut checker = Checker { document, root, strict, problems: Vec::new() };
    checker.node(&document.root, schema, path);
    checker.problems
}

/// A key that the schema does not have.
#[derive(Debug)]
pub(super) struct UnknownKey {
    pub key: String,
    /// What stands before it in the path, with its dot.
    pub parent: String,
    pub allowed: Vec<String>,
}

/// The schema of the value at a dotted path.
pub(super) fn schema_at<'a>(root: &'a Value, path: &str) -> Result<&'a Value, UnknownKey> {
    let mut schema = resolve(root, root);
    let mut parent = String::new();
    for key in path.split('.') {
        let properties = schema["properties"].as_object();
        schema = match properties.and_then(|properties| properties.get(key)) {
            Some(below) => below,
            None if schema["additionalProperties"].is_object() => &schema["additionalProperties"],
            None => {
                let allowed = properties.map(|p| p.keys().cloned().collect()).unwrap_or_default();
                return Err(UnknownKey { key: key.to_owned(), parent, allowed });
            }
        };
        parent.push_str(key);
        parent.push('.');
        schema = resolve(schema, root);
    }
    Ok(schema)
}

/// Whether a value of this schema is text, so that `123` must not become a number.
pub(super) fn takes_string(schema: &Value, root: &Value) -> bool {
    let schema = resolve(schema, root);
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "string"),
        _ => choices(schema).is_some(),
    }
}

/// Follows `$ref`, and the one alternative of a nullable schema that is not `null`.
pub(super) fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..16 {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            schema = &root["$defs"][name];
        } else if let Some(only) = nullable(schema) {
            schema = only;
        } else {
            break;
        }
    }
    schema
}

fn nullable(schema: &Value) -> Option<&Value> {
    let alternatives = schema["anyOf"].as_array()?;
    let mut others = alternatives.iter().filter(|one| one["type"] != "null");
    match (others.next(), others.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The candidate closest to `word`, if any is close enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let folded = word.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .map(|candidate| {
            (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase().replace('-', "_")), candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        // Of a word of four letters, two that differ are no slip of the finger.
        .filter(|(distance, candidate)| distance * 2 < candidate.len().max(folded.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}

struct Checker<'a> {
    document: &'a Document,
    root: &'a Value,
    strict: bool,
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    fn node(&mut self, node: &Node, schema: &'a Value, path: &str) {
        // An empty value means "not set", as people write `key:` while they think.
        if matches!(node.value, NodeValue::Null) && !path.is_empty() {
            return;
        }
        let schema = resolve(schema, self.root);
        if let Some(words) = choices(schema) {
            return self.choice(node, &words, path);
        }
        if let Some(alternatives) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            return self.alternatives(node, alternatives, path);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            for part in parts {
                self.node(node, part, path);
            }
        }
        if !self.type_fits(node, schema, path) {
            return;
        }
        match &node.value {
            NodeValue::Map(entries) => self.map(node, entries, schema, path),
            NodeValue::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.node(item, &schema["items"], &format!("{path}[{index}]"));
                }
            }
            NodeValue::Number(number) => self.range(node, number, schema, path),
            _ => {}
        }
    }

    fn map(&mut self, node: &Node, entries: &[Entry], schema: &'a Value, path: &str) {
        let properties = schema["properties"].as_object();
        for entry in entries {
            let below = join(path, &entry.key);
            if let Some(schema) = properties.and_then(|p| p.get(&entry.key)) {
                self.node(&entry.value, schema, &below);
            } else if schema["additionalProperties"].is_object() {
                self.node(&entry.value, &schema["additionalProperties"], &below);
            } else if let Some(properties) = properties {
                let names: Vec<&str> = properties.keys().map(String::as_str).collect();
                let message = match path.is_empty() {
                    true => format!("unknown key `{}`", entry.key),
                    false => format!("unknown key `{}` in `{path}`", entry.key),
                };
                let refused = self.strict || schema["additionalProperties"] == Value::Bool(false);
                let problem = self
                    .document
                    .problem_at(entry.key_span, message)
                    .allowed(names.join(", "))
                    .did_you_mean(nearest(&entry.key, names.iter().copied()));
                self.problems.push(if refused { problem } else { problem.warning() });
            }
        }
        for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !entries.iter().any(|entry| entry.key == required && entry.value.value != NodeValue::Null) {
                let message = match path.is_empty() {
                    true => format!("the document needs the key `{required}`"),
                    false => format!("`{path}` needs the key `{required}`"),
                };
                let hint = self.describe(&schema["properties"][required]);
                self.problems.push(
                    self.document
                        .problem_at(first_line(node), message)
                        .allowed(format!("{required}: {hint}")),
                );
            }
        }
    }

    fn type_fits(&mut self, node: &Node, schema: &Value, path: &str) -> bool {
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
            _ => return true,
        };
        let fits = types.iter().any(|kind| is_of(kind, &node.value));
        if !fits {
            let wanted = self.describe(schema);
            let found = node.type_name();
            let subject = if path.is_empty() { "the document".to_owned() } else { format!("`{path}`") };
            let mut problem = self
                .document
                .problem_at(first_line(node), format!("{subject} must be {wanted}, but this is {found}"))
                .allowed(wanted);
            // A number where text is wanted only lacks quotes.
            if types.contains(&"string") && matches!(node.value, NodeValue::Number(_) | NodeValue::Bool(_)) {
                problem = problem.did_you_mean(Some(format!("\"{}\"", self.text_of(node))));
            }
            self.problems.push(problem);
        }
        fits
    }

    fn range(&mut self, node: &Node, number: &serde_json::Number, schema: &Value, path: &str) {
        let value = number.as_f64().unwrap_or(f64::NAN);
        let below = schema["minimum"].as_f64().is_some_and(|minimum| value < minimum);
        // The generator gives the width of an integer as a format, not as a maximum.
        let maximum = schema["maximum"].as_f64().or(match schema["format"].as_str() {
            Some("uint8") => Some(f64::from(u8::MAX)),
            Some("uint16") => Some(f64::from(u16::MAX)),
            Some("uint32") => Some(f64::from(u32::MAX)),
            Some("int32") => Some(f64::from(i32::MAX)),
            _ => None,
        });
        let above = maximum.is_some_and(|maximum| value > maximum);
        if below || above {
            let allowed = match (schema["minimum"].as_f64(), maximum) {
                (Some(low), Some(high)) => format!("{low} to {high}"),
                (Some(low), None) => format!("{low} or more"),
                (None, Some(high)) => format!("{high} or less"),
                (None, None) => String::new(),
            };
            self.problems.push(
                self.document.problem_at(node.span, format!("`{path}` is out of range")).allowed(allowed),
            );
        }
    }

    fn choice(&mut self, node: &Node, words: &[&str], path: &str) {
        let text = match &node.value {
            NodeValue::String(text) => text.clone(),
            _ => self.text_of(node),
        };
        if !words.contains(&text.as_str()) {
            self.problems.push(
                self.document
                    .problem_at(first_line(node), format!("`{path}` cannot be `{text}`"))
                    .allowed(words.join(", "))
                    .did_you_mean(nearest(&text, words.iter().copied())),
            );
        }
    }

    /// Takes the alternative that fits; where none does, tells the problems of the closest one, which is one of the
    /// same kind of value.
    fn alternatives(&mut self, node: &Node, alternatives: &'a [Value], path: &str) {
        let mut best: Option<Vec<Problem>> = None;
        for alternative in alternatives.iter().filter(|one| self.could_be(node, one)) {
            let mut attempt = Checker {
                document: self.document,
                root: self.root,
                strict: self.strict,
                problems: Vec::new(),
            };
            attempt.node(node, alternative, path);
            let errors = attempt.problems.len();
            if errors == 0 {
                return;
            }
            if best.as_ref().is_none_or(|best| errors < best.len()) {
                best = Some(attempt.problems);
            }
        }
        match best {
            Some(problems) => self.problems.extend(problems),
            None => {
                let mut wanted: Vec<String> = Vec::new();
                for one in alternatives.iter().filter(|one| one["type"] != "null") {
                    let told = self.describe(one);
                    if !wanted.contains(&told) {
                        wanted.push(told);
                    }
                }
                let wanted = wanted.join(" or ");
                let found = node.type_name();
                let message = format!("`{path}` must be {wanted}, but this is {found}");
                self.problems.push(self.document.problem_at(first_line(node), message).allowed(wanted));
            }
        }
    }

    /// Whether a value is of a kind that a schema takes, whatever is in it.
    fn could_be(&self, node: &Node, schema: &Value) -> bool {
        let schema = resolve(schema, self.root);
        if let Some(alternatives) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            return alternatives.iter().any(|one| self.could_be(node, one));
        }
        match &schema["type"] {
            Value::String(kind) => is_of(kind, &node.value),
            Value::Array(kinds) => {
                kinds.iter().filter_map(Value::as_str).any(|kind| is_of(kind, &node.value))
            }
            _ => true,
        }
    }

    fn describe(&self, schema: &Value) -> String {
        let schema = resolve(schema, self.root);
        if let Some(words) = choices(schema) {
            return format!("one of {}", words.join(", "));
        }
        if let Some(alternatives) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            let told: Vec<String> = alternatives.iter().map(|one| self.describe(one)).collect();
            return told.join(" or ");
        }
        let kind = match &schema["type"] {
            Value::String(one) => one.as_str(),
            Value::Array(many) => {
                many.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("")
            }
            _ => "",
        };
        match kind {
            "boolean" => "true or false",
            "integer" => "an integer",
            "number" => "a number",
            "string" => "a string",
            "array" => "a list",
            "object" => "a mapping",
            _ => "a value of another kind",
        }
        .to_owned()
    }

    fn text_of(&self, node: &Node) -> String {
        self.document.text.get(node.span.start..node.span.end).unwrap_or("").trim().to_owned()
    }
}

/// Whether a value is of a kind as JSON Schema names it.
fn is_of(kind: &str, value: &NodeValue) -> bool {
    match (kind, value) {
        ("null", NodeValue::Null) => true,
        ("boolean", NodeValue::Bool(_)) => true,
        ("integer", NodeValue::Number(number)) => !number.is_f64(),
        ("number", NodeValue::Number(_)) => true,
        ("string", NodeValue::String(_)) => true,
        ("array", NodeValue::List(_)) => true,
        ("object", NodeValue::Map(_)) => true,
        _ => false,
    }
}

/// The words of an enumeration, whether schemars wrote it as `enum` or as `oneOf` of constants.
fn choices(schema: &Value) -> Option<Vec<&str>> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::as_str).collect();
    }
    let mut words = Vec::new();
    for alternative in schema["oneOf"].as_array()? {
        if let Some(word) = alternative["const"].as_str() {
            words.push(word);
        } else {
            let listed = alternative["enum"].as_array()?;
            words.extend(listed.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?);
        }
    }
    Some(words)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// For a mapping or list the place where it begins, not its whole extent.
fn first_line(node: &Node) -> super::Span {
    match &node.value {
        NodeValue::Map(entries) => entries.first().map_or(node.span, |entry| entry.key_span),
        _ => node.span,
    }
}
