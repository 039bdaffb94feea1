//! `config.yaml`, for a user or a project: how fwai behaves.
//!
//! Every field is optional and has a default. Layers, lowest first: built-in, user, project,
//! environment, flags.

use crate::{permission::Mode, policy::Policy, prelude::*};

pub use crate::future_services::{
    BoardFarmConfig, CloudConfig, KbConfig, LicenseConfig, MarketplaceConfig, McpConfig,
};

/// How fwai behaves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    pub provider: ProviderConfig,
    pub agent: AgentConfig,
    pub policy: Policy,
    pub org_policy: OrgPolicyConfig,
    pub sandbox: SandboxConfig,
    pub intent: IntentConfig,
    pub mode: ModeConfig,
    pub logging: LoggingConfig,
    pub security: SecurityConfig,
    pub evidence: EvidenceConfig,
    pub ui: UiConfig,
    pub web: WebConfig,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookConfig>,
    pub mcp: McpConfig,
    pub kb: KbConfig,
    pub board_farm: BoardFarmConfig,
    pub license: LicenseConfig,
    pub cloud: CloudConfig,
    pub marketplace: MarketplaceConfig,
}

/// Which model answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProviderConfig {
    /// Where absent, the first provider whose key is set is taken, then a running Ollama.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ProviderName>,
    /// Model name; each provider has a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Address of a compatible server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// OpenAI's wire format. Where absent, `responses` for OpenAI itself and `chat` for compatible servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wire: Option<OpenAiWire>,
    /// Environment variable that holds the key; each provider's usual one where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// File that holds the key; must be readable by its owner only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<String>,
    /// Command that prints the key, for instance `pass show anthropic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub api_key_cmd: Option<String>,
    /// Tokens that one answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Tokens of reasoning, for models that reason on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
    /// Context window in tokens, where fwai does not know the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u32>,
    /// Further HTTP headers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Cassette to record all model traffic to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Cassette that provider `replay` plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    pub timeouts: TimeoutConfig,
    pub retry: RetryConfig,
    /// Prices and windows of models that fwai does not know, or knows differently.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, ModelFacts>,
}

/// Providers that fwai speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderName {
    Anthropic,
    #[serde(rename = "openai")]
    OpenAi,
    Gemini,
    Ollama,
    /// Another name of `ollama`.
    Local,
    /// Plays a cassette.
    Replay,
}

impl ProviderName {
    pub const ALL: [ProviderName; 6] = [
        ProviderName::Anthropic,
        ProviderName::OpenAi,
        ProviderName::Gemini,
        ProviderName::Ollama,
        ProviderName::Local,
        ProviderName::Replay,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ProviderName::Anthropic => "anthropic",
            ProviderName::OpenAi => "openai",
            ProviderName::Gemini => "gemini",
            ProviderName::Ollama => "ollama",
            ProviderName::Local => "local",
            ProviderName::Replay => "replay",
        }
    }
}

impl std::fmt::Display for ProviderName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The two interfaces of OpenAI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpenAiWire {
    /// Chat Completions; what compatible servers speak.
    #[default]
    Chat,
    Responses,
}

/// Patience with a model server, in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TimeoutConfig {
    pub connect_s: u64,
    /// Until the first byte of an answer.
    pub first_byte_s: u64,
    /// Between two pieces of an answer.
    pub idle_s: u64,
}

impl Default for TimeoutConfig {
    fn default() -> Self {
        Self { connect_s: 10, first_byte_s: 300, idle_s: 120 }
    }
}

/// How failed model calls are tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RetryConfig {
    /// Tries after the first.
    pub max_retries: u32,
    /// Milliseconds before the first retry; doubles each time, with jitter.
    pub initial_ms: u64,
    /// Milliseconds that one wait may last, also when the server asks for longer.
    pub max_ms: u64,
}

impl Default for RetryConfig {
    fn default() -> Self {
        Self { max_retries: 4, initial_ms: 500, max_ms: 60_000 }
    }
}

/// What a model costs and how much it can read. Prices in US dollars for a million tokens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ModelFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// Prices of requests that are longer than most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long_context: Option<LongContextPrices>,
}

/// What a request costs, all of it, once it reads more than so many tokens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LongContextPrices {
    /// Tokens up to which the usual prices hold.
    pub above: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

/// Limits and habits of the turn loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentConfig {
    /// How much a session may do without asking.
    pub mode: Mode,
    /// Model calls in one turn.
    pub max_iterations: u32,
    /// US dollars in one turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Output tokens in one turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Bytes of one tool's output that the model sees; the rest goes to a file.
    pub max_tool_output: usize,
    /// Part of the context window at which older turns are summarised.
    pub compact_at: f64,
    /// Facts that no compaction may touch: pins, memory map, errata, rules of yours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub pinned: Vec<String>,
    /// Print `[Decision]` lines.
    pub decision_trace: bool,
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            max_iterations: 50,
            max_cost: None,
            max_tokens: None,
            max_tool_output: 16_000,
            compact_at: 0.8,
            pinned: Vec::new(),
            decision_trace: true,
        }
    }
}

