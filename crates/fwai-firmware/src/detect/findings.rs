//! What detectors say, before it is decided which of them is right.

use super::source::At;

/// Keys of findings, in the order in which people read them.
pub const KEYS: &[&str] = &[
    "name",
    "summary",
    "build_system",
    "mcu",
    "board",
    "arch",
    "clock_hz",
    "rtos",
    "framework",
    "build_command",
    "clean_command",
    "test_command",
    "build_dir",
    "elf",
    "flash_command",
    "serial_port",
    "serial_baud",
    "monitor_command",
    "serial_encoding",
    "serial_startup_commands",
    "compiler",
    "toolchain_prefix",
    "linker_script",
    "memory_region",
    "debug_interface",
    "gdb",
    "gdb_server_command",
    "gdb_server_host",
    "gdb_server_port",
    "openocd_config",
    "svd",
];

/// Keys that may hold several values.
pub const MANY: &[&str] = &["memory_region", "openocd_config"];

/// One thing that one detector says.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub key: &'static str,
    pub value: String,
    pub at: At,
    pub confidence: f32,
    /// The build system to which a command belongs.
    pub system: Option<&'static str>,
}

/// Everything that was said, in order.
#[derive(Debug, Default)]
pub struct Findings {
    pub candidates: Vec<Candidate>,
}

/// What one detector may say at most; a generated file of a million lines says no more than this.
const MOST: usize = 2_000;

impl Findings {
    pub fn add(&mut self, key: &'static str, value: impl Into<String>, at: At, confidence: f32) {
        self.push(key, value.into(), at, confidence, None);
    }

    /// A finding that counts only if `system` turns out to be the build system.
    pub fn add_for(
        &mut self,
        system: &'static str,
        key: &'static str,
        value: impl Into<String>,
        at: At,
        confidence: f32,
    ) {
        self.push(key, value.into(), at, confidence, Some(system));
    }

    /// The strongest value of a key so far.
    pub fn best(&self, key: &str) -> Option<&Candidate> {
        let mut best: Option<&Candidate> = None;
        for candidate in self.candidates.iter().filter(|candidate| candidate.key == key) {
            if best.is_none_or(|best| candidate.confidence > best.confidence) {
                best = Some(candidate);
            }
        }
        best
    }

    fn push(
        &mut self,
        key: &'static str,
        value: String,
        at: At,
        confidence: f32,
        system: Option<&'static str>,
    ) {
        debug_assert!(KEYS.contains(&key), "{key} is not in KEYS");
        let value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if value.is_empty() || value.len() > 1_000 || self.candidates.len() >= MOST {
            return;
        }
        if value.chars().any(char::is_control) {
            return;
        }
        self.candidates.push(Candidate { key, value, at, confidence: confidence.clamp(0.01, 1.0), system });
    }
}
