//! Takes secrets out of text and JSON before it is shown or stored.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use serde_json::Value;

use super::{
    engine::{Engine, Span},
    judge::is_placeholder,
    known::Known,
    rule::RuleSet,
    stream::RedactStream,
};

/// How often each rule redacted something.
pub type Tally = BTreeMap<String, u64>;

/// Replaces secrets by `[REDACTED:rule]`. Cheap to clone; all clones share the known secrets.
#[derive(Debug, Clone)]
pub struct Redactor {
    engine: Arc<RwLock<Arc<Engine>>>,
}

impl Redactor {
    pub fn new(rules: RuleSet) -> Self {
        Self { engine: Arc::new(RwLock::new(Arc::new(Engine::new(rules, Vec::new())))) }
    }

    /// The built-in rules alone.
    pub fn builtin() -> Self {
        Self::new(RuleSet::builtin())
    }

    /// From now on takes out exactly this value, also in base64, hex and C arrays. Values under eight
    /// characters are refused (false), because they would redact ordinary words.
    pub fn add_known(&self, value: &str) -> bool {
        let Some(known) = Known::new(value) else { return false };
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        if !engine.known.iter().any(|held| held.is(value)) {
            let mut all = engine.known.clone();
            all.push(known);
            *engine = Arc::new(Engine::new(engine.rules.clone(), all));
        }
        true
    }

    pub(super) fn engine(&self) -> Arc<Engine> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The text without its secrets; borrowed where there are none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redact_counting(text, &mut Tally::new())
    }

    /// The same, counting what was taken out.
    pub fn redact_counting<'t>(&self, text: &'t str, tally: &mut Tally) -> Cow<'t, str> {
        match self.redact_bytes_counting(text.as_bytes(), tally) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// For output that need not be text.
    pub fn redact_bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.redact_bytes_counting(text, &mut Tally::new())
    }

    pub fn redact_bytes_counting<'t>(&self, text: &'t [u8], tally: &mut Tally) -> Cow<'t, [u8]> {
        let engine = self.engine();
        let spans = engine.look(text, 0, true).spans;
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = Vec::with_capacity(text.len());
        write_redacted(&engine, text, 0..text.len(), &spans, &mut out, tally);
        Cow::Owned(out)
    }

    /// Redacts every string of a JSON value; a string under a name such as `password` or `api_token`
    /// goes as a whole.
    pub fn redact_json(&self, value: &mut Value) {
        self.redact_json_counting(value, &mut Tally::new());
    }

    pub fn redact_json_counting(&self, value: &mut Value, tally: &mut Tally) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact_counting(text, tally) {
                    *text = redacted;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_json_counting(item, tally)),
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    match field {
                        Value::String(text) if is_sensitive_name(name) && is_worth_hiding(text) => {
                            *text = format!("[REDACTED:{NAMED}]");
                            *tally.entry(NAMED.into()).or_default() += 1;
                        }
                        field => self.redact_json_counting(field, tally),
                    }
                }
                let hidden: Vec<(String, String)> = fields
                    .keys()
                    .filter_map(|name| match self.redact_counting(name, tally) {
                        Cow::Owned(redacted) => Some((name.clone(), redacted)),
                        Cow::Borrowed(_) => None,
                    })
                    .collect();
                for (name, redacted) in hidden {
                    if let Some(field) = fields.remove(&name) {
                        fields.insert(redacted, field);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// For output that arrives in pieces.
    pub fn stream(&self) -> RedactStream {
        RedactStream::new(self.clone())
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::builtin()
    }
}

/// Name under which strings are counted that were hidden for the name of their field.
const NAMED: &str = "sensitive-field";

fn is_worth_hiding(text: &str) -> bool {
    let already_hidden = text.starts_with('[') && is_placeholder(text.as_bytes());
    !text.trim().is_empty() && !already_hidden
}

/// Last words of field names whose strings are secrets.
const SENSITIVE_ENDINGS: [&str; 22] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "access_key",
    "accesskey",
    "private_key",
    "privatekey",
    "secret_key",
    "secretkey",
    "auth_key",
    "signing_key",
    "encryption_key",
    "authorization",
    "credential",
    "credentials",
    "psk",
];

/// True for names such as `api_key`, `authToken`, `WIFI_PASSWORD`, `x-api-key`.
pub fn is_sensitive_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', ' ', '.'], "_");
    SENSITIVE_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Writes `range` of `text` with `spans` replaced; spans lie inside the range.
pub(super) fn write_redacted(
    engine: &Engine,
    text: &[u8],
    range: std::ops::Range<usize>,
    spans: &[Span],
    out: &mut Vec<u8>,
    tally: &mut Tally,
) {
    let mut at = range.start;
    for span in spans {
        let rule = engine.rule_id(span.rank);
        out.extend_from_slice(&text[at..span.start]);
        out.extend_from_slice(b"[REDACTED:");
        out.extend_from_slice(rule.as_bytes());
        out.push(b']');
        *tally.entry(rule.to_owned()).or_default() += 1;
        at = span.end;
    }
    out.extend_from_slice(&text[at..range.end]);
}
