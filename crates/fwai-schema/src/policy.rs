//! `policy` in `config.yaml`, `.fwai/policy.yaml`, and the organisation's policy: what may never happen,
//! whatever a model or a mode says.
//!
//! Unknown keys are refused here: a misspelt wall must not be a missing wall.

use crate::{permission::Verdict, prelude::*};

/// Bounds that hold in every mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Globs of paths that nothing may write. `.git` internals, `.fwai` policy, keys and log are always among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub protected_paths: Vec<String>,
    /// Globs of paths that may be written; absent means the whole project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_paths: Option<Vec<String>>,
    /// Files that a session may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_files_changed: Option<u64>,
    /// Lines that a session may add and remove together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_lines_changed: Option<u64>,
    /// Tools that nobody may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_tools: Vec<String>,
    /// The only tools that may be used; absent means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    pub flash_guard: FlashGuard,
    pub network: NetworkPolicy,
    /// Walls around child processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxRequirement>,
    /// Rules by tool, command and path; `deny` always wins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// Ed25519 public keys (base64) whose evidence counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted_keys: Vec<String>,
    /// Standards whose stricter defaults apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compliance: Vec<Compliance>,
}

/// Conditions for writing to a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FlashGuard {
    pub require_confirmation: bool,
    pub require_build_success: bool,
}

impl Default for FlashGuard {
    fn default() -> Self {
        Self { require_confirmation: true, require_build_success: true }
    }
}

/// Where tools may connect to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkPolicy {
    /// Hosts that may be reached; absent means any that a person approves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_hosts: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_hosts: Vec<String>,
    /// Loopback and private addresses for `web_fetch`.
    pub allow_private: bool,
}

/// Whether commands may run without walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SandboxRequirement {
    /// No walls; every run records this choice.
    Off,
    /// Walls, or the command is refused.
    Required,
}

/// One rule; all given conditions must hold for it to apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rule {
    /// Tool name or glob.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Words that a shell command starts with, for instance `git push`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Glob of a path that the call touches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub verdict: RuleVerdict,
    /// Why; shown when the rule decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Checked when the rule is loaded.
    #[serde(skip_serializing_if = "RuleExamples::is_empty")]
    pub examples: RuleExamples,
}

/// `allow`, `ask` or `deny`; a rule without one asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleVerdict {
    Allow,
    #[default]
    Ask,
    Deny,
}

impl From<RuleVerdict> for Verdict {
    fn from(verdict: RuleVerdict) -> Self {
        match verdict {
            RuleVerdict::Allow => Verdict::Allow,
            RuleVerdict::Ask => Verdict::Ask,
            RuleVerdict::Deny => Verdict::Deny,
        }
    }
}

/// Commands or paths that a rule must, and must not, apply to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleExamples {
    #[serde(rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    #[serde(rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub not_matches: Vec<String>,
}

impl RuleExamples {
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty() && self.not_matches.is_empty()
    }
}

/// Standards that fwai knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Compliance {
    #[serde(rename = "iso-26262")]
    Iso26262,
    #[serde(rename = "do-178c")]
    Do178c,
    #[serde(rename = "iec-62443")]
    Iec62443,
}
