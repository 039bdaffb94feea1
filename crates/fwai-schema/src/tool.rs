//! `.fwai/tools/*.yaml`: a project's own tools, defined by a command.

use crate::{permission::Level, prelude::*};

/// A tool made from a command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolDef {
    /// Lower case, digits and underscores.
    pub name: String,
    /// What the model is told.
    pub description: String,
    /// Shell command; `$NAME` and `${NAME:-default}` are filled from arguments, project and environment.
    pub command: String,
    /// JSON Schema properties of the arguments.
    #[serde(default)]
    pub arguments: BTreeMap<String, ToolArgument>,
    #[serde(default = "execute")]
    pub level: Level,
    /// Regular expressions over the output; with any given, one must match for success.
    #[serde(default)]
    pub success_patterns: Vec<String>,
    /// Regular expressions over the output; any match is a failure, whatever the exit code.
    #[serde(default)]
    pub failure_patterns: Vec<String>,
    #[serde(default = "two_minutes")]
    pub timeout_s: u64,
    /// Working directory, relative to the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Globs of files that the command makes; kept with the run.
    #[serde(default)]
    pub artifacts: Vec<String>,
}

/// One argument of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToolArgument {
    #[serde(rename = "type")]
    pub kind: ArgumentType,
    pub description: String,
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<serde_json::Value>,
    /// Regular expression that a string must match as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// Types that an argument may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentType {
    #[default]
    String,
    Integer,
    Number,
    Boolean,
}

fn execute() -> Level {
    Level::Execute
}

fn two_minutes() -> u64 {
    120
}
