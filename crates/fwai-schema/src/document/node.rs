//! A YAML tree whose every value knows its place.

use serde_json::{Map, Number, Value};

/// A range of the text; lines and columns count from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub column: u32,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: NodeValue,
    pub span: Span,
    /// Written without quotes, so that its type may change when variables are filled in.
    pub plain: bool,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    pub key_span: Span,
    pub value: Node,
}

impl Node {
    pub fn to_json(&self) -> Value {
        match &self.value {
            NodeValue::Null => Value::Null,
            NodeValue::Bool(value) => Value::Bool(*value),
            NodeValue::Number(value) => Value::Number(value.clone()),
            NodeValue::String(value) => Value::String(value.clone()),
            NodeValue::List(items) => Value::Array(items.iter().map(Node::to_json).collect()),
            NodeValue::Map(entries) => Value::Object(
                entries.iter().map(|e| (e.key.clone(), e.value.to_json())).collect::<Map<_, _>>(),
            ),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            NodeValue::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The node at a dotted path.
    pub fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, key| match &node.value {
            NodeValue::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => node.get(key),
        })
    }

    /// Calls `visit` for every leaf (scalars and lists) with its dotted path.
    pub fn leaves<'a>(&'a self, visit: &mut impl FnMut(&str, &'a Node)) {
        fn walk<'a>(node: &'a Node, path: &mut String, visit: &mut impl FnMut(&str, &'a Node)) {
            match &node.value {
                NodeValue::Map(entries) if !entries.is_empty() => {
                    for entry in entries {
                        let before = path.len();
                        if before > 0 {
                            path.push('.');
                        }
                        path.push_str(&entry.key);
                        walk(&entry.value, path, visit);
                        path.truncate(before);
                    }
                }
                _ => visit(path, node),
            }
        }
        walk(self, &mut String::new(), visit);
    }

    pub(super) fn type_name(&self) -> &'static str {
        match &self.value {
            NodeValue::Null => "nothing",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::Number(number) if number.is_f64() => "a number",
            NodeValue::Number(_) => "an integer",
            NodeValue::String(_) => "a string",
            NodeValue::List(_) => "a list",
            NodeValue::Map(_) => "a mapping",
        }
    }
}
