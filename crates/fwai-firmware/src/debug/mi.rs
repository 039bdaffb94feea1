//! GDB's machine interface: one line of output to one [`Record`].
//!
//! Written after the grammar in the GDB manual, with its known departures: a list of results is kept as
//! the list of their values, and text that is no record at all (the target's own output) is passed on.

use std::fmt;

/// A value in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Tuple(Vec<(String, Value)>),
    List(Vec<Value>),
}

/// One line of GDB's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// `12^done,…`: the answer to the command with that token.
    Result { token: Option<u64>, class: String, results: Value },
    /// `*stopped,…`: the target ran or stopped.
    Exec { class: String, results: Value },
    /// `+download,…`: progress.
    Status { class: String, results: Value },
    /// `=breakpoint-modified,…`: something changed.
    Notify { class: String, results: Value },
    /// `~"text"`: what a person would have seen.
    Console(String),
    /// `@"text"`: what the target printed through the debugger.
    Target(String),
    /// `&"text"`: GDB's own log.
    Log(String),
    /// `(gdb)`.
    Prompt,
    /// Anything else.
    Other(String),
}

/// Nesting beyond this is an attack or damage, not a program's data.
const DEEPEST: usize = 200;

impl Value {
    /// The field of a tuple.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Tuple(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a field.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list field; empty where there is none.
    pub fn list(&self, name: &str) -> &[Value] {
        match self.get(name) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// A number written in decimal or with `0x`.
    pub fn number(&self, name: &str) -> Option<u64> {
        number(self.text(name)?)
    }

    /// As JSON, for the `data` of a step.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Text(text) => serde_json::Value::String(text.clone()),
            Value::List(items) => items.iter().map(Value::to_json).collect(),
            Value::Tuple(fields) => serde_json::Value::Object(
                fields.iter().map(|(name, value)| (name.clone(), value.to_json())).collect(),
            ),
        }
    }
}

