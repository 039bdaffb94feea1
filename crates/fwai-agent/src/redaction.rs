//! Arguments as they are shown: secrets gone, long strings cut. What runs is never altered.

use crate::host::Gate;
use serde_json::{Map, Value};

const SHOWN_CHARS: usize = 200;
const SHOWN_ITEMS: usize = 20;

/// Words in the name of an argument that make its value a secret.
const SECRET_NAMES: &[&str] =
    &["api_key", "apikey", "api-key", "secret", "token", "password", "passwd", "credential", "private_key"];

/// A copy of `arguments` for events.
pub(crate) fn arguments(arguments: &Value, gate: &dyn Gate) -> Value {
    match arguments {
        Value::String(text) => Value::String(short(&gate.redact(text))),
        Value::Array(items) => {
            let mut shown: Vec<Value> =
                items.iter().take(SHOWN_ITEMS).map(|item| self::arguments(item, gate)).collect();
            if items.len() > SHOWN_ITEMS {
                shown.push(Value::String(format!("… {} more", items.len() - SHOWN_ITEMS)));
            }
            Value::Array(shown)
        }
        Value::Object(map) => {
            let shown = map.iter().map(|(key, value)| {
                let hidden = is_secret_name(key) && (value.is_string() || value.is_object());
                let value =
                    if hidden { Value::String("[redacted]".into()) } else { self::arguments(value, gate) };
                (short(key), value)
            });
            Value::Object(shown.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // `max_tokens` and the like count; they are no secrets.
    !name.ends_with("tokens") && SECRET_NAMES.iter().any(|word| name.contains(word))
}

fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    let more = text.chars().count().saturating_sub(SHOWN_CHARS);
    if more > 0 {
        shown.push_str(&format!("… (+{more})"));
    }
    shown
}
