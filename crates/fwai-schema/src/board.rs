//! `boards/*.yaml`: facts about a board, so that no chip has a `match` arm.

use crate::{
    prelude::*,
    project::{DebugConfig, FlashConfig, MemoryRegion, SerialConfig},
};

/// A board as data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BoardDef {
    pub name: String,
    /// What people call it.
    pub title: String,
    pub kind: BoardKind,
    /// Chip family or part that this board carries.
    pub chip: String,
    /// `cortex-m3`…
    pub arch: String,
    /// Patterns of MCU names that this board can stand in for, for instance `STM32F100*`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<MemoryRegion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qemu: Option<QemuBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openocd: Option<OpenOcdBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe_rs: Option<ProbeRsBoard>,
    /// The board's console, where it is not the project's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<SerialConfig>,
    /// How an image reaches the board, where it is not as the project says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash: Option<FlashConfig>,
    /// How to debug this board, where it is not as the project says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<DebugConfig>,
    /// What this virtual board does not simulate, in words for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// How a board is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardKind {
    #[default]
    Virtual,
    Openocd,
    ProbeRs,
    Serial,
    Command,
}

/// A virtual board in QEMU.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct QemuBoard {
    /// Program, `qemu-system-arm` where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    pub machine: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Which UART is the console, from 0.
    pub console: u8,
    /// Further arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}

/// A board behind OpenOCD.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OpenOcdBoard {
    /// `-f` files, in order.
    pub config: Vec<String>,
    /// `-c` commands before `init`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
}

/// A board behind a probe that probe-rs drives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProbeRsBoard {
    pub chip: String,
    /// `VID:PID[:serial]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<String>,
}
