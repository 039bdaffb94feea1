//! `.fwai/project.yaml`: what fwai knows about the firmware in this directory.

use crate::prelude::*;

/// A firmware project. `fwai init` writes it; a person may change every line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Project {
    /// Name of the project.
    pub name: String,
    /// One line that says what the firmware does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    pub target: Target,
    pub build: BuildConfig,
    pub flash: FlashConfig,
    pub serial: SerialConfig,
    pub boot: BootConfig,
    pub debug: DebugConfig,
    pub toolchain: ToolchainConfig,
    pub memory: MemoryBudget,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ota: Option<OtaProject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<ProjectDependency>,
    /// Documents worth reading: datasheet, reference manual, errata, schematic.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
}

/// The chip and board that the firmware runs on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Target {
    /// Full part name where known, for instance `STM32F401CCU6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcu: Option<String>,
    /// Board to use: a name from `fwai board list`, or one of your own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// `cortex-m4`, `xtensa`, `riscv32`, `avr`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<String>,
    /// Core clock in hertz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_hz: Option<u64>,
    /// `bare-metal`, `freertos`, `zephyr`, `esp-idf`, `arduino`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtos: Option<String>,
    /// CMSIS-SVD file for register names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svd: Option<String>,
    /// Memory regions of the linker script.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<MemoryRegion>,
}

/// One region of the memory map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRegion {
    pub name: String,
    pub origin: u64,
    pub length: u64,
    /// Letters of the linker script: `rwx`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<String>,
}

/// How the firmware is built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BuildConfig {
    /// `cmake`, `make`, `meson`, `platformio`, `zephyr`, `esp-idf`, `arduino`, `cargo`, `stm32cubemx` or `custom`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Shell command, run in the project directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub clean_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub test_command: Option<String>,
    /// Directory that holds the build's output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// The ELF file, where it is not to be searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elf: Option<String>,
    /// Seconds after which a build is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u64>,
    /// Environment variables of the build.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// How an image reaches the board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FlashConfig {
    /// Shell command of your own; `{elf}`, `{bin}`, `{hex}` and `{port}` are filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub command: Option<String>,
    /// Image to flash, where it is not the build's ELF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

/// The serial console.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SerialConfig {
    /// Device path, `usb:VID:PID`, or `serial:NUMBER`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Bits per second; 115200 unless the firmware says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baud: Option<u32>,
    /// Shell command of your own that prints the console; `{port}` and `{baud}` are filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub monitor_command: Option<String>,
    /// `utf-8` or `ascii`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Lines to send once the console is open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub startup_commands: Vec<String>,
}

/// How to tell that the firmware came up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BootConfig {
    /// Regular expressions; any of them on the console means success.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub success_patterns: Vec<String>,
    /// Regular expressions; any of them means failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-verbatim" = true))]
    pub failure_patterns: Vec<String>,
    /// Seconds to wait for either; 10 where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u64>,
}

/// How to debug.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DebugConfig {
    /// `st-link`, `j-link`, `cmsis-dap`, `serial`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    /// GDB program; found by itself where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gdb: Option<String>,
    /// Shell command of your own that starts a GDB server.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-verbatim" = true))]
    pub server_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_port: Option<u16>,
    /// OpenOCD configuration files, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openocd: Vec<String>,
}

/// The compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToolchainConfig {
    /// `arm-none-eabi-gcc`, `xtensa-esp32-elf-gcc`, `rustc`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// `arm-none-eabi-`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linker_scripts: Vec<String>,
}

/// Limits that `fwai memory` checks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MemoryBudget {
    /// Region name to a percentage (`90%`) or a byte count.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub budgets: BTreeMap<String, String>,
    /// Bytes by which one symbol may grow against the compared image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_symbol_growth: Option<u64>,
}

/// Over-the-air updates of this project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OtaProject {
    pub enabled: bool,
    /// `mcuboot`, `esp-ota` or `custom`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_file: Option<String>,
}

/// A library or SDK that the firmware uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectDependency {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}
