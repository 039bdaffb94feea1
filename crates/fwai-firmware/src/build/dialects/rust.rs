//! rustc and Cargo, in words for people and as JSON.

use serde_json::Value;

use crate::build::{
    diagnostic::{Detail, Diagnostic, Note, Place, Severity},
    parser::{Context, Open},
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    if line.starts_with('{') {
        return json(line, context);
    }
    if head(line, context) {
        return true;
    }
    matches!(context.open, Open::Rust | Open::RustLinker) && continued(line, context)
}

/// `error[E0308]: mismatched types`, `warning: unused variable`.
fn head(line: &str, context: &mut Context) -> bool {
    let (severity, rest) = if let Some(rest) = line.strip_prefix("error") {
        (Severity::Error, rest)
    } else if let Some(rest) = line.strip_prefix("warning") {
        (Severity::Warning, rest)
    } else {
        return false;
    };
    let (code, message) = match rest.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
        Some((code, message)) => (Some(code.to_string()), message),
        None => match rest.strip_prefix(": ") {
            Some(message) => (None, message),
            None => return false,
        },
    };
    if message.contains(" generated ") && message.contains("warning") {
        context.open = Open::None;
        return true;
    }
    let mut diagnostic = Diagnostic::new("rustc", severity, message).code(code);
    if is_follow_up(message) {
        diagnostic.detail = Some(Detail::FollowUp);
    } else if let Some(program) =
        message.strip_prefix("linker `").and_then(|rest| rest.strip_suffix("` not found"))
    {
        diagnostic.detail = Some(Detail::CommandNotFound { program: program.to_string() });
    }
    let linking = message.starts_with("linking with");
    if linking {
        diagnostic.detail = Some(Detail::FollowUp);
    }
    context.push(diagnostic);
    context.open = if linking { Open::RustLinker } else { Open::Rust };
    true
}

fn is_follow_up(message: &str) -> bool {
    message.starts_with("aborting due to")
        || message.starts_with("could not compile")
        || message.starts_with("build failed")
        || message.starts_with("Recipe ")
}

fn continued(line: &str, context: &mut Context) -> bool {
    let text = line.trim_start();
    if let Some(place) = text.strip_prefix("--> ") {
        if let Some(last) = context.found.last_mut().filter(|last| last.file.is_none()) {
            let place = Place::parse(place);
            (last.file, last.line, last.column) = (place.file, place.line, place.column);
        }
        return true;
    }
    if line.trim().is_empty() {
        if context.open == Open::Rust {
            context.open = Open::None;
        }
        return true;
    }
    if context.open == Open::RustLinker {
        return false;
    }
    let text = text.strip_prefix("= ").unwrap_or(text);
    if let Some(note) = text.strip_prefix("note: ").or_else(|| text.strip_prefix("help: ")) {
        if let Some(lint) = note
            .strip_prefix("`#[")
            .and_then(|note| note.split_once('('))
            .and_then(|(_, rest)| rest.split_once(')'))
        {
            let last = context.found.last_mut().filter(|last| last.code.is_none());
            if let Some(last) = last {
                last.code = Some(lint.0.to_string());
            }
        }
        context.note(Place::default().note(note));
        return true;
    }
    // Source excerpts (`12 |     let x`, `   |   ^^^`) and paths of older notes.
    text.starts_with('|')
        || text.starts_with("::: ")
        || text.starts_with("...")
        || text.starts_with(|first: char| first.is_ascii_digit())
}

/// Cargo's `--message-format=json` and rustc's `--error-format=json`.
fn json(line: &str, context: &mut Context) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return false };
    let message = match value.get("reason").and_then(Value::as_str) {
        Some("compiler-message") => &value["message"],
        Some(_) => return true,
        None => &value,
    };
    let severity = match message.get("level").and_then(Value::as_str) {
        Some("error" | "error: internal compiler error") => Severity::Error,
        Some("warning") => Severity::Warning,
        _ => return message.get("level").is_some(),
    };
    let text = message.get("message").and_then(Value::as_str).unwrap_or_default();
    let code = message.pointer("/code/code").and_then(Value::as_str).map(str::to_string);
    let mut diagnostic = Diagnostic::new("rustc", severity, text).code(code).at(primary_span(message));
    if is_follow_up(text) || text.contains(" emitted") && text.contains("warning") {
        diagnostic.detail = Some(Detail::FollowUp);
    }
    for child in message.get("children").and_then(Value::as_array).into_iter().flatten() {
        let text = child.get("message").and_then(Value::as_str).unwrap_or_default();
        let place = primary_span(child);
        diagnostic.notes.push(Note {
            file: place.file,
            line: place.line,
            column: place.column,
            message: text.to_string(),
        });
    }
    context.push(diagnostic);
    true
}

fn primary_span(message: &Value) -> Place {
    let spans = message.get("spans").and_then(Value::as_array);
    let primary = spans.and_then(|spans| {
        spans.iter().find(|span| span["is_primary"] == Value::Bool(true)).or_else(|| spans.first())
    });
    let Some(span) = primary else { return Place::default() };
    let number =
        |key: &str| span.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    Place {
        file: span.get("file_name").and_then(Value::as_str).map(str::to_string),
        line: number("line_start"),
        column: number("column_start"),
    }
}
