//! What a session is started with. `fwai-app` fills this from the layers of configuration.

use crate::tool::PathScope;
use fwai_llm::{MaybeSend, MaybeSync};
use fwai_schema::config::AgentConfig;
use std::{fmt, path::PathBuf, sync::Arc};

/// How one session behaves.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// Id of the session. One whose log has events goes on where it ended; see [`new_session_id`].
    pub session: String,
    /// Version of fwai, for the log.
    pub version: String,
    pub project_root: PathBuf,
    /// Where relative paths start; inside the project.
    pub cwd: PathBuf,
    /// Mode, limits, pinned facts. The mode of a resumed session is the one in its log.
    pub agent: AgentConfig,
    pub prompt: PromptParts,
    /// Someone can answer questions and permission requests. Where nobody can, asking ends the turn.
    pub person: bool,
    /// Tokens that the model can read, where the provider's facts are wrong or missing.
    pub context_window: Option<u32>,
    /// Tokens of one answer.
    pub max_answer_tokens: Option<u32>,
    pub temperature: Option<f32>,
    /// What the final answer must be, where that is prescribed.
    pub output: Option<Output>,
    /// Summarise by the model when the conversation grows too long; otherwise cut by window.
    pub summarise: bool,
    /// Bounds beside those of the policy.
    pub scopes: Vec<PathScope>,
}

/// A prescribed final answer.
#[derive(Clone)]
pub struct Output {
    /// JSON Schema, as the model is told.
    pub schema: serde_json::Value,
    /// Says what is wrong with an answer.
    pub check: Arc<dyn CheckAnswer>,
}

/// Holds an answer against what is prescribed.
pub trait CheckAnswer: MaybeSend + MaybeSync {
    fn check(&self, answer: &str) -> Result<(), String>;
}

impl<F: Fn(&str) -> Result<(), String> + MaybeSend + MaybeSync> CheckAnswer for F {
    fn check(&self, answer: &str) -> Result<(), String> {
        self(answer)
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Output").field(&self.schema).finish()
    }
}

/// What the prompt is made of beside fwai's own instructions.
#[derive(Debug, Clone, Default)]
pub struct PromptParts {
    /// Instructions of an agent from YAML; fwai's own role where absent.
    pub role: Option<String>,
    /// Facts of the project: chip, board, build and flash commands, memory map.
    pub project: String,
    /// Rules of the user and the project: name of the file and its text (`AGENTS.md`).
    pub rules: Vec<(String, String)>,
}

impl SessionConfig {
    pub fn new(session: impl Into<String>, project_root: impl Into<PathBuf>) -> Self {
        let project_root = project_root.into();
        Self {
            session: session.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            cwd: project_root.clone(),
            project_root,
            agent: AgentConfig::default(),
            prompt: PromptParts::default(),
            person: true,
            context_window: None,
            max_answer_tokens: None,
            temperature: None,
            output: None,
            summarise: true,
            scopes: Vec::new(),
        }
    }
}

/// A session id that sorts by time: `20260228-161234-k3v9x2`.
pub fn new_session_id(clock: &dyn crate::host::Clock) -> String {
    let digits: String = clock.now().chars().filter(char::is_ascii_digit).take(14).collect();
    let (day, time) = digits.split_at(digits.len().min(8));
    let tail: String = clock.random_id().chars().take(6).collect();
    format!("{day}-{time}-{tail}")
}