/// `0x1f` or `31`; anything after a space is a comment of GDB's.
pub fn number(text: &str) -> Option<u64> {
    let text = text.split_whitespace().next()?;
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Record {
    /// Parse one line without its line end. Never fails: what is no record is [`Record::Other`].
    pub fn parse(line: &str) -> Record {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.trim_end() == "(gdb)" {
            return Record::Prompt;
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let (token, rest) = line.split_at(digits);
        let mut chars = rest.chars();
        let parsed = match (chars.next(), chars.as_str()) {
            (Some('^'), rest) => fields(rest).map(|(class, results)| Record::Result {
                token: token.parse().ok(),
                class,
                results,
            }),
            (Some('*'), rest) => fields(rest).map(|(class, results)| Record::Exec { class, results }),
            (Some('+'), rest) => fields(rest).map(|(class, results)| Record::Status { class, results }),
            (Some('='), rest) => fields(rest).map(|(class, results)| Record::Notify { class, results }),
            (Some('~'), rest) => whole_string(rest).map(Record::Console),
            (Some('@'), rest) => whole_string(rest).map(Record::Target),
            (Some('&'), rest) => whole_string(rest).map(Record::Log),
            _ => None,
        };
        parsed.unwrap_or_else(|| Record::Other(line.to_string()))
    }
}

fn fields(rest: &str) -> Option<(String, Value)> {
    let end = rest.find(',').unwrap_or(rest.len());
    let class = &rest[..end];
    if class.is_empty() || !class.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        return None;
    }
    let mut parser = Parser { rest: &rest[end..], depth: 0 };
    let mut results = Vec::new();
    while parser.take(',') {
        // GDB before version 13 repeats bare tuples for a breakpoint with several places.
        if parser.rest.starts_with('{') {
            results.push((String::new(), parser.value()?));
        } else {
            results.push(parser.result()?);
        }
    }
    parser.rest.is_empty().then(|| (class.to_string(), Value::Tuple(results)))
}

fn whole_string(text: &str) -> Option<String> {
    let mut parser = Parser { rest: text, depth: 0 };
    let string = parser.string()?;
    parser.rest.is_empty().then_some(string)
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn result(&mut self) -> Option<(String, Value)> {
        let end = self.rest.find('=')?;
        let name = &self.rest[..end];
        if name.is_empty() || name.contains(['"', '{', '[', ',', '}', ']']) {
            return None;
        }
        let name = name.to_string();
        self.rest = &self.rest[end + 1..];
        Some((name, self.value()?))
    }

    fn value(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let value = match self.rest.chars().next()? {
            '"' => Value::Text(self.string()?),
            '{' => {
                self.take('{');
                let mut fields = Vec::new();
                while !self.take('}') {
                    if !fields.is_empty() && !self.take(',') {
                        return None;
                    }
                    fields.push(self.result()?);
                }
                Value::Tuple(fields)
            }
            '[' => {
                self.take('[');
                let mut items = Vec::new();
                while !self.take(']') {
                    if !items.is_empty() && !self.take(',') {
                        return None;
                    }
                    items.push(match self.rest.chars().next()? {
                        '"' | '{' | '[' => self.value()?,
                        _ => self.result()?.1,
                    });
                }
                Value::List(items)
            }
            _ => return None,
        };
        self.depth -= 1;
        Some(value)
    }

    /// A C string. Octal escapes are bytes: together they may be UTF-8.
    fn string(&mut self) -> Option<String> {
        let bytes = self.rest.as_bytes();
        if bytes.first() != Some(&b'"') {
            return None;
        }
        let mut text = Vec::new();
        let mut at = 1;
        loop {
            match *bytes.get(at)? {
                b'"' => break,
                b'\\' => {
                    at += 1;
                    let escaped = *bytes.get(at)?;
                    match escaped {
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'a' => text.push(7),
                        b'b' => text.push(8),
                        b'f' => text.push(12),
                        b'v' => text.push(11),
                        b'e' => text.push(27),
                        b'0'..=b'7' => {
                            let digits =
                                bytes[at..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
                            let value = bytes[at..at + digits]
                                .iter()
                                .fold(0u32, |sum, b| sum * 8 + u32::from(b - b'0'));
                            text.push(value as u8);
                            at += digits - 1;
                        }
                        other => text.push(other),
                    }
                }
                byte => text.push(byte),
            }
            at += 1;
        }
        self.rest = &self.rest[at + 1..];
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

/// A text as a C string that GDB reads back as it was.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {}
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::List(items) => {
                f.write_str("[")?;
                for (number, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if number > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Value::Tuple(fields) => {
                for (number, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{name}={value}", if number > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn records_of_a_real_session() {
        let Record::Result { token, class, results } = Record::parse(
            r#"7^done,stack=[frame={level="0",addr="0x080001b0",func="read_sensor",args=[],file="main.c",fullname="/x/main.c",line="51",arch="armv7-m"},frame={level="1",addr="0x080001d6",func="main"}]"#,
        ) else {
            panic!()
        };
        assert_eq!((token, class.as_str()), (Some(7), "done"));
        let frames = results.list("stack");
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].text("func"), Some("read_sensor"));
        assert_eq!(frames[0].number("addr"), Some(0x0800_01b0));
        assert_eq!(Record::parse("(gdb) "), Record::Prompt);
        assert_eq!(
            Record::parse(r#"~"a \"b\"\n\303\244\033[0m""#),
            Record::Console("a \"b\"\nä\u{1b}[0m".into())
        );
        assert_eq!(
            Record::parse(r#"*stopped,reason="signal-received",frame={addr="0x0",func="??",args=[]}"#),
            Record::Exec {
                class: "stopped".into(),
                results: Value::Tuple(vec![
                    ("reason".into(), Value::Text("signal-received".into())),
                    (
                        "frame".into(),
                        Value::Tuple(vec![
                            ("addr".into(), Value::Text("0x0".into())),
                            ("func".into(), Value::Text("??".into())),
                            ("args".into(), Value::List(vec![])),
                        ])
                    ),
                ]),
            }
        );
    }

    #[test]
    fn a_breakpoint_with_several_places_reads_in_the_old_form_too() {
        let record = Record::parse(
            r#"^done,bkpt={number="1",addr="<MULTIPLE>"},{number="1.1",addr="0x1"},{number="1.2"}"#,
        );
        let Record::Result { results: Value::Tuple(fields), .. } = record else { panic!("{record:?}") };
        assert_eq!(fields.len(), 3);
    }

    #[test]
    fn damage_is_passed_on_and_never_panics() {
        for line in [
            "",
            "^",
            "^done,",
            "^done,a",
            "^done,a=",
            "^done,a=\"x",
            "^done,a={b=\"1\"",
            "*stopped,=\"x\"",
            "~\"x\\",
            "~\"\\9\"x",
            "12",
            "hello",
            "^done,a=[\"1\" \"2\"]",
            "=x,y={,}",
        ] {
            let _ = Record::parse(line);
        }
        let deep = format!("^done,a={}", "[".repeat(100_000));
        assert!(matches!(Record::parse(&deep), Record::Other(_)));
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in ".*") {
            let _ = Record::parse(&line);
        }

        #[test]
        fn text_survives_quoting(text in "[^\\p{Cc}]*") {
            prop_assert_eq!(Record::parse(&format!("~{}", quoted(&text))), Record::Console(text));
        }
    }
}
