//! `.fwai/skills/*.yaml`: a workflow of steps that `fwai run` carries out.

use crate::prelude::*;

/// A named workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillDef {
    pub name: String,
    /// One line: what it does and when to use it.
    pub description: String,
    /// Phrases that mean this skill, in any language.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Words that hint at this skill.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Inputs with their defaults; steps use them as `$name`.
    #[serde(default)]
    pub inputs: BTreeMap<String, SkillInput>,
    pub steps: Vec<Step>,
}

/// A value that a skill takes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SkillInput {
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    pub required: bool,
}

/// One step. Exactly one of `tool` and `action` is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Step {
    /// Name for reports and for `$steps.NAME.output`; the tool or action where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A tool to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Arguments of the tool.
    #[serde(rename = "with", skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<StepAction>,
    /// File, or `$steps.NAME.output`, for `llm_analyze`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Question for `llm_analyze`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Task for `agentic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Agent for `agentic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Condition: `success`, `failure`, `always`, or `steps.NAME.status == failure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub on_fail: OnFail,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
}

/// What a step does when it is not a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepAction {
    Evidence,
    LlmAnalyze,
    Agentic,
}

/// What happens after a failed step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFail {
    #[default]
    Abort,
    /// Once more, then abort; `retry` says more exactly.
    Retry,
    Continue,
}

/// How often and how patiently a step is tried again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Retry {
    pub times: u32,
    /// Seconds before the first retry; doubles each time.
    pub backoff: u64,
}
