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

/// A value that a skill takes. `name: value` is short for `name: {default: value}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "InputForm")]
pub struct SkillInput {
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    pub required: bool,
}

/// How files write an input.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum InputForm {
    Full {
        #[serde(default)]
        description: String,
        #[serde(default)]
        default: Option<Scalar>,
        #[serde(default)]
        required: bool,
    },
    Value(Scalar),
    Nothing(()),
}

/// Text, or what YAML takes for a number or a truth; inputs are texts.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Number(serde_json::Number),
    Truth(bool),
}

impl From<Scalar> for String {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Text(text) => text,
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => truth.to_string(),
        }
    }
}

impl From<InputForm> for SkillInput {
    fn from(form: InputForm) -> Self {
        match form {
            InputForm::Full { description, default, required } => {
                Self { description, default: default.map(String::from), required }
            }
            InputForm::Value(value) => Self { default: Some(value.into()), ..Self::default() },
            InputForm::Nothing(()) => Self::default(),
        }
    }
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
    /// How long one try may take: seconds, or `500ms`, `30s`, `5m`, `1h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<TimeSpan>,
}

/// A time: seconds, or with a unit `500ms`, `30s`, `5m`, `1h`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TimeSpan {
    Seconds(#[schemars(range(min = 0.0))] f64),
    Words(String),
}

impl TimeSpan {
    /// In seconds, or why it is no time.
    pub fn seconds(&self) -> Result<f64, String> {
        let text = match self {
            Self::Seconds(seconds) => return Ok(*seconds),
            Self::Words(text) => text.trim(),
        };
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let scale = match unit.trim() {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => f64::NAN,
        };
        let seconds = number.parse::<f64>().unwrap_or(f64::NAN) * scale;
        match seconds.is_finite() {
            true => Ok(seconds),
            false => Err(format!("`{text}` is no time; write seconds, or 500ms, 30s, 5m, 1h")),
        }
    }
}

impl Default for TimeSpan {
    fn default() -> Self {
        Self::Seconds(0.0)
    }
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

/// How often and how patiently a step is tried again. `retry: 2` is short for `retry: {times: 2}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "RetryForm")]
pub struct Retry {
    pub times: u32,
    /// Before the first retry; doubles each time.
    pub backoff: TimeSpan,
}

/// How files write it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum RetryForm {
    Full {
        #[serde(default)]
        times: u32,
        /// Before the first retry; doubles each time.
        #[serde(default)]
        backoff: TimeSpan,
    },
    Times(u32),
}

impl From<RetryForm> for Retry {
    fn from(form: RetryForm) -> Self {
        match form {
            RetryForm::Full { times, backoff } => Self { times, backoff },
            RetryForm::Times(times) => Self { times, backoff: TimeSpan::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_a_unit() {
        let seconds = |text: &str| serde_json::from_str::<TimeSpan>(text).unwrap().seconds();
        for (text, wanted) in [
            ("2", 2.0),
            ("0.5", 0.5),
            ("\"500ms\"", 0.5),
            ("\"30s\"", 30.0),
            ("\"1.5 m\"", 90.0),
            ("\"1h\"", 3600.0),
        ] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
        for text in ["\"\"", "\"soon\"", "\"5 parsecs\"", "\"-1s\"", "\"1.2.3s\"", "\"ms\""] {
            assert!(seconds(text).unwrap_err().contains("write seconds, or 500ms"), "{text}");
        }
    }

    #[test]
    fn short_forms_mean_the_same() {
        let input = |text: &str| serde_json::from_str::<SkillInput>(text).unwrap();
        assert_eq!(input("\"a\""), input(r#"{"default": "a"}"#));
        assert_eq!(input("3"), input(r#"{"default": "3"}"#));
        assert_eq!(input("true").default.as_deref(), Some("true"));
        assert_eq!(input("null"), SkillInput::default());
        let retry = |text: &str| serde_json::from_str::<Retry>(text).unwrap();
        assert_eq!(retry("2"), retry(r#"{"times": 2}"#));
    }
}
