//! `.fwai/init.json`: what fwai itself wrote, so that it can tell its own words from a person's.
//!
//! Each key holds every value that may be fwai's. While files are being replaced that is the old and the
//! new one, so that a killed init leaves nothing that looks like a person's doing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// For the reader of the file.
    pub about: String,
    pub version: u32,
    /// Dotted key of `project.yaml` to values that fwai wrote there.
    pub project: BTreeMap<String, Vec<Value>>,
    /// Lines of `.gitignore` that fwai wrote.
    pub gitignore: Vec<String>,
}

impl Record {
    /// Reads the text; what cannot be understood is an empty record, so that everything in the files
    /// counts as a person's.
    pub fn parse(text: Option<&str>) -> Self {
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        let mut record = self.clone();
        record.version = 1;
        record.about =
            "What `fwai init` wrote; only these values are ever updated by it. Commit this file.".to_owned();
        let mut text = serde_json::to_string_pretty(&record).expect("plain data");
        text.push('\n');
        text
    }

    pub fn is_ours(&self, path: &str, value: &Value) -> bool {
        self.project.get(path).is_some_and(|values| values.contains(value))
    }

    /// Both records at once: whatever either of them calls fwai's.
    pub fn joined(&self, other: &Record) -> Record {
        let mut joined = self.clone();
        for (path, values) in &other.project {
            let known = joined.project.entry(path.clone()).or_default();
            for value in values {
                if !known.contains(value) {
                    known.push(value.clone());
                }
            }
        }
        for line in &other.gitignore {
            if !joined.gitignore.contains(line) {
                joined.gitignore.push(line.clone());
            }
        }
        joined
    }
}
