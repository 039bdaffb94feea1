//! `.fwai/agents/*.yaml`: an agent with its own tools, paths, model and prompt.

use crate::prelude::*;

/// A specialised agent. It never holds more rights than the session that starts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentDef {
    pub name: String,
    /// When to use it; one line.
    pub description: String,
    /// Names of the tools it may use; absent means those of its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Globs of paths that it may write; absent means those of its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_paths: Option<Vec<String>>,
    /// Globs of paths that it must not write, beside those of the policy.
    #[serde(default)]
    pub protected_paths: Vec<String>,
    /// `model`, or `provider/model`; absent means that of its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default = "twenty")]
    pub max_iterations: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// Instructions.
    pub prompt: String,
}

fn twenty() -> u32 {
    20
}
