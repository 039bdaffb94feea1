//! The attribution rules of `components.toml`.

use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

const BUILT_IN: &str = include_str!("components.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComponentRule {
    pub name: String,
    #[serde(default)]
    pub supplier: Option<String>,
    #[serde(default, deserialize_with = "regexes")]
    pub paths: Vec<Regex>,
    #[serde(default, deserialize_with = "regexes")]
    pub archives: Vec<Regex>,
    /// Folders between the end of the match and the root, upwards.
    #[serde(default)]
    pub root_up: usize,
    #[serde(default)]
    pub versions: Vec<VersionPlace>,
    /// `compiler`: comes with the compiler and has its version.
    #[serde(default)]
    pub version_of: Option<String>,
    #[serde(default)]
    pub licence: Option<String>,
    #[serde(default)]
    pub purl: Option<String>,
}

/// Where a version stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionPlace {
    #[serde(deserialize_with = "file_name")]
    pub file: Regex,
    #[serde(default, deserialize_with = "one_regex")]
    pub pattern: Option<Regex>,
    #[serde(default, deserialize_with = "regexes")]
    pub parts: Vec<Regex>,
    #[serde(default)]
    pub radix: Option<u32>,
}

#[derive(Deserialize)]
struct RuleFile {
    component: Vec<ComponentRule>,
}

pub(super) fn rules() -> &'static [ComponentRule] {
    static RULES: OnceLock<Vec<ComponentRule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let file: RuleFile = toml::from_str(BUILT_IN).expect("components.toml is checked by the tests");
        file.component
    })
}

fn regexes<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Regex>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| Regex::new(text).map_err(serde::de::Error::custom)).collect()
}

fn one_regex<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Regex>, D::Error> {
    let text = String::deserialize(from)?;
    Regex::new(&text).map(Some).map_err(serde::de::Error::custom)
}

/// A whole file name.
fn file_name<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(from)?;
    Regex::new(&format!("^(?:{text})$")).map_err(serde::de::Error::custom)
}