/// Where the organisation's policy is; it can only tighten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrgPolicyConfig {
    /// File, or `https` address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Refuse to work when the policy cannot be read.
    pub required: bool,
}

/// Walls around child processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SandboxConfig {
    /// `off` is recorded in every run's evidence.
    pub walls: SandboxWalls,
    /// Further directories that commands may write, for instance a compiler cache.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writable: Vec<String>,
    /// Further paths that commands must not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// Device files that commands may use, one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<String>,
    /// Megabytes of memory for one command, all its processes together.
    pub memory_mb: u64,
    /// Seconds of processor time for one command, all its processes together.
    pub cpu_s: u64,
    /// Processes of one command.
    pub max_processes: u64,
    /// Megabytes of output of one command.
    pub output_mb: u64,
}

impl Default for SandboxConfig {
    fn default() -> Self {
        Self {
            walls: SandboxWalls::Required,
            writable: Vec::new(),
            unreadable: Vec::new(),
            devices: Vec::new(),
            memory_mb: 8192,
            cpu_s: 36_000,
            max_processes: 512,
            output_mb: 64,
        }
    }
}

/// Whether commands may run without walls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SandboxWalls {
    /// Walls, or the command is refused.
    #[default]
    Required,
    /// No walls; recorded.
    Off,
}

/// How free words become a skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct IntentConfig {
    pub enabled: bool,
    /// At this confidence and above the skill runs.
    pub run_threshold: f64,
    /// At this confidence and above fwai asks; below it is free chat.
    pub ask_threshold: f64,
    /// Let the model decide where words alone do not.
    pub use_model: bool,
}

impl Default for IntentConfig {
    fn default() -> Self {
        Self { enabled: true, run_threshold: 0.8, ask_threshold: 0.6, use_model: true }
    }
}

/// Interactive or CI.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ModeConfig {
    /// `auto` looks at the terminal and the CI's variables.
    pub run: RunMode,
    pub ci: CiConfig,
}

/// Whether a person is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    #[default]
    Auto,
    Interactive,
    Ci,
}

/// Behaviour in CI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CiConfig {
    /// Seconds after which the whole run is ended with exit code 124.
    pub watchdog_s: u64,
    /// Write the CI's own summary (for instance GitHub's step summary).
    pub summary: bool,
}

impl Default for CiConfig {
    fn default() -> Self {
        Self { watchdog_s: 1800, summary: true }
    }
}

/// Logs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LoggingConfig {
    pub level: LogLevel,
    /// File to log to instead of standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    Error,
    #[default]
    Warn,
    Info,
    Debug,
    Trace,
}

/// Secret scanning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SecurityConfig {
    /// Redact secrets from everything that is shown or stored.
    pub redact: bool,
    /// Further regular expressions of secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub patterns: Vec<String>,
    /// Regular expressions of what only looks like a secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub allow: Vec<String>,
}

impl Default for SecurityConfig {
    fn default() -> Self {
        Self { redact: true, patterns: Vec::new(), allow: Vec::new() }
    }
}

/// What runs record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EvidenceConfig {
    pub enabled: bool,
    pub sign: bool,
    /// SBOM of the firmware with each build.
    pub sbom: bool,
    /// Witness that countersigns checkpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_url: Option<String>,
    /// Store checkpoints in git notes after each run.
    pub git_notes: bool,
}

impl Default for EvidenceConfig {
    fn default() -> Self {
        Self { enabled: true, sign: true, sbom: false, witness_url: None, git_notes: false }
    }
}

/// What a person sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UiConfig {
    /// `en`, `zh-TW` or `zh-CN`; from `LANG` where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    pub color: ColorChoice,
    /// Background of the terminal; `auto` asks the terminal and `COLORFGBG`.
    pub background: BackgroundChoice,
}

/// Languages of the user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-TW")]
    TraditionalChinese,
    #[serde(rename = "zh-CN")]
    SimplifiedChinese,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// What letters stand on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundChoice {
    #[default]
    Auto,
    Dark,
    Light,
}

/// Web tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WebConfig {
    /// SearXNG- or Brave-style search address; `{query}` is filled in, or `q` is appended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_url: Option<String>,
    /// Environment variable with the search service's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_key_env: Option<String>,
    pub max_bytes: u64,
    pub timeout_s: u64,
}

impl Default for WebConfig {
    fn default() -> Self {
        Self { search_url: None, search_key_env: None, max_bytes: 2_000_000, timeout_s: 20 }
    }
}

/// A command of the user's that runs on an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HookConfig {
    pub on: HookEvent,
    /// Gets the event as JSON on standard input; may answer with JSON.
    #[schemars(extend("x-verbatim" = true))]
    pub command: String,
    /// Only for tools whose name matches this glob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(default = "ten")]
    pub timeout_s: u64,
}

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    SessionStart,
    SessionEnd,
    BeforeTool,
    AfterTool,
    BeforeFlash,
    PermissionRequest,
}

fn ten() -> u64 {
    10
}
