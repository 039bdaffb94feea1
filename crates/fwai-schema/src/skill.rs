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
    /// Inputs with their defaults; steps use them as `$name` or `${name}`.
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
    /// File, `NAME.log` of an earlier step, or `$steps.NAME.output`, for `llm_analyze`.
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
    /// Condition: `success`, `failure`, `always`, `steps.NAME.status == failure`,
    /// `steps.NAME.output contains "text"`, `inputs.NAME == value`, joined by `and`, `or`, `not`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub on_fail: OnFail,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub timeout: Option<f64>,
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
    /// Goes on; the skill as a whole has failed all the same.
    Continue,
    /// Goes on, and the failure does not count. A step of this kind that asks a model is left out where no
    /// model is set.
    Ignore,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Success,
    Failure,
    /// Its condition did not hold, or an earlier step ended the skill.
    Skipped,
    /// Policy or a person said no, or nobody was there to say yes.
    Denied,
    Timeout,
    Interrupted,
}

impl StepStatus {
    pub const ALL: [Self; 6] =
        [Self::Success, Self::Failure, Self::Skipped, Self::Denied, Self::Timeout, Self::Interrupted];

    /// As files and conditions write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Skipped => "skipped",
            Self::Denied => "denied",
            Self::Timeout => "timeout",
            Self::Interrupted => "interrupted",
        }
    }

    /// Neither a success nor left out.
    pub fn is_bad(self) -> bool {
        !matches!(self, Self::Success | Self::Skipped)
    }
}

/// What became of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRecord {
    pub name: String,
    /// The tool, or the action.
    pub kind: String,
    pub status: StepStatus,
    pub duration_ms: u64,
    /// Tries; 0 for a step that was left out.
    #[serde(default)]
    pub attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Runs that the step's own commands left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<String>,
    /// What it gave, or why it failed or was left out; redacted and cut.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// How often and how patiently a step is tried again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Retry {
    pub times: u32,
    /// Seconds before the first retry; doubles each time.
    #[schemars(range(min = 0.0))]
    pub backoff: f64,
}
