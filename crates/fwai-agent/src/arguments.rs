//! Arguments of tools: the JSON Schema that a struct gives, and checking what a model sent against one.
//!
//! Schemas are kept to what all four wires understand (no `$ref`, no type lists, no `format`), and small,
//! since every request carries all of them. The checker covers the same subset; its messages name the
//! place, what was sent, and what would fit, because their reader is a model that tries again.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The doc comment of `T`, and the schema of its arguments.
pub fn schema_of<T: JsonSchema>() -> (String, Value) {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = description.to_owned();
    if let Value::Object(map) = &mut schema {
        map.shift_remove("description");
        map.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    simplify(&mut schema);
    (description, schema)
}

/// Drops what costs tokens and what some wire refuses. `properties` maps names, not keywords, so its
/// children are visited but its keys are left alone.
fn simplify(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    for key in ["title", "format", "$schema"] {
        map.shift_remove(key);
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.shift_remove("default");
    }
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if kinds.len() == 1 {
            let kind = kinds.remove(0);
            map.insert("type".into(), kind);
        }
    }
    // Unsigned integers say so by `minimum: 0` and may carry the type's own maximum; both are noise.
    if map.get("type").is_some_and(|kind| kind == "integer") && map.get("minimum").is_some_and(is_zero) {
        map.shift_remove("minimum");
        map.shift_remove("maximum");
    }
    // `Option<Enum>` is `anyOf [Enum, null]`: keep the one arm that says something.
    if let Some(Value::Array(arms)) = map.get_mut("anyOf") {
        arms.retain(|arm| arm.get("type").is_none_or(|kind| kind != "null"));
        if arms.len() == 1
            && let Value::Object(arm) = arms.remove(0)
        {
            map.shift_remove("anyOf");
            for (key, value) in arm {
                map.entry(key).or_insert(value);
            }
            return simplify(schema);
        }
    }
    flatten_documented_enum(map);
    if let Some(Value::Array(choices)) = map.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = map.get_mut(key) {
            simplify(inner);
        }
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(arms)) = map.get_mut(key) {
            arms.iter_mut().for_each(simplify);
        }
    }
}

/// schemars writes an enum whose variants have doc comments as `oneOf` of constants; a plain `enum` says
/// the same to every wire.
fn flatten_documented_enum(map: &mut Map<String, Value>) {
    let Some(Value::Array(arms)) = map.get("oneOf") else { return };
    let mut choices = Vec::new();
    for arm in arms {
        match (arm.get("const"), arm.get("enum")) {
            (Some(constant), _) => choices.push(constant.clone()),
            (None, Some(Value::Array(some))) => choices.extend(some.iter().cloned()),
            _ => return,
        }
    }
    map.shift_remove("oneOf");
    map.insert("type".into(), "string".into());
    map.insert("enum".into(), Value::Array(choices));
}

fn is_zero(value: &Value) -> bool {
    value.as_f64() == Some(0.0)
}

/// Checks what a model sent. Nulls for optional properties are dropped first: many models send them.
/// The error says, in one line each, everything that is wrong.
pub fn check(schema: &Value, arguments: Value) -> Result<Value, String> {
    let mut arguments = match arguments {
        Value::Null => Value::Object(Map::new()),
        other => other,
    };
    if let Value::String(text) = &arguments {
        let shown: String = text.chars().take(120).collect();
        return Err(format!("the arguments are not valid JSON; send one JSON object. Received: {shown}"));
    }
    drop_nulls(schema, &mut arguments);
    let mut problems = Vec::new();
    walk(schema, &arguments, "", &mut problems);
    if problems.is_empty() { Ok(arguments) } else { Err(problems.join("\n")) }
}

fn drop_nulls(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(map) => {
            let required = required_of(schema);
            map.retain(|key, inner| !inner.is_null() || required.contains(&key.as_str()));
            for (key, inner) in map.iter_mut() {
                if let Some(schema) = schema.get("properties").and_then(|all| all.get(key)) {
                    drop_nulls(schema, inner);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| drop_nulls(schema, item));
            }
        }
        _ => {}
    }
}

fn required_of(schema: &Value) -> Vec<&str> {
    let list = schema.get("required").and_then(Value::as_array);
    list.map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn walk(schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
    let Value::Object(rules) = schema else { return };
    let place = if at.is_empty() { "arguments".to_owned() } else { format!("`{at}`") };
    if let Some(kinds) = rules.get("type")
        && !has_type(kinds, value)
    {
        problems.push(format!("{place} must be {}, not {}", named(kinds), shown(value)));
        return;
    }
    if let Some(Value::Array(choices)) = rules.get("enum")
        && !choices.contains(value)
    {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        problems.push(format!("{place} must be one of {}, not {}", choices.join(", "), shown(value)));
    }
    if let Some(constant) = rules.get("const")
        && constant != value
    {
        problems.push(format!("{place} must be {constant}, not {}", shown(value)));
    }
    check_bounds(rules, value, &place, problems);
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(arms)) = rules.get(key) {
            check_arms(arms, value, at, &place, problems);
        }
    }
    match value {
        Value::Object(map) => check_object(schema, rules, map, at, problems),
        Value::Array(items) => {
            if let Some(inner) = rules.get("items") {
                for (index, item) in items.iter().enumerate() {
                    walk(inner, item, &format!("{at}[{index}]"), problems);
                }
            }
        }
        _ => {}
    }
}

