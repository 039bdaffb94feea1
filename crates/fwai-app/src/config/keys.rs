//! Every key of the configuration, and the words that it can be set to, as the schema says.

use fwai_schema::families;
use serde_json::Value;

/// Every key that a single value can be given for.
pub fn keys() -> Vec<String> {
    let mut found = Vec::new();
    each_key(&mut |key, _, _| found.push(key.to_owned()));
    found
}

/// The words that a key can be set to; none where it takes anything.
pub fn values(key: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_key(&mut |known, schema, root| {
        if known == key {
            words(schema, root, &mut found);
        }
    });
    found
}

type Visit<'a> = dyn FnMut(&str, &Value, &Value) + 'a;

/// Calls `visit` with each key, its schema and the whole one.
fn each_key(visit: &mut Visit<'_>) {
    let schema = families::by_name("config").expect("the list has it").schema();
    collect(schema.as_value(), schema.as_value(), "", visit);
}

fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        Some(name) => &root["$defs"][name],
        None => schema,
    }
}

fn collect(schema: &Value, root: &Value, path: &str, visit: &mut Visit<'_>) {
    let schema = resolve(schema, root);
    match schema["properties"].as_object() {
        Some(properties) => {
            for (key, below) in properties {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(below, root, &path, visit);
            }
        }
        None if !path.is_empty() => visit(path, schema, root),
        None => {}
    }
}

fn words(schema: &Value, root: &Value, found: &mut Vec<String>) {
    let schema = resolve(schema, root);
    if schema["type"] == "boolean" {
        found.extend(["true".to_owned(), "false".to_owned()]);
    }
    let constants = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    found.extend(constants.filter_map(Value::as_str).map(str::to_owned));
    for choices in ["anyOf", "oneOf"] {
        for choice in schema[choices].as_array().into_iter().flatten() {
            words(choice, root, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_words_of_their_schema() {
        let keys = keys();
        for key in ["agent.mode", "provider.name", "ui.background", "evidence.sign"] {
            assert!(keys.iter().any(|known| known == key), "{key} in {keys:?}");
        }
        assert_eq!(values("agent.mode"), ["plan", "ask", "auto", "yolo"]);
        assert_eq!(values("ui.background"), ["auto", "dark", "light"]);
        assert_eq!(values("evidence.sign"), ["true", "false"]);
        assert!(values("provider.name").contains(&"anthropic".to_owned()), "{:?}", values("provider.name"));
        assert!(values("provider.model").is_empty() && values("no.such").is_empty());
    }
}
