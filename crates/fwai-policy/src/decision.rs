//! The answer to a request, with everything that a person needs to understand it.

use fwai_schema::permission::Verdict;
use serde::Serialize;

/// What happens with a request, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub verdict: Verdict,
    /// One sentence for the person or the model.
    pub reason: String,
    /// What decided: `builtin:…` for a fact that fwai knows, `policy:…` for a bound, `rules[N]` for the
    /// user's rule with that number, `mode:…` where only the mode spoke.
    pub rule: String,
    /// The part of a shell command that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_part: Option<String>,
    /// The command needs the network to do what it says; grant it together with the permission.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_network: bool,
    /// The command is one of git's that writes index, refs and objects.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub writes_git: bool,
}

impl Decision {
    pub(crate) fn new(verdict: Verdict, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            rule: rule.into(),
            worst_part: None,
            needs_network: false,
            writes_git: false,
        }
    }

    pub fn is_allowed(&self) -> bool {
        self.verdict == Verdict::Allow
    }
}
