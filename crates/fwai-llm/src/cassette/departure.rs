//! Where a request departs from the recorded one.
//!
//! The conversation and the names of the tools must be the same. Numbers in the results of tools may
//! differ, since real tools run again and report times and sizes; the system prompt may differ, since it
//! holds the day and the state of the machine.

use serde_json::Value;

/// `at messages[2].content[0].text: recorded `…`, now `…``; `None` where nothing departs.
pub(super) fn departure(recorded: &Value, now: &Value) -> Option<String> {
    let names = |request: &Value| -> Vec<String> {
        let tools = request["tools"].as_array().into_iter().flatten();
        tools.filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect()
    };
    let (before, after) = (names(recorded), names(now));
    // The messages say more about what happened than the tools do, so they come first.
    let mut path = String::from("messages");
    if let Some((path, before, after)) = compare(&recorded["messages"], &now["messages"], &mut path, false) {
        return Some(format!("at {path}: recorded {before}, now {after}"));
    }
    if before != after {
        let gone = before.iter().find(|name| !after.contains(name));
        let new = after.iter().find(|name| !before.contains(name));
        return Some(match (gone, new) {
            (Some(name), _) => format!("at tools: `{name}` was offered then, and is not now"),
            (None, Some(name)) => format!("at tools: `{name}` is offered now, and was not then"),
            (None, None) => "at tools: another order".into(),
        });
    }
    None
}

type Difference = (String, String, String);

fn compare(recorded: &Value, now: &Value, path: &mut String, loosely: bool) -> Option<Difference> {
    let here = path.len();
    match (recorded, now) {
        (Value::Array(before), Value::Array(after)) => {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                path.push_str(&format!("[{at}]"));
                if let Some(found) = compare(before, after, path, loosely) {
                    return Some(found);
                }
                path.truncate(here);
            }
            if before.len() != after.len() {
                return Some((path.clone(), format!("{} items", before.len()), after.len().to_string()));
            }
            None
        }
        (Value::Object(before), Value::Object(after)) => {
            let loosely = loosely || before.get("type").is_some_and(|kind| kind == "tool_result");
            let added = after.keys().filter(|key| !before.contains_key(*key));
            for key in before.keys().chain(added) {
                path.push('.');
                path.push_str(key);
                let (before, after) = (&recorded[key.as_str()], &now[key.as_str()]);
                if let Some(found) = compare(before, after, path, loosely) {
                    return Some(found);
                }
                path.truncate(here);
            }
            None
        }
        (Value::String(before), Value::String(after)) if loosely => {
            (without_numbers(before) != without_numbers(after)).then(|| shown(path, before, after))
        }
        (Value::String(before), Value::String(after)) => {
            (before != after).then(|| shown(path, before, after))
        }
        (before, after) => (before != after).then(|| shown(path, &before.to_string(), &after.to_string())),
    }
}

/// Both texts from a little before the place where they part.
fn shown(path: &str, before: &str, after: &str) -> Difference {
    let same = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let start = same.saturating_sub(20);
        let mut out: String = text.chars().skip(start).take(60).collect();
        if start > 0 {
            out.insert(0, '…');
        }
        if text.chars().count() > start + 60 {
            out.push('…');
        }
        format!("`{}`", out.replace('\n', "\\n"))
    };
    (path.to_owned(), around(before), around(after))
}

/// `12.5 ms` and `9 ms` are the same event.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        let belongs = c.is_ascii_digit() || (in_number && matches!(c, '.' | ','));
        if belongs && !in_number {
            out.push('#');
        }
        if !belongs {
            out.push(c);
        }
        in_number = belongs;
    }
    out
}
