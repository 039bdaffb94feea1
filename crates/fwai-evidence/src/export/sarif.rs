//! SARIF 2.1.0: results that code scanners, GitHub and editors read.

use serde_json::{Value, json};

/// A kind of result.
#[derive(Debug, Clone)]
pub struct SarifRule {
    pub id: String,
    pub title: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SarifLevel {
    Error,
    Warning,
    Note,
}

/// One result; lines and columns count from 1.
#[derive(Debug, Clone)]
pub struct SarifResult {
    pub rule: String,
    pub level: SarifLevel,
    pub message: String,
    pub file: Option<String>,
    pub region: Option<SarifRegion>,
}

#[derive(Debug, Clone, Copy)]
pub struct SarifRegion {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A whole SARIF log with one run of fwai.
pub fn sarif(version: &str, rules: &[SarifRule], results: &[SarifResult]) -> Value {
    let rule_list: Vec<Value> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "name": pascal_case(&rule.id),
                "shortDescription": {"text": sentence(&rule.title)},
                "fullDescription": {"text": sentence(&rule.title)},
                "help": {"text": "Remove it from the source, replace what was exposed, and read it at run time instead."},
            })
        })
        .collect();
    let result_list: Vec<Value> = results.iter().map(|result| result_value(rules, result)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "fwai",
                "version": version,
                "semanticVersion": version,
                "rules": rule_list,
            }},
            "columnKind": "unicodeCodePoints",
            "results": result_list,
        }],
    })
}

fn result_value(rules: &[SarifRule], result: &SarifResult) -> Value {
    let level = match result.level {
        SarifLevel::Error => "error",
        SarifLevel::Warning => "warning",
        SarifLevel::Note => "note",
    };
    let mut value =
        json!({"ruleId": result.rule, "level": level, "message": {"text": sentence(&result.message)}});
    if let Some(index) = rules.iter().position(|rule| rule.id == result.rule) {
        value["ruleIndex"] = json!(index);
    }
    if let Some(file) = &result.file {
        let mut place = json!({"artifactLocation": {"uri": uri(file)}});
        if let Some(region) = result.region {
            place["region"] = json!({
                "startLine": region.line, "startColumn": region.column,
                "endLine": region.end_line, "endColumn": region.end_column,
            });
        }
        value["locations"] = json!([{"physicalLocation": place}]);
    }
    value
}

/// A relative path as a URI reference; what is not plain is percent-encoded.
fn uri(path: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    path.trim_start_matches("./")
        .bytes()
        .map(|byte| if plain(&byte) { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn pascal_case(id: &str) -> String {
    id.split('-')
        .map(|word| {
            let mut chars = word.chars();
            chars
                .next()
                .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
                .unwrap_or_default()
        })
        .collect()
}
