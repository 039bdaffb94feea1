//! The JSON Schema of a final answer: checked before a model is asked, told to the model, and held against
//! what it says. Any schema that a user has is taken, references inside it included; nothing is fetched.

use serde_json::Value;
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Complaints that are worth telling; the first ones explain the others.
const TOLD: usize = 5;

/// A schema that is known to be one.
#[derive(Clone)]
pub struct AnswerSchema {
    schema: Value,
    validator: Arc<jsonschema::Validator>,
}

/// Why a file holds no schema.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum AnswerSchemaError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{} is not JSON: {error}", path.display())]
    NotJson { path: PathBuf, error: serde_json::Error },
    #[error("{} is no JSON Schema: {why}", path.display())]
    NoSchema { path: PathBuf, why: String },
}

impl AnswerSchema {
    pub fn read(path: &Path) -> Result<Self, AnswerSchemaError> {
        let at = || path.to_owned();
        let bytes = fs::read(path).map_err(|error| AnswerSchemaError::Read { path: at(), error })?;
        let schema: Value = serde_json::from_slice(&bytes)
            .map_err(|error| AnswerSchemaError::NotJson { path: at(), error })?;
        Self::new(schema).map_err(|why| AnswerSchemaError::NoSchema { path: at(), why })
    }

    /// Providers take an object only, although `true` is a schema, too.
    pub fn new(schema: Value) -> Result<Self, String> {
        if !schema.is_object() {
            return Err("it must be a JSON object".to_owned());
        }
        let validator = jsonschema::validator_for(&schema).map_err(|error| placed(&error))?;
        Ok(Self { schema, validator: Arc::new(validator) })
    }

    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// The value that an answer is, without the fence that models like to put around it.
    pub fn check(&self, answer: &str) -> Result<Value, String> {
        let value: Value = serde_json::from_str(unfenced(answer))
            .map_err(|error| format!("the answer is not JSON: {error}"))?;
        let complaints: Vec<String> =
            self.validator.iter_errors(&value).take(TOLD).map(|error| placed(&error)).collect();
        match complaints.is_empty() {
            true => Ok(value),
            false => Err(format!("the answer does not fit the schema: {}", complaints.join("; "))),
        }
    }
}

impl fmt::Debug for AnswerSchema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("AnswerSchema").field(&self.schema).finish()
    }
}

fn placed(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    match place.is_empty() {
        true => error.to_string(),
        false => format!("{error} (at {place})"),
    }
}

fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let Some(inside) = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return answer;
    };
    // The language stands on the fence's own line.
    inside.split_once('\n').map_or(inside, |(_, body)| body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_patterns_and_bounds_count() {
        let schema = AnswerSchema::new(json!({
            "type": "object",
            "properties": {"at": {"$ref": "#/$defs/place"}, "sizes": {"type": "array", "uniqueItems": true}},
            "required": ["at"],
            "$defs": {"place": {"type": "string", "pattern": "^[a-z]+\\.c:[0-9]+$"}},
        }))
        .unwrap();
        assert_eq!(schema.check("{\"at\": \"uart.c:3\"}"), Ok(json!({"at": "uart.c:3"})));
        assert_eq!(schema.check("```json\n{\"at\": \"uart.c:3\"}\n```"), Ok(json!({"at": "uart.c:3"})));
        let why = schema.check("{\"at\": \"uart\", \"sizes\": [1, 1]}").unwrap_err();
        assert!(why.contains("(at /at)") && why.contains("(at /sizes)"), "{why}");
        assert!(schema.check("null").unwrap_err().contains("null is not of type"), "null is no object");
        assert!(schema.check("It is uart.c:3.").unwrap_err().starts_with("the answer is not JSON"));
    }

    #[test]
    fn what_is_no_schema_is_said() {
        assert!(AnswerSchema::new(json!(true)).unwrap_err().contains("must be a JSON object"));
        let why = AnswerSchema::new(json!({"properties": {"a": {"type": "strnig"}}})).unwrap_err();
        assert!(why.contains("strnig") && why.contains("/properties/a/type"), "{why}");
        assert!(
            AnswerSchema::new(json!({"$ref": "https://example.com/s.json"})).is_err(),
            "nothing is fetched"
        );
    }
}