fn check_arms(arms: &[Value], value: &Value, at: &str, place: &str, problems: &mut Vec<String>) {
    let mut best: Option<Vec<String>> = None;
    for arm in arms {
        let mut found = Vec::new();
        walk(arm, value, at, &mut found);
        if found.is_empty() {
            return;
        }
        if best.as_ref().is_none_or(|best| found.len() < best.len()) {
            best = Some(found);
        }
    }
    match best {
        Some(found) => problems.extend(found),
        None => problems.push(format!("{place} fits nothing that is allowed here")),
    }
}

fn check_object(
    schema: &Value,
    rules: &Map<String, Value>,
    map: &Map<String, Value>,
    at: &str,
    problems: &mut Vec<String>,
) {
    let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    let empty = Map::new();
    let properties = rules.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for name in required_of(schema) {
        if !map.contains_key(name) {
            let about =
                properties.get(name).and_then(|inner| inner.get("description")).and_then(Value::as_str);
            let about = about.map(|text| format!(" ({text})")).unwrap_or_default();
            problems.push(format!("`{}` is missing{about}", below(name)));
        }
    }
    for (name, inner) in map {
        match (properties.get(name), rules.get("additionalProperties")) {
            (Some(schema), _) => walk(schema, inner, &below(name), problems),
            (None, Some(Value::Bool(false))) => {
                let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                problems.push(format!("`{}` is not known here; known: {}", below(name), known.join(", ")));
            }
            (None, Some(schema)) => walk(schema, inner, &below(name), problems),
            (None, None) => {}
        }
    }
}

fn check_bounds(rules: &Map<String, Value>, value: &Value, place: &str, problems: &mut Vec<String>) {
    let bound = |key: &str| rules.get(key).and_then(Value::as_f64);
    let size = match value {
        Value::String(text) => Some((text.chars().count(), "minLength", "maxLength", "characters")),
        Value::Array(items) => Some((items.len(), "minItems", "maxItems", "items")),
        _ => None,
    };
    if let Some((size, low, high, unit)) = size {
        if bound(low).is_some_and(|low| (size as f64) < low) {
            problems.push(format!("{place} needs at least {} {unit}, has {size}", rules[low]));
        }
        if bound(high).is_some_and(|high| (size as f64) > high) {
            problems.push(format!("{place} takes at most {} {unit}, has {size}", rules[high]));
        }
    }
    if let Some(number) = value.as_f64() {
        if bound("minimum").is_some_and(|low| number < low) {
            problems.push(format!("{place} must be at least {}, not {number}", rules["minimum"]));
        }
        if bound("maximum").is_some_and(|high| number > high) {
            problems.push(format!("{place} must be at most {}, not {number}", rules["maximum"]));
        }
    }
}

fn has_type(kinds: &Value, value: &Value) -> bool {
    match kinds {
        Value::String(kind) => match kind.as_str() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
            _ => true,
        },
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        _ => true,
    }
}

fn named(kinds: &Value) -> String {
    let article = |kind: &str| match kind {
        "object" | "array" | "integer" => format!("an {kind}"),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    match kinds {
        Value::String(kind) => article(kind),
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).map(article).collect::<Vec<_>>().join(" or ")
        }
        other => other.to_string(),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return text;
    }
    let head: String = text.chars().take(60).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    /// How to look.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Look {
        /// With both eyes.
        Closely,
        Briefly,
    }

    /// Looks at a file.
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct LookAt {
        /// Path of the file.
        path: String,
        line: Option<u64>,
        look: Option<Look>,
        #[serde(default)]
        tags: Vec<String>,
    }

    #[test]
    fn a_struct_gives_a_small_schema_without_references() {
        let (description, schema) = schema_of::<LookAt>();
        assert_eq!(description, "Looks at a file.");
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {
                    "path": {"description": "Path of the file.", "type": "string"},
                    "line": {"type": "integer"},
                    "look": {"description": "How to look.", "type": "string", "enum": ["briefly", "closely"]},
                    "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                },
                "additionalProperties": false,
                "required": ["path"],
            })
        );
    }

    #[test]
    fn errors_tell_a_model_what_to_send() {
        let (_, schema) = schema_of::<LookAt>();
        let wrong = |arguments| check(&schema, arguments).unwrap_err();
        assert_eq!(wrong(json!({})), "`path` is missing (Path of the file.)");
        assert_eq!(
            wrong(json!({"path": 3, "look": "twice", "tags": ["a", 1], "size": 1})),
            "`path` must be a string, not 3\n\
             `look` must be one of \"briefly\", \"closely\", not \"twice\"\n\
             `tags[1]` must be a string, not 1\n\
             `size` is not known here; known: path, line, look, tags"
        );
        assert!(wrong(json!("{\"path\": ")).starts_with("the arguments are not valid JSON"));
        assert_eq!(wrong(json!([1])), "arguments must be an object, not [1]");
    }

    #[test]
    fn nulls_for_optional_arguments_are_dropped() {
        let (_, schema) = schema_of::<LookAt>();
        assert_eq!(check(&schema, json!({"path": "a", "line": null})), Ok(json!({"path": "a"})));
    }
}
