//! What detection found in a project's own files, and where.

use crate::prelude::*;

/// One fact with its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// `build_system`, `mcu`, `board`, `clock_hz`, `build_command`, `flash_command`, `serial_baud`…
    pub key: String,
    pub value: String,
    /// Relative to the project; absent for a guess that no file states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Counts from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 0 to 1.
    pub confidence: f32,
}
