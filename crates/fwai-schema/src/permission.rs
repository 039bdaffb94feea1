//! Levels, modes and verdicts: the vocabulary in which tools, policy and people agree on what may happen.

use crate::prelude::*;

/// What a tool can do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Read,
    Write,
    Execute,
    Network,
    Device(DeviceVerb),
}

/// What a tool can do to a board, from harmless to final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceVerb {
    Reset,
    Flash,
    Erase,
    /// Cannot be undone by anything.
    Fuse,
}

/// How much a session may do without asking.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Only reading, plus this session's plan file.
    Plan,
    /// Everything that changes something asks.
    Ask,
    /// What can be undone runs; what leaves the machine, touches a board or cannot be undone asks.
    #[default]
    Auto,
    /// Nothing asks; sandbox and policy still hold.
    Yolo,
}

/// What happens with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Plan, Mode::Ask, Mode::Auto, Mode::Yolo];

    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Plan => "plan",
            Mode::Ask => "ask",
            Mode::Auto => "auto",
            Mode::Yolo => "yolo",
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
