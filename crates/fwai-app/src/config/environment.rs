//! `FWAI_*` variables as a layer. `FWAI_AGENT_MAX_ITERATIONS` is `agent.max_iterations`; the keys that
//! people set most have a short name.

use super::keys::keys;
use fwai_schema::document::nearest;

/// Short names.
const SHORT: &[(&str, &str)] = &[
    ("FWAI_PROVIDER", "provider.name"),
    ("FWAI_MODEL", "provider.model"),
    ("FWAI_BASE_URL", "provider.base_url"),
    ("FWAI_MODE", "agent.mode"),
    ("FWAI_LANG", "ui.language"),
    ("FWAI_LOG", "logging.level"),
];

/// Variables that begin with `FWAI_` and are no configuration.
pub const RESERVED_VARIABLES: &[&str] = &["FWAI_HOME", "FWAI_DEV_CACHE"];

/// What an environment variable means.
pub(super) enum Meaning {
    Key(String),
    Unknown { guess: Option<String> },
}

/// The keys that the variables of an environment set, in their order.
pub(super) fn meanings(names: impl Iterator<Item = String>) -> Vec<(String, Meaning)> {
    let mut relevant: Vec<String> = names
        .filter(|name| name.starts_with("FWAI_") && !RESERVED_VARIABLES.contains(&name.as_str()))
        .filter(|name| !name.starts_with("FWAI_TEST_"))
        .collect();
    relevant.sort();
    if relevant.is_empty() {
        return Vec::new();
    }
    let mut known: Vec<(String, String)> =
        SHORT.iter().map(|(v, k)| ((*v).to_owned(), (*k).to_owned())).collect();
    let needs_all = relevant.iter().any(|name| !SHORT.iter().any(|(short, _)| short == name));
    if needs_all {
        known.extend(keys().into_iter().map(|key| (variable_for(&key), key)));
    }
    relevant
        .into_iter()
        .map(|name| {
            let meaning = match known.iter().find(|(variable, _)| *variable == name) {
                Some((_, key)) => Meaning::Key(key.clone()),
                None => Meaning::Unknown {
                    guess: nearest(&name, known.iter().map(|(variable, _)| variable.as_str())),
                },
            };
            (name, meaning)
        })
        .collect()
}

/// The variable that sets a key.
pub fn variable_for(key: &str) -> String {
    format!("FWAI_{}", key.replace('.', "_").to_uppercase())
}
