//! Configuration families of services that connect fwai to other systems: MCP servers, knowledge base,
//! board farm, updates, licence, cloud, marketplace.
//!
//! The shapes are settled here first, so that files written today stay valid when the service behind
//! them arrives.

use crate::prelude::*;

/// MCP servers whose tools the agent may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct McpConfig {
    /// Server name to server.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub servers: BTreeMap<String, McpServer>,
}

/// One MCP server: either a `command` (stdio) or a `url` (HTTP).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct McpServer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Names of the tools to offer; absent means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    pub disabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u64>,
}

/// The knowledge base over datasheets, manuals and source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct KbConfig {
    pub enabled: bool,
    /// Files and directories to index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Embedding model; keyword search alone where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
}

/// A farm that lends boards.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BoardFarmConfig {
    pub enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Environment variable with the farm's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
    /// Board labels to ask for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_minutes: Option<u32>,
}

/// `.fwai/ota.yaml`: an over-the-air update.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OtaConfig {
    /// Version of the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Image to package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Update server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
    /// Groups of devices, in the order in which they are updated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rollout: Vec<OtaStage>,
    /// Roll back when this part of the devices of a stage fails (0 to 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_failure_rate: Option<String>,
}

/// One stage of a rollout.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OtaStage {
    pub group: String,
    /// Percent of the group.
    pub percent: u8,
    /// Minutes to watch before the next stage.
    pub soak_minutes: u32,
}

/// Licence of this installation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LicenseConfig {
    /// Environment variable with the licence key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Days that a verified licence counts without a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offline_days: Option<u32>,
}

/// Copies of runs in the cloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CloudConfig {
    pub sync: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
}

/// Where plugins come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MarketplaceConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry_url: Option<String>,
    /// Ed25519 public keys (base64) whose plugins may be installed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted_keys: Vec<String>,
}

/// `manifest.json` of a plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PluginManifest {
    pub name: String,
    pub version: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub author: String,
    #[serde(default)]
    pub artifacts: PluginArtifacts,
    /// `sha256:` and the hash of the packed files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

/// What a plugin brings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PluginArtifacts {
    pub tools: Vec<String>,
    pub skills: Vec<String>,
    pub agents: Vec<String>,
}
