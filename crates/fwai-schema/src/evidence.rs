//! What a run leaves behind: `evidence.json`.
//!
//! `begin` writes the record with status `running` before the first effect; `end` completes it. A
//! record that stays `running` without a live process is an interrupted run.

use crate::{message::Usage, prelude::*, skill::StepRecord};

/// How a run, or one tool of it, ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    Running,
    Success,
    Failure,
    /// The process ended before it could say how it went.
    Interrupted,
    Denied,
    Timeout,
}

/// The record of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// `20260228-161234-build`.
    pub run_id: String,
    /// What was run: a skill, or a command such as `build`.
    pub skill: String,
    pub status: RunStatus,
    /// RFC 3339, UTC, milliseconds.
    pub start_time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<String>,
    #[serde(default)]
    pub duration_ms: u64,
    /// Version of fwai that wrote the record.
    #[serde(default)]
    pub fwai_version: String,
    #[serde(default)]
    pub tools: Vec<ToolResult>,
    /// The steps of a skill, in order, each with the runs that it left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm: Option<LlmTracing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agentic: Option<AgenticSession>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot_status: Option<BootStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hardware: Option<HardwareState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debug: Option<DebugEvidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ota: Option<OtaEvidence>,
    #[serde(default)]
    pub artifacts: Vec<Artifact>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flash: Option<FlashEvidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectRef>,
    /// What the run says it achieved, to be cited later.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Choices of the user that weakened a wall, for instance `sandbox: off`.
    #[serde(default)]
    pub waivers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sbom: Option<EvidenceSbom>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<EvidenceSecurity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<EvidenceSignature>,
}

/// One command or tool of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    pub tool: String,
    /// As run, redacted.
    pub command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// RFC 3339, UTC, milliseconds; absent in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    pub duration_ms: u64,
    /// It could change nothing: it only looked, or never ran.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// The run that it left on its own, which has the details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Relative to the run's directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_sha256: Option<String>,
    pub status: RunStatus,
}

/// What changed in the work tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    pub files_changed: u64,
    pub lines_added: u64,
    pub lines_removed: u64,
    /// Relative to the run's directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_path: Option<String>,
    pub within_budget: bool,
    #[serde(default)]
    pub files: Vec<String>,
    /// Commit that the diff is against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
}

/// The model calls of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LlmTracing {
    pub provider: String,
    pub model: String,
    #[serde(default)]
    pub calls: Vec<LlmCall>,
    pub total_input_tokens: u64,
    pub total_output_tokens: u64,
    /// Absent when a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_cost_usd: Option<f64>,
}

/// One model call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LlmCall {
    pub purpose: String,
    #[serde(flatten)]
    pub usage: Usage,
    /// RFC 3339, UTC, milliseconds; absent in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    #[serde(default)]
    pub duration_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// What an agent did in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgenticSession {
    pub session: String,
    pub turn: u32,
    pub goal: String,
    pub iterations: u32,
    pub stop_reason: String,
    #[serde(default)]
    pub calls: Vec<AgenticCall>,
    #[serde(default)]
    pub files_read: Vec<String>,
    #[serde(default)]
    pub files_written: Vec<String>,
}

/// One tool call of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgenticCall {
    pub id: String,
    pub tool: String,
    /// Redacted and cut.
    pub arguments: serde_json::Value,
    pub success: bool,
    /// RFC 3339, UTC, milliseconds: when it was asked for; a permission may have been waited for since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    pub duration_ms: u64,
}

/// Whether the firmware came up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BootStatus {
    pub status: BootOutcome,
    /// The console text that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// RFC 3339, UTC, milliseconds: when watching began; absent in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    #[serde(default)]
    pub duration_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_file: Option<String>,
}

/// How a boot ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BootOutcome {
    Success,
    Failure,
    Timeout,
}

/// The board as it was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HardwareState {
    pub board: String,
    /// `virtual`, `openocd`, `probe-rs`, `serial` or `command`.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chip: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial_number: Option<String>,
    #[serde(default)]
    pub details: BTreeMap<String, String>,
}

/// What a debug session did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebugEvidence {
    pub elf: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    #[serde(default)]
    pub steps: Vec<DebugStep>,
    /// A decoded fault, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// One debugger command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebugStep {
    pub command: String,
    pub ok: bool,
    pub result: String,
}

/// An over-the-air update.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtaEvidence {
    pub package: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub status: String,
    #[serde(default)]
    pub devices: Vec<String>,
}

/// A file that a build made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    pub path: String,
    /// `elf`, `bin`, `hex`, `map`, `uf2`…
    pub kind: String,
    pub sha256: String,
    #[serde(default)]
    pub size: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
}

/// What was written to a board, and how that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlashEvidence {
    pub board: String,
    pub image: String,
    pub image_sha256: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// Run that built the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_run: Option<String>,
    pub bytes: u64,
    pub proof: FlashProof,
}

/// How it is known that the built image runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlashProof {
    /// `readback`, `build_id`, `banner` or `none`.
    pub method: String,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The project that a run belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRef {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_mcu: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty: Option<bool>,
}

/// "Built", "tested", "flashed" or "fixed", bound to the runs that show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    pub kind: ClaimKind,
    pub statement: String,
    /// Runs that show it.
    #[serde(default)]
    pub runs: Vec<String>,
    /// Files that it speaks of, with their SHA-256 at the time; a change makes the claim stale.
    #[serde(default)]
    pub covers: BTreeMap<String, String>,
}

/// What is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    Built,
    Tested,
    Flashed,
    Fixed,
}

/// Where the run's SBOM is, and what it holds in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceSbom {
    pub format: String,
    pub version: String,
    pub path: String,
    pub sha256: String,
    pub components: Vec<String>,
}

/// What the secret scan of the run found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceSecurity {
    /// Secrets that were redacted before anything was written.
    pub redacted: u64,
    #[serde(default)]
    pub rules: Vec<String>,
}

/// Signature over the record without this field, as the seed shows it; the DSSE envelope beside the
/// record is the statement that verifiers use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceSignature {
    pub algorithm: String,
    /// Base64.
    pub public_key: String,
    /// Base64.
    pub signature: String,
}
