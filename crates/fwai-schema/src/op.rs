//! What goes into a session. Every door (REPL, `exec`, editor, browser) speaks these and nothing else.

use crate::{message::ContentBlock, permission::Mode, prelude::*};

/// A command to a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Op {
    /// The user says something; starts a turn, or waits in the queue while one runs.
    UserInput {
        content: Vec<ContentBlock>,
    },
    /// Carries a workflow out as a turn; waits in the queue while one runs.
    RunSkill {
        name: String,
        #[serde(default)]
        inputs: BTreeMap<String, String>,
    },
    /// The answer to a `permission_request` event.
    PermissionReply {
        /// `id` of the request.
        id: String,
        reply: PermissionReply,
        /// What the user wants the model to know, mostly with a denial.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The answer to a `question` event.
    Answer {
        id: String,
        answer: Answer,
    },
    SetMode {
        mode: Mode,
    },
    /// Stop the running turn at once; the history stays valid.
    Interrupt,
    /// Shorten the conversation now.
    Compact,
    /// Restore the work tree to what it was before `to`, or before the last changing step.
    Undo {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<u64>,
    },
    Shutdown,
}

/// How long a permission lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionReply {
    Once,
    Session,
    /// Writes a rule that the user can see and remove.
    Always,
    Deny,
}

/// What a person answered to a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Labels of the chosen options.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Free words instead of, or beside, the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
