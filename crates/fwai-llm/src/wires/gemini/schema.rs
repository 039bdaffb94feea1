//! JSON Schema in the narrower dialect that Gemini understands.
//!
//! References are written out, constants become enumerations, lists of types become `nullable` or
//! `anyOf`, and what Gemini would refuse is left out. The result accepts at least what the original
//! accepts; the tool itself still checks against the original.

use serde_json::{Map, Value, json};

/// Depth at which a schema that contains itself ends.
const MAX_DEPTH: usize = 12;

/// Fields that mean the same in both dialects.
const SAME: [&str; 14] = [
    "title",
    "description",
    "default",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "nullable",
    "example",
];

/// `schema` as Gemini takes it.
pub fn narrow(schema: &Value) -> Value {
    Narrowing { root: schema }.schema(schema, 0)
}

struct Narrowing<'a> {
    /// Where references point.
    root: &'a Value,
}

impl Narrowing<'_> {
    fn schema(&self, schema: &Value, depth: usize) -> Value {
        let Value::Object(given) = schema else {
            // `true` and the like: anything goes, which Gemini can only say as text.
            return json!({"type": "string"});
        };
        if depth > MAX_DEPTH {
            return json!({"type": "object"});
        }
        if let Some(target) = given.get("$ref").and_then(Value::as_str) {
            return self.reference(target, given, depth);
        }
        if let Some(parts) = given.get("allOf").and_then(Value::as_array) {
            return self.schema(&self.merged(given, parts), depth + 1);
        }
        let mut out = Map::new();
        for name in SAME {
            if let Some(value) = given.get(name) {
                out.insert(name.into(), value.clone());
            }
        }
        exclusive_bounds(given, &mut out);
        self.kind(given, &mut out, depth);
        enumeration(given, &mut out);
        format(given, &mut out);
        self.members(given, &mut out, depth);
        self.alternatives(given, &mut out, depth);
        if !out.contains_key("type") && !out.contains_key("anyOf") {
            let guess = if out.contains_key("properties") {
                "object"
            } else if out.contains_key("items") {
                "array"
            } else {
                "string"
            };
            out.insert("type".into(), json!(guess));
        }
        Value::Object(out)
    }

    /// What `#/$defs/name` points to, with what stands beside the reference laid over it.
    fn reference(&self, target: &str, given: &Map<String, Value>, depth: usize) -> Value {
        let found = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let Some(Value::Object(found)) = found else { return json!({"type": "object"}) };
        let mut whole = found.clone();
        for (name, value) in given.iter().filter(|(name, _)| *name != "$ref") {
            whole.insert(name.clone(), value.clone());
        }
        self.schema(&Value::Object(whole), depth + 1)
    }

    /// One schema that demands what all parts demand.
    fn merged(&self, given: &Map<String, Value>, parts: &[Value]) -> Value {
        let mut whole = given.clone();
        whole.remove("allOf");
        for part in parts {
            let part =
                match part["$ref"].as_str().and_then(|target| self.root.pointer(target.strip_prefix('#')?)) {
                    Some(found) => found,
                    None => part,
                };
            for (name, value) in part.as_object().into_iter().flatten() {
                match (whole.get_mut(name), value) {
                    (Some(Value::Object(before)), Value::Object(more)) => {
                        before.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
                    }
                    (Some(Value::Array(before)), Value::Array(more)) if name == "required" => {
                        before.extend(more.iter().cloned());
                    }
                    (Some(_), _) if name == "description" => {}
                    _ => {
                        whole.insert(name.clone(), value.clone());
                    }
                }
            }
        }
        Value::Object(whole)
    }

    /// `type`, which may be a list in JSON Schema.
    fn kind(&self, given: &Map<String, Value>, out: &mut Map<String, Value>, depth: usize) {
        match given.get("type") {
            Some(Value::String(kind)) if kind == "null" => {
                out.insert("type".into(), json!("string"));
                out.insert("nullable".into(), json!(true));
            }
            Some(Value::String(kind)) => {
                out.insert("type".into(), json!(kind));
            }
            Some(Value::Array(kinds)) => {
                let others: Vec<&Value> = kinds.iter().filter(|kind| *kind != "null").collect();
                if others.len() < kinds.len() {
                    out.insert("nullable".into(), json!(true));
                }
                match others.as_slice() {
                    [] => {}
                    [one] => {
                        out.insert("type".into(), (*one).clone());
                    }
                    several => {
                        let one_kind = |kind: &&Value| {
                            let mut one = given.clone();
                            one.insert("type".into(), (*kind).clone());
                            one.shift_remove("description");
                            self.schema(&Value::Object(one), depth + 1)
                        };
                        out.insert("anyOf".into(), several.iter().map(one_kind).collect());
                    }
                }
            }
            _ => {}
        }
    }

    fn members(&self, given: &Map<String, Value>, out: &mut Map<String, Value>, depth: usize) {
        if out.contains_key("anyOf") {
            return;
        }
        if let Some(Value::Object(properties)) = given.get("properties") {
            let narrowed: Map<String, Value> = properties
                .iter()
                .map(|(name, schema)| (name.clone(), self.schema(schema, depth + 1)))
                .collect();
            let is_known = |name: &&Value| name.as_str().is_some_and(|name| narrowed.contains_key(name));
            let required: Vec<&Value> = given
                .get("required")
                .and_then(Value::as_array)
                .map(|required| required.iter().filter(is_known).collect())
                .unwrap_or_default();
            if !required.is_empty() {
                out.insert("required".into(), json!(required));
            }
            out.insert("properties".into(), Value::Object(narrowed));
        }
        let is_list = given.get("type").is_some_and(|kind| kind == "array") || given.contains_key("items");
        let items = given.get("items").or_else(|| given.get("prefixItems")?.get(0));
        match items {
            // A list must say of what.
            None if is_list => {
                out.insert("items".into(), json!({"type": "string"}));
            }
            None => {}
            Some(Value::Array(kinds)) => {
                let first =
                    kinds.first().map_or(json!({"type": "string"}), |kind| self.schema(kind, depth + 1));
                out.insert("items".into(), first);
            }
            Some(items) => {
                out.insert("items".into(), self.schema(items, depth + 1));
            }
        }
    }

    fn alternatives(&self, given: &Map<String, Value>, out: &mut Map<String, Value>, depth: usize) {
        let Some(choices) = given.get("anyOf").or(given.get("oneOf")).and_then(Value::as_array) else {
            return;
        };
        let others: Vec<&Value> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        if others.len() < choices.len() {
            out.insert("nullable".into(), json!(true));
        }
        if let Some(choices) = self.constants(&others) {
            out.insert("type".into(), json!("string"));
            out.insert("enum".into(), choices);
            return;
        }
        match others.as_slice() {
            [] => {}
            [only] => {
                let Value::Object(only) = self.schema(only, depth + 1) else { return };
                for (name, value) in only {
                    if name != "description" || !out.contains_key("description") {
                        out.insert(name, value);
                    }
                }
            }
            several => {
                let choices = several.iter().map(|choice| self.schema(choice, depth + 1)).collect();
                // Beside alternatives nothing else may stand but words.
                out.retain(|name, _| matches!(name.as_str(), "title" | "description" | "nullable"));
                out.insert("anyOf".into(), choices);
            }
        }
    }

    /// An enumeration whose values have descriptions of their own is written as alternatives of constants.
    fn constants(&self, choices: &[&Value]) -> Option<Value> {
        let constant = |choice: &&Value| choice["const"].as_str().map(|text| json!(text));
        let constants: Option<Vec<Value>> = choices.iter().map(constant).collect();
        constants.filter(|list| !list.is_empty()).map(Value::Array)
    }
}

