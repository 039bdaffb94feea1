//! What an assignment in a build file says by its name and value, in whatever build language.

use super::findings::Findings;
use super::flags::pattern;
use super::source::At;
use super::{boards, chips};

/// How much is taken off every confidence, for instance in a library's own files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Strength {
    pub doubt: f32,
}

pattern!(
    MCU_NAME,
    r"(?i)^(?:[A-Z0-9]+_)*(?:MCU|DEVICE|CHIP|PART|SOC|MICROCONTROLLER)(?:_(?:MODEL|NAME|TYPE|PART|PARTNUMBER|FULL|DEVICE|LINE|TARGET|VARIANT|ID))?$"
);
pattern!(BOARD_NAME, r"(?i)^(?:TARGET_|DEFAULT_|HW_)?BOARD(?:_(?:NAME|TAG|TYPE))?$");
pattern!(
    CLOCK_NAME,
    r"(?i)^(?:F_CPU|CLOCK|CLOCK_FREQ|CPU_FREQ|F_OSC|SYSCLK|SYSTEM_CLOCK|AVR_FREQ|CPU_CLOCK|SYSCLK_FREQ)$"
);
pattern!(NUMBER, r"^\(?\s*([0-9]{4,10})\s*U?L*\s*\)?$");
pattern!(PLAIN, r"^[A-Za-z][A-Za-z0-9_+-]{3,24}$");

/// Reads one assignment whose value is already expanded.
pub fn assignment(name: &str, value: &str, at: &At, strength: Strength, findings: &mut Findings) {
    let value = value.trim().trim_matches(['"', '\'']).trim();
    let doubt = strength.doubt;
    if value.is_empty() || value.len() > 200 {
        return;
    }
    if MCU_NAME.is_match(name) && !value.starts_with('-') && !value.contains('/') {
        if let Some(core) = chips::core_in(value) {
            findings.add("arch", core, at.clone(), 0.9 - doubt);
        } else if let Some(part) = chips::part_in(value) {
            findings.add("mcu", part.name, at.clone(), if part.specific { 0.93 } else { 0.5 } - doubt);
        } else if PLAIN.is_match(value) && value.chars().any(|c| c.is_ascii_digit()) && !is_core_name(value) {
            findings.add("mcu", value, at.clone(), 0.6 - doubt);
        }
    } else if let Some(part) = chips::whole_part(value).filter(|part| part.specific) {
        // Whatever the variable is called, its whole value is a chip.
        findings.add("mcu", part.name, at.clone(), 0.84 - doubt);
    }
    if BOARD_NAME.is_match(name) && !value.contains('$') && value.len() < 60 && value != "native" {
        findings.add("board", value, at.clone(), 0.88 - doubt);
        if let Some((chip, confidence)) = boards::chip_of(value) {
            findings.add("mcu", chip, at.clone(), (confidence - 0.04 - doubt).max(0.1));
        }
    }
    if CLOCK_NAME.is_match(name)
        && let Some(found) = NUMBER.captures(value)
    {
        findings.add("clock_hz", &found[1], at.clone(), 0.92 - doubt);
    }
    serial(name, value, at, doubt, findings);
}

fn serial(name: &str, value: &str, at: &At, doubt: f32, findings: &mut Findings) {
    let upper = name.to_ascii_uppercase();
    if value.starts_with("/dev/tty") || value.starts_with("/dev/cu.") {
        findings.add(
            "serial_port",
            value.split_whitespace().next().unwrap_or(value),
            at.clone(),
            0.85 - doubt,
        );
    }
    if upper.contains("BAUD")
        && let Ok(baud) = value.trim_end_matches(['U', 'L', 'u', 'l']).parse::<u32>()
        && (300..=12_000_000).contains(&baud)
    {
        let monitor =
            upper.contains("MONITOR") || upper.contains("SERIAL") || upper == "BAUD" || upper == "BAUDRATE";
        findings.add("serial_baud", baud.to_string(), at.clone(), if monitor { 0.85 } else { 0.55 } - doubt);
    }
}

/// `arm7tdmi`, `thumbv7em`… name an instruction set.
fn is_core_name(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["arm7", "arm9", "thumb", "armv", "rv32", "rv64", "x86"].iter().any(|prefix| value.starts_with(prefix))
}
