//! `project.yaml`: written fresh, or brought up to date around what a person wrote.

use super::{
    error::WorkspaceError, record::Record, texts::PROJECT_HEADER, values::ProjectValue, write::Kept,
};
use fwai_schema::{
    document::{Document, Severity, edit, lookup},
    families,
};
use serde_json::Value;

/// The new text, what fwai may call its own in it, and what was left alone.
pub struct Updated {
    pub text: String,
    pub record: Record,
    pub kept: Vec<Kept>,
}

/// Brings `before` (or nothing) to say `values`, except where a person said something else.
pub fn update(
    name: &str,
    before: Option<&str>,
    values: &[ProjectValue],
    old: &Record,
) -> Result<Updated, WorkspaceError> {
    let mut text = before.unwrap_or(PROJECT_HEADER).to_owned();
    let current = match before {
        Some(before) => checked(name, before)?,
        None => Value::Object(serde_json::Map::new()),
    };
    let mut record = Record { gitignore: old.gitignore.clone(), ..Record::default() };
    let mut kept = Vec::new();
    for ProjectValue { path, value } in values {
        let here = lookup(&current, path).filter(|here| !here.is_null());
        let ours = match here {
            Some(here) => here == value || old.is_ours(path, here),
            // What fwai once wrote and is gone now, a person took out.
            None => before.is_none() || !old.project.contains_key(*path),
        };
        if !ours {
            if let Some(values) = old.project.get(*path) {
                record.project.insert((*path).to_owned(), values.clone());
            }
            kept.push(Kept {
                key: (*path).to_owned(),
                yours: here.cloned().unwrap_or(Value::Null),
                found: value.clone(),
            });
            continue;
        }
        if here != Some(value) {
            match edit::set(name, &text, path, value) {
                Ok(edited) => text = edited,
                Err(_) => {
                    kept.push(Kept {
                        key: (*path).to_owned(),
                        yours: here.cloned().unwrap_or(Value::Null),
                        found: value.clone(),
                    });
                    continue;
                }
            }
        }
        record.project.insert((*path).to_owned(), vec![value.clone()]);
    }
    if let Some(regions) = values.iter().find(|value| value.path == "target.regions") {
        text = with_readable_regions(name, text, &regions.value);
    }
    if before.is_none() {
        text = with_blank_lines(&text);
    }
    Ok(Updated { text, record, kept })
}

/// The file as data; an error where it is broken.
fn checked(name: &str, text: &str) -> Result<Value, WorkspaceError> {
    let document = Document::parse(name, text).map_err(|problem| WorkspaceError::Problems(vec![problem]))?;
    let family = families::by_name("project").expect("the list has it");
    let errors: Vec<_> =
        document.check(family).into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    if errors.is_empty() { Ok(document.root.to_json()) } else { Err(WorkspaceError::Problems(errors)) }
}

/// Puts each region on a line of its own, with addresses as people read them.
fn with_readable_regions(name: &str, text: String, regions: &Value) -> String {
    let Some(start) = text.find("\n  regions: [") else { return text };
    let end = text[start + 1..].find('\n').map_or(text.len(), |end| start + 1 + end);
    let mut block = "\n  regions:".to_owned();
    for region in regions.as_array().into_iter().flatten() {
        let number = |key: &str| region.get(key).and_then(Value::as_u64).unwrap_or_default();
        let label = region.get("name").map(edit::render).unwrap_or_default();
        let attributes = region
            .get("attributes")
            .filter(|value| !value.is_null())
            .map(|value| format!(", attributes: {}", edit::render(value)));
        block.push_str(&format!(
            "\n    - {{ name: {label}, origin: {:#010x}, length: {:#x}{} }}",
            number("origin"),
            number("length"),
            attributes.unwrap_or_default()
        ));
    }
    let readable = format!("{}{block}{}", &text[..start], &text[end..]);
    let same = |one: &str, other: &str| match (Document::parse(name, one), Document::parse(name, other)) {
        (Ok(one), Ok(other)) => one.root.to_json() == other.root.to_json(),
        _ => false,
    };
    if same(&text, &readable) { readable } else { text }
}

/// Air between the sections of a fresh file.
fn with_blank_lines(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 32);
    let mut header = true;
    for line in text.lines() {
        let section = !line.starts_with([' ', '#', '-']) && line.ends_with(':');
        if (section && !header) || (header && !line.starts_with('#')) {
            result.push('\n');
            header = false;
        }
        result.push_str(line);
        result.push('\n');
    }
    result
}