/// Gemini's enumerations hold strings; others are told in words.
fn enumeration(given: &Map<String, Value>, out: &mut Map<String, Value>) {
    let values: Vec<&Value> = match (given.get("const"), given.get("enum")) {
        (Some(constant), _) => vec![constant],
        (None, Some(Value::Array(values))) => values.iter().collect(),
        _ => return,
    };
    let some: Vec<&Value> = values.iter().copied().filter(|value| !value.is_null()).collect();
    if some.len() < values.len() {
        out.insert("nullable".into(), json!(true));
    }
    if some.iter().all(|value| value.is_string()) {
        out.insert("type".into(), json!("string"));
        out.insert("enum".into(), json!(some));
        return;
    }
    if !out.contains_key("type") {
        let kind = match some.first() {
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Number(number)) if number.is_f64() => "number",
            Some(Value::Number(_)) => "integer",
            _ => "string",
        };
        out.insert("type".into(), json!(kind));
    }
    let list: Vec<String> = some.iter().map(|value| value.to_string()).collect();
    let words = format!("One of: {}.", list.join(", "));
    let description = match out.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} {words}"),
        None => words,
    };
    out.insert("description".into(), json!(description));
}

fn exclusive_bounds(given: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (exclusive, inclusive, step) in
        [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
    {
        let Some(bound) = given.get(exclusive).filter(|bound| bound.is_number()) else { continue };
        let whole_number = given.get("type").is_some_and(|kind| kind == "integer");
        let bound = match bound.as_i64() {
            Some(number) if whole_number => json!(number.saturating_add(step)),
            _ => bound.clone(),
        };
        out.insert(inclusive.into(), bound);
    }
}

/// Formats that Gemini knows; it refuses a request with any other.
fn format(given: &Map<String, Value>, out: &mut Map<String, Value>) {
    let Some(format) = given.get("format").and_then(Value::as_str) else { return };
    let known = match out.get("type").and_then(Value::as_str) {
        Some("string") => matches!(format, "date-time" | "enum"),
        Some("integer") => matches!(format, "int32" | "int64"),
        Some("number") => matches!(format, "float" | "double"),
        _ => false,
    };
    if known {
        out.insert("format".into(), json!(format));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: Value, expect: Value) {
        assert_eq!(narrow(&given), expect);
    }

    #[test]
    fn references_are_written_out() {
        check(
            json!({"type": "object", "$schema": "x", "additionalProperties": false,
                "properties": {"mode": {"$ref": "#/$defs/Mode", "description": "which"}},
                "required": ["mode", "ghost"], "$defs": {"Mode": {"type": "string", "enum": ["a", "b"]}}}),
            json!({"type": "object", "required": ["mode"],
                "properties": {"mode": {"description": "which", "type": "string", "enum": ["a", "b"]}}}),
        );
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let given = json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}}});
        assert!(narrow(&given).to_string().len() < 2000);
    }

    #[test]
    fn lists_of_types_and_constants() {
        check(json!({"type": ["string", "null"]}), json!({"nullable": true, "type": "string"}));
        check(
            json!({"type": ["integer", "string"]}),
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        );
        check(json!({"const": "x"}), json!({"type": "string", "enum": ["x"]}));
        check(
            json!({"type": "integer", "enum": [1, 2]}),
            json!({"type": "integer", "description": "One of: 1, 2."}),
        );
        check(
            json!({"type": "integer", "format": "uint32", "minimum": 0}),
            json!({"minimum": 0, "type": "integer"}),
        );
        check(json!({"type": "integer", "exclusiveMinimum": 0}), json!({"minimum": 1, "type": "integer"}));
    }

    #[test]
    fn alternatives() {
        check(
            json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "$defs": {"A": {"type": "integer"}}}),
            json!({"nullable": true, "type": "integer"}),
        );
        check(
            json!({"oneOf": [{"const": "a", "description": "first"}, {"const": "b"}]}),
            json!({"type": "string", "enum": ["a", "b"]}),
        );
        check(
            json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        );
        check(
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"b": {"type": "number"}}, "required": ["b"]}]}),
            json!({"type": "object", "required": ["a", "b"],
                "properties": {"a": {"type": "string"}, "b": {"type": "number"}}}),
        );
    }

    #[test]
    fn nothing_that_gemini_refuses_is_left() {
        let given = json!({"type": "object", "properties": {
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "any": true, "list": {"type": "array"}, "pair": {"type": "array", "prefixItems": [{"type": "number"}]},
            "when": {"type": "string", "format": "uri"}}, "if": {}, "not": {}});
        let text = narrow(&given).to_string();
        for word in ["additionalProperties", "prefixItems", "\"if\"", "\"not\"", "uri", "$ref", "$defs"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
}
