//! A tool call on one line: what was called with what, how long it took, what came of it.

use super::{
    Abilities,
    clean::{clean, clean_line},
    palette,
    text::{Line, Span, width},
};
use crate::language::{permission, say};
use fwai_schema::event::EventBody;
use serde_json::Value;
use std::{
    borrow::Cow,
    collections::HashMap,
    time::{Duration, Instant},
};

/// A finished call, kept so that it can be opened.
#[derive(Debug, Clone, Default)]
pub struct Call {
    pub name: String,
    /// Its arguments in short.
    pub about: String,
    pub success: bool,
    pub duration_ms: u64,
    /// What the model was given, cleaned.
    pub text: String,
    /// File with the whole output, where `text` is cut.
    pub full_output: Option<String>,
}

/// Tools whose result begins with a verdict worth reading.
const VERDICTS: &[&str] = &[
    "build_firmware",
    "flash_board",
    "run_tests",
    "reset_board",
    "read_console",
    "memory_analysis",
    "monitor",
];

impl Call {
    /// `✓ build_firmware  1.2 s  2 warnings`, the arguments cut so that the end can be read.
    pub fn line(&self, columns: usize, abilities: Abilities) -> Line {
        let (mark, style) = match self.success {
            true => (abilities.sign("✓", "+"), palette::GOOD),
            false => (abilities.sign("✗", "x"), palette::BAD),
        };
        let mut spans =
            vec![Span::new(mark, style), Span::plain(" "), Span::new(self.name.clone(), palette::BOLD)];
        let mut end = format!("  {}", took(Duration::from_millis(self.duration_ms)));
        if let Some(gist) = self.gist() {
            end.push_str(&format!("  {gist}"));
        }
        let more = abilities.sign("…", "~");
        let taken = width(mark) + 2 + width(&self.name) + width(&end);
        let room = columns.saturating_sub(taken).max(columns / 3);
        if !self.about.is_empty() {
            let about = Line::plain(self.about.clone()).cut(room, more);
            spans.push(Span::plain(" "));
            spans.extend(about.0);
        }
        spans.push(Span::new(end, palette::DIM));
        Line(spans).cut(columns, more)
    }

    fn gist(&self) -> Option<String> {
        let mut lines = self.text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let more = lines.count();
        match () {
            _ if VERDICTS.contains(&self.name.as_str()) => Some(first.to_owned()),
            _ if !self.success => None,
            _ if more == 0 => Some(first.to_owned()),
            _ => Some(say!("repl-lines", count = more + 1)),
        }
    }

    /// Why it failed, in few lines.
    pub fn complaint(&self, most: usize) -> Vec<Line> {
        if self.success {
            return Vec::new();
        }
        let skip = usize::from(VERDICTS.contains(&self.name.as_str()));
        let text = refusal(&self.text);
        let lines = text.lines().filter(|line| !line.trim().is_empty()).skip(skip);
        lines.take(most).map(|line| Line::styled(format!("    {}", clean_line(line)), palette::DIM)).collect()
    }
}

/// Why a call was not made is one line for the model, and for people in their language. What tools print stays.
pub fn refusal(text: &str) -> Cow<'_, str> {
    match text.trim_end().contains('\n') {
        true => text.into(),
        false => permission(text.trim_end()).into(),
    }
}

/// Arguments in short: words as they are, switches by their name, numbers with it.
pub fn about(arguments: &Value, signs: Abilities) -> String {
    let shown = |(key, value): (&String, &Value)| match value {
        Value::String(text) => clean_line(text.trim_end()),
        Value::Bool(true) => clean_line(key),
        Value::Number(number) => format!("{}={number}", clean_line(key)),
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).map(clean_line).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    };
    let words: Vec<String> = match arguments {
        Value::Object(map) => {
            let told =
                map.iter().filter(|(key, _)| !matches!(key.as_str(), "content" | "edits" | "plan" | "todos"));
            told.map(shown).filter(|word| !word.is_empty()).collect()
        }
        other => vec![clean_line(&other.to_string())],
    };
    Line::plain(words.join(" ")).cut(60, signs.sign("…", "~")).0.into_iter().map(|span| span.text).collect()
}

/// How long calls have waited for a person; that is no time of theirs.
#[derive(Debug, Default)]
pub struct Waits {
    /// The call of each permission that is asked for, and since when.
    open: HashMap<String, (String, Instant)>,
    over: HashMap<String, u64>,
}

impl Waits {
    pub fn note(&mut self, body: &EventBody) {
        match body {
            EventBody::PermissionRequest { id, tool_call, .. } => {
                self.open.insert(id.clone(), (tool_call.clone(), Instant::now()));
            }
            EventBody::PermissionResolved { id, .. } => {
                if let Some((call, since)) = self.open.remove(id) {
                    *self.over.entry(call).or_default() += since.elapsed().as_millis() as u64;
                }
            }
            _ => {}
        }
    }

    /// What is left of a call's time without its waiting.
    pub fn without(&mut self, call: &str, duration_ms: u64) -> u64 {
        duration_ms.saturating_sub(self.over.remove(call).unwrap_or_default())
    }
}

/// A duration as people say it.
pub fn took(time: Duration) -> String {
    match time.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
    }
}

/// The last line of an output that says something.
pub fn last_line(output: &str) -> String {
    let tail: String = output.chars().rev().take(2000).collect::<Vec<_>>().into_iter().rev().collect();
    clean(&tail).lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_line_says_it_all() {
        let call = |name: &str, arguments: Value, success, text: &str| Call {
            name: name.into(),
            about: about(&arguments, Abilities { colours: true, unicode: true }),
            success,
            duration_ms: 1234,
            text: text.into(),
            full_output: None,
        };
        let utf8 = Abilities { colours: true, unicode: true };
        let show = |call: Call| call.line(80, utf8).text();
        insta::assert_snapshot!(show(call("build_firmware", json!({}), true, "built, 2 warnings\nmore")), @"✓ build_firmware  1.2 s  built, 2 warnings");
        insta::assert_snapshot!(show(call("read_file", json!({"path": "a.c"}), true, "1\n2\n3")), @"✓ read_file a.c  1.2 s  3 lines");
        insta::assert_snapshot!(show(call("bash", json!({"command": "make\nrun"}), false, "boom")), @"✗ bash make run  1.2 s");
        insta::assert_snapshot!(show(call("edit_file", json!({"path": "a.c", "edits": [{"old": "a", "new": "b"}]}), true, "")), @"✓ edit_file a.c  1.2 s");
    }

    #[test]
    fn waiting_for_a_person_is_no_time_of_the_call() {
        let mut waits = Waits::default();
        let since = Instant::now() - Duration::from_secs(20);
        waits.open.insert("p".into(), ("c".into(), since));
        let resolved = EventBody::PermissionResolved {
            id: "p".into(),
            reply: fwai_schema::op::PermissionReply::Once,
            note: None,
        };
        waits.note(&resolved);
        assert_eq!(waits.without("other", 25_000), 25_000);
        assert!(waits.without("c", 25_000) <= 5_000);
        assert_eq!(waits.without("c", 25_000), 25_000, "once");
    }

    #[test]
    fn durations() {
        assert_eq!(took(Duration::from_millis(7)), "7 ms");
        assert_eq!(took(Duration::from_millis(61_500)), "1 min 1 s");
        assert_eq!(last_line("one\ntwo\x1b[0m\n\n"), "two");
    }
}
