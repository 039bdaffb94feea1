//! Changing one value of a YAML text while comments, order and spacing stay as their writer left them.
//!
//! The result is parsed again and compared with what was meant; a text that cannot be edited safely is
//! refused rather than damaged.

use super::{Document, Node, NodeValue, Problem};
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a value could not be set.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum EditError {
    #[error(transparent)]
    Broken(#[from] Problem),
    #[error("`{path}` holds {found}; set one of the keys below it")]
    NotAScalar { path: String, found: &'static str },
    #[error("`{key}` cannot be set below `{path}`, which holds {found}")]
    NotAMapping { path: String, key: String, found: &'static str },
    #[error("this file's layout cannot be edited safely at `{path}`; change it by hand")]
    Unsafe { path: String },
    #[error("`{0}` is not a key")]
    BadPath(String),
}

/// `text` with the value at the dotted `path` set to `value`.
pub fn set(name: &str, text: &str, path: &str, value: &Value) -> Result<String, EditError> {
    let keys: Vec<&str> = path.split('.').collect();
    if keys.iter().any(|key| key.is_empty()) {
        return Err(EditError::BadPath(path.to_owned()));
    }
    let document = Document::parse(name, text)?;
    let edited = splice(&document, &keys, value)?;
    let mut expected = document.root.to_json();
    insert(&mut expected, &keys, value);
    match Document::parse(name, &edited) {
        Ok(after) if after.root.to_json() == expected => Ok(edited),
        _ => Err(EditError::Unsafe { path: path.to_owned() }),
    }
}

fn splice(document: &Document, keys: &[&str], value: &Value) -> Result<String, EditError> {
    let text = &*document.text;
    let mut node = &document.root;
    for (depth, key) in keys.iter().enumerate() {
        let path = || keys[..depth].join(".");
        match &node.value {
            NodeValue::Map(entries) if entries.is_empty() && depth > 0 => {
                return Ok(replace(text, node, &flow(keys, depth, value)));
            }
            NodeValue::Map(_) => match node.entry(key) {
                Some(entry) => node = &entry.value,
                None => return Ok(add(document, node, &keys[depth..], value)),
            },
            NodeValue::Null => return Ok(replace(text, node, &flow(keys, depth, value))),
            _ => {
                return Err(EditError::NotAMapping {
                    path: path(),
                    key: (*key).to_owned(),
                    found: node.type_name(),
                });
            }
        }
    }
    match &node.value {
        NodeValue::Map(entries) if !entries.is_empty() => {
            Err(EditError::NotAScalar { path: keys.join("."), found: node.type_name() })
        }
        _ => Ok(replace(text, node, &render(value))),
    }
}

/// Puts `new` in the place of the node's own text; trailing comments of its line stay.
fn replace(text: &str, node: &Node, new: &str) -> String {
    let (start, mut end) = (node.span.start, node.span.end);
    // The span of a block list reaches into what follows it; its own text ends with its last item.
    if let NodeValue::List(items) = &node.value
        && !text[start..].starts_with('[')
    {
        end = items.last().map_or(end, last_byte);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = text[..line_start].trim_end_matches([' ', '\n', '\r']);
        if text[line_start..start].trim().is_empty() && before.ends_with(':') {
            return format!("{before} {new}{}", &text[end..]);
        }
    }
    let gap =
        if matches!(node.value, NodeValue::Null) && start == end && !text[..start].ends_with([' ', '\n']) {
            " "
        } else {
            ""
        };
    format!("{}{gap}{new}{}", &text[..start], &text[end..])
}

/// Adds the keys that are missing below `parent`, after its last entry.
fn add(document: &Document, parent: &Node, keys: &[&str], value: &Value) -> String {
    let text = &*document.text;
    let NodeValue::Map(entries) = &parent.value else { return text.to_owned() };
    if text[parent.span.start..].starts_with('{') {
        let close = text[..parent.span.end].rfind('}').unwrap_or(parent.span.end);
        let comma = if entries.is_empty() { "" } else { ", " };
        let body = text[..close].trim_end();
        return format!("{body}{comma}{}: {}{}", key_text(keys[0]), flow(keys, 1, value), &text[close..]);
    }
    let indent = entries.first().map_or(0, |entry| entry.key_span.column as usize - 1);
    let mut lines = String::new();
    for (depth, key) in keys.iter().enumerate() {
        let pad = " ".repeat(indent + 2 * depth);
        lines.push_str(&format!("{pad}{}:", key_text(key)));
        lines.push_str(&if depth + 1 == keys.len() {
            format!(" {}\n", render(value))
        } else {
            "\n".to_owned()
        });
    }
    let at = match entries.last() {
        Some(entry) => {
            let end = last_byte(&entry.value).max(entry.key_span.end);
            if text[..end].ends_with('\n') {
                end
            } else {
                text[end..].find('\n').map_or(text.len(), |n| end + n + 1)
            }
        }
        None => text.len(),
    };
    let gap = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
    format!("{}{gap}{lines}{}", &text[..at], &text[at..])
}

/// Where a node's own text ends.
fn last_byte(node: &Node) -> usize {
    match &node.value {
        NodeValue::Map(entries) if !entries.is_empty() => {
            let last = &entries[entries.len() - 1];
            last_byte(&last.value).max(last.key_span.end)
        }
        NodeValue::List(items) if !items.is_empty() => last_byte(&items[items.len() - 1]),
        _ => node.span.end,
    }
}

/// The rest of a path as a flow mapping: `{b: {c: 1}}`.
fn flow(keys: &[&str], depth: usize, value: &Value) -> String {
    keys[depth..].iter().rev().fold(render(value), |inner, key| format!("{{{}: {inner}}}", key_text(key)))
}

fn key_text(key: &str) -> String {
    render(&Value::String(key.to_owned()))
}

/// A value in one line; quoted only where YAML would read it as something else.
pub fn render(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(render).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries: Vec<_> =
                map.iter().map(|(k, v)| format!("{}: {}", key_text(k), render(v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn is_plain(text: &str) -> bool {
    matches!(super::parse::scalar(text), NodeValue::String(_))
        && !text.starts_with(|c: char| c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`=".contains(c))
        && !text.ends_with(|c: char| c.is_whitespace() || c == ':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(['\n', '\r', '\t', ',', '[', ']', '{', '}', '"', '\\'])
        && !text.chars().any(char::is_control)
        && !matches!(text, "yes" | "no" | "on" | "off" | "y" | "n")
}

fn insert(tree: &mut Value, keys: &[&str], value: &Value) {
    let Some((key, rest)) = keys.split_first() else {
        *tree = value.clone();
        return;
    };
    if !tree.is_object() {
        *tree = Value::Object(Map::new());
    }
    if let Value::Object(map) = tree {
        insert(map.entry((*key).to_owned()).or_insert(Value::Null), rest, value);
    }
}
