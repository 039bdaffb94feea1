//! Merging layers key by key, and remembering where each value came from.

use super::{
    ConfigError,
    environment::{Meaning, meanings},
    file::load_document,
};
use crate::{
    paths::Paths,
    trust::{self, Trust},
};
use fwai_schema::{
    config::Config,
    document::{Problem, Severity, parse_value},
    families,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Where a value can come from, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    BuiltIn,
    User,
    Project,
    Environment,
    Flag,
}

impl Layer {
    pub fn name(self) -> &'static str {
        match self {
            Layer::BuiltIn => "built-in",
            Layer::User => "user",
            Layer::Project => "project",
            Layer::Environment => "environment",
            Layer::Flag => "flag",
        }
    }
}

/// Where a value came from, exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    pub layer: Layer,
    /// File and line, variable or flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// The merged configuration.
#[derive(Debug, Clone)]
pub struct Layered {
    pub config: Config,
    /// The same as a tree, defaults included.
    pub tree: Value,
    /// Dotted key to origin; a key that is absent is built-in.
    pub origins: BTreeMap<String, Origin>,
    pub warnings: Vec<Problem>,
    /// Keys of the project that have no effect until it is trusted, with their lines.
    pub untrusted: Vec<(String, u32)>,
}

impl Layered {
    pub fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin { layer: Layer::BuiltIn, place: None })
    }
}

/// What the layers are made of, besides the files.
pub struct Sources<'a> {
    pub environment: &'a [(String, String)],
    /// Key, value and the name of the flag.
    pub flags: &'a [(String, String, String)],
}

/// Reads and merges every layer.
pub fn load(paths: &Paths, sources: &Sources<'_>) -> Result<Layered, ConfigError> {
    let family = families::by_name("config").expect("the list has it");
    let variable =
        |name: &str| sources.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let mut tree = serde_json::to_value(Config::default()).expect("plain data");
    let mut origins = BTreeMap::new();
    let mut warnings = Vec::new();
    let mut untrusted = Vec::new();

    for (layer, path) in super::files(paths) {
        let Some(mut document) = load_document(&path, paths, family, &variable)? else { continue };
        let problems = document.check(family);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(ConfigError::Problems(problems));
        }
        warnings.extend(problems);
        if layer == Layer::Project && trust::of(paths) == Trust::Untrusted {
            untrusted = trust::strip(&mut document.root);
        }
        document.root.leaves(&mut |key, node| {
            let place = Some(format!("{}:{}", document.name, node.span.line));
            origins.insert(key.to_owned(), Origin { layer, place });
        });
        merge(&mut tree, document.root.to_json());
    }

    for (name, meaning) in meanings(sources.environment.iter().map(|(name, _)| name.clone())) {
        let value = variable(&name).unwrap_or_default();
        match meaning {
            // As everywhere: a variable without a value is one that is not set.
            Meaning::Key(_) if value.trim().is_empty() => {}
            Meaning::Key(key) => {
                let parsed =
                    parse_value(&name, &value, family, &key).map_err(|p| ConfigError::Problems(vec![p]))?;
                put(&mut tree, &mut origins, &key, parsed, Layer::Environment, name);
            }
            Meaning::Unknown { guess } => tracing::warn!(
                "the environment variable {name} means nothing to fwai{}",
                guess.map(|guess| format!("; did you mean {guess}?")).unwrap_or_default()
            ),
        }
    }

    for (key, value, flag) in sources.flags {
        let parsed = parse_value(flag, value, family, key).map_err(|p| ConfigError::Problems(vec![p]))?;
        put(&mut tree, &mut origins, key, parsed, Layer::Flag, flag.clone());
    }

    let config = serde_json::from_value(tree.clone()).expect("every layer was checked against the schema");
    Ok(Layered { config, tree, origins, warnings, untrusted })
}

fn put(
    tree: &mut Value,
    origins: &mut BTreeMap<String, Origin>,
    key: &str,
    value: Value,
    layer: Layer,
    place: String,
) {
    let nested =
        key.rsplit('.').fold(value, |inner, part| Value::Object(Map::from_iter([(part.to_owned(), inner)])));
    merge(tree, nested);
    origins.insert(key.to_owned(), Origin { layer, place: Some(place) });
}

/// Mappings merge key by key; anything else is replaced; an empty value changes nothing.
fn merge(below: &mut Value, above: Value) {
    match (below, above) {
        (_, Value::Null) => {}
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                match below.get_mut(&key) {
                    Some(existing) => merge(existing, value),
                    None if value.is_null() => {}
                    None => {
                        below.insert(key, value);
                    }
                }
            }
        }
        (below, above) => *below = above,
    }
}
