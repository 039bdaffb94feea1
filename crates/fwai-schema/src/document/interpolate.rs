//! `$VAR` and `${VAR:-default}` in the strings of a document. `$$` is a dollar sign.

use super::{Document, Node, NodeValue, Problem, parse::scalar};
use serde_json::Value;

/// Fills variables into every string but those whose schema says `x-verbatim` (shell commands, prompts
/// and patterns, where `$` means something else). A plain scalar gets the type of its new text.
pub fn interpolate(
    document: &mut Document,
    schema: &Value,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut root = std::mem::replace(
        &mut document.root,
        Node { value: NodeValue::Null, span: Default::default(), plain: false },
    );
    walk(&mut root, schema, schema, document, variable, &mut problems);
    document.root = root;
    problems
}

fn walk(
    node: &mut Node,
    schema: &Value,
    root: &Value,
    document: &Document,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut Vec<Problem>,
) {
    if schema["x-verbatim"] == Value::Bool(true) {
        return;
    }
    let schema = super::check::resolve(schema, root);
    let span = node.span;
    match &mut node.value {
        NodeValue::String(text) if text.contains('$') => match expand(text, variable) {
            Ok(filled) => node.value = if node.plain { scalar(&filled) } else { NodeValue::String(filled) },
            Err(missing) => problems.push(
                document
                    .problem_at(span, format!("the environment variable {missing} is not set"))
                    .allowed(format!("set it, or give a default: ${{{missing}:-…}}; `$$` is a dollar sign")),
            ),
        },
        NodeValue::List(items) => {
            for item in items {
                walk(item, &schema["items"], root, document, variable, problems);
            }
        }
        NodeValue::Map(entries) => {
            for entry in entries {
                let below = schema["properties"].get(&entry.key).unwrap_or(&schema["additionalProperties"]);
                walk(&mut entry.value, below, root, document, variable, problems);
            }
        }
        _ => {}
    }
}

/// Fills variables into one text; the error is the name of a variable without value and default.
pub fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.push('$');
            rest = after;
        } else if let Some((body, after)) = rest.strip_prefix('{').and_then(|body| body.split_once('}')) {
            let (name, default) = match body.split_once(":-") {
                Some((name, default)) => (name, Some(default)),
                None => (body, None),
            };
            if name_length(name) != name.len() || name.is_empty() {
                out.push_str("${");
                out.push_str(body);
                out.push('}');
            } else {
                // As in a shell, `:-` also replaces an empty value.
                let value = variable(name).filter(|value| default.is_none() || !value.is_empty());
                match value.or_else(|| default.map(str::to_owned)) {
                    Some(value) => out.push_str(&value),
                    None => return Err(name.to_owned()),
                }
            }
            rest = after;
        } else {
            let length = name_length(rest);
            let name = &rest[..length];
            if name.is_empty() {
                out.push('$');
            } else {
                out.push_str(&variable(name).ok_or_else(|| name.to_owned())?);
            }
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}
