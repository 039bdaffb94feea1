//! YAML events to a [`Node`] tree. Bounded: aliases cannot blow up, nesting cannot exhaust the stack.

use super::{Document, Entry, Node, NodeValue, Problem, Span};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span as RawSpan, StrInput};
use serde_json::Number;
use std::collections::HashMap;

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 200_000;

pub(super) fn parse(name: &str, text: &str) -> Result<Document, Problem> {
    // A byte order mark is legal at the start of a file and invisible to its writer.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder {
        name,
        text,
        offsets: char_offsets(text),
        parser: Parser::new_from_str(text),
        nodes: 0,
        anchors: HashMap::new(),
    };
    let root = builder.document()?;
    Ok(Document { name: name.into(), text: text.into(), root })
}

/// The value that a plain scalar stands for, by YAML 1.2's core schema.
pub fn scalar(text: &str) -> NodeValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return NodeValue::Null,
        "true" | "True" | "TRUE" => return NodeValue::Bool(true),
        "false" | "False" | "FALSE" => return NodeValue::Bool(false),
        _ => {}
    }
    number(text).map_or_else(|| NodeValue::String(text.to_owned()), NodeValue::Number)
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().map(Number::from);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if unsigned.bytes().all(|b| b.is_ascii_digit()) {
        let signed = text.strip_prefix('+').unwrap_or(text);
        return signed
            .parse::<i64>()
            .map(Number::from)
            .or_else(|_| signed.parse::<u64>().map(Number::from))
            .ok();
    }
    let floating =
        unsigned.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+'));
    let has_digit = unsigned.bytes().any(|b| b.is_ascii_digit());
    if floating && has_digit { text.parse::<f64>().ok().and_then(Number::from_f64) } else { None }
}

/// Byte offset of every character, since the parser counts characters; empty for ASCII, where both agree.
fn char_offsets(text: &str) -> Vec<usize> {
    if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(offset, _)| offset).collect() }
}

struct Builder<'a> {
    name: &'a str,
    text: &'a str,
    offsets: Vec<usize>,
    parser: Parser<'a, StrInput<'a>>,
    nodes: usize,
    anchors: HashMap<usize, Node>,
}

impl<'a> Builder<'a> {
    fn document(&mut self) -> Result<Node, Problem> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => break,
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                event if root.is_none() => root = Some(self.node(event, span, 0)?),
                _ => return Err(self.problem(span, "only one YAML document is allowed in a file")),
            }
        }
        let empty = Node {
            value: NodeValue::Map(Vec::new()),
            span: Span { line: 1, column: 1, ..Span::default() },
            plain: true,
        };
        Ok(match root {
            Some(Node { value: NodeValue::Null, .. }) | None => empty,
            Some(root) => root,
        })
    }

    fn node(&mut self, event: Event<'a>, raw: RawSpan, depth: usize) -> Result<Node, Problem> {
        let start = self.span(raw);
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(self.problem(raw, "the document is nested too deeply or is too large"));
        }
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if plain { scalar(&text) } else { NodeValue::String(text.into_owned()) };
                (anchor, Node { value, span: start, plain })
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::SequenceEnd, span) => break self.collection_end(start, span, b']'),
                        (event, span) => items.push(self.node(event, span, depth + 1)?),
                    }
                };
                (anchor, Node { value: NodeValue::List(items), span: Span { end, ..start }, plain: false })
            }
            Event::MappingStart(anchor, _) => {
                let mut entries: Vec<Entry> = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::MappingEnd, span) => break self.collection_end(start, span, b'}'),
                        (event, span) => {
                            let entry = self.entry(event, span, depth + 1)?;
                            if entries.iter().any(|other| other.key == entry.key) {
                                return Err(
                                    self.problem(span, format!("the key `{}` stands twice", entry.key))
                                );
                            }
                            entries.push(entry);
                        }
                    }
                };
                (anchor, Node { value: NodeValue::Map(entries), span: Span { end, ..start }, plain: false })
            }
            Event::Alias(id) => {
                let Some(mut node) = self.anchors.get(&id).cloned() else {
                    return Err(
                        self.problem(raw, "this alias names an anchor that encloses it or does not exist")
                    );
                };
                self.nodes += count(&node);
                node.span = start;
                (0, node)
            }
            _ => return Err(self.problem(raw, "a value was expected here")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn entry(&mut self, event: Event<'a>, raw: RawSpan, depth: usize) -> Result<Entry, Problem> {
        let key = match event {
            Event::Scalar(text, ..) => text.into_owned(),
            _ => return Err(self.problem(raw, "a key must be a plain word")),
        };
        let (event, span) = self.next()?;
        let mut value = self.node(event, span, depth)?;
        let key_span = self.span(raw);
        // Nothing stands after `key:`; a value would go behind the colon.
        if matches!(value.value, NodeValue::Null)
            && value.span.start == value.span.end
            && let Some(colon) = self.text[key_span.end..].find(':')
        {
            value.span.start = key_span.end + colon + 1;
            value.span.end = value.span.start;
        }
        Ok(Entry { key, key_span, value })
    }

    /// The parser lets a flow collection reach over the blanks and comments behind its bracket.
    fn collection_end(&self, start: Span, end: RawSpan, bracket: u8) -> usize {
        let span = self.span(end);
        let flow = matches!(self.text.as_bytes().get(start.start), Some(b'[' | b'{'));
        if flow && self.text.as_bytes().get(span.start) == Some(&bracket) { span.start + 1 } else { span.end }
    }

    fn next(&mut self) -> Result<(Event<'a>, RawSpan), Problem> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => {
                let raw = RawSpan::new(*error.marker(), *error.marker());
                Err(self.problem(raw, format!("not valid YAML: {}", error.info())))
            }
            None => Ok((Event::StreamEnd, RawSpan::default())),
        }
    }

    fn problem(&self, raw: RawSpan, message: impl Into<String>) -> Problem {
        Problem::at(self.name, self.text, self.span(raw), message)
    }

    fn span(&self, raw: RawSpan) -> Span {
        let start = self.byte(raw.start);
        Span {
            start,
            end: self.byte(raw.end).max(start),
            line: raw.start.line().max(1) as u32,
            column: raw.start.col() as u32 + 1,
        }
    }

    fn byte(&self, marker: Marker) -> usize {
        if self.offsets.is_empty() {
            marker.index().min(self.text.len())
        } else {
            self.offsets.get(marker.index()).copied().unwrap_or(self.text.len())
        }
    }
}

fn count(node: &Node) -> usize {
    1 + match &node.value {
        NodeValue::List(items) => items.iter().map(count).sum(),
        NodeValue::Map(entries) => entries.iter().map(|entry| count(&entry.value)).sum(),
        _ => 0,
    }
}
