//! What QEMU said when the target took it down.

use std::collections::BTreeMap;

use crate::boards::Crash;

/// The last fatal message of QEMU's log with its registers, if there is one.
pub fn parse(log: &str) -> Option<Crash> {
    let start = log.rfind("qemu: fatal: ").or_else(|| log.rfind("qemu: hardware error: "))?;
    let text = &log[start..];
    let message = text.lines().next().unwrap_or_default().trim_start_matches("qemu: ");
    let registers = registers(text);
    let summary = if let Some(rest) = message.strip_prefix("fatal: Lockup: ") {
        let why = match exception(rest) {
            Some(number) => format!("a {} happened where no fault may happen", exception_name(number)),
            None => rest.to_string(),
        };
        format!("the core locked up: {why}; on hardware it would stand still until a reset")
    } else {
        format!("the target brought QEMU down: {}", message.trim_start_matches("fatal: "))
    };
    Some(Crash { summary, registers, text: text.trim_end().to_string() })
}

/// `R00=20001fd0 … XPSR=21000003` as numbers.
pub fn registers(text: &str) -> BTreeMap<String, u32> {
    let pairs = text.split_whitespace().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        let name = match name.strip_prefix('R').and_then(|digits| digits.parse::<u8>().ok()) {
            Some(number) => format!("R{number}"),
            None if name == "XPSR" => name.to_string(),
            None => return None,
        };
        Some((name, u32::from_str_radix(value, 16).ok()?))
    });
    pairs.collect()
}

/// The number in `can't escalate 3 to HardFault (current priority -1)`.
fn exception(message: &str) -> Option<u32> {
    message.strip_prefix("can't escalate ")?.split(' ').next()?.parse().ok()
}

/// Cortex-M exception numbers as the manuals name them.
pub fn exception_name(number: u32) -> String {
    match number {
        0 => "thread mode".into(),
        2 => "NMI".into(),
        3 => "HardFault".into(),
        4 => "MemManage fault".into(),
        5 => "BusFault".into(),
        6 => "UsageFault".into(),
        7 => "SecureFault".into(),
        11 => "SVCall".into(),
        12 => "debug monitor exception".into(),
        14 => "PendSV".into(),
        15 => "SysTick".into(),
        number if number >= 16 => format!("interrupt {}", number - 16),
        number => format!("reserved exception {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lockup_is_explained_with_its_registers() {
        let log = "Invalid write at addr 0x324\nqemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)\n\n\
                   R00=20001fd0 R01=20000004 R02=080001b8 R03=a0000000\nR12=00000000 R13=20001fc0 R14=080001b9 R15=0800011a\n\
                   XPSR=21000003 --C- T handler\nFPSCR: 00000000\n";
        let crash = parse(log).unwrap();
        assert!(crash.summary.starts_with("the core locked up: a HardFault happened"), "{}", crash.summary);
        assert_eq!(crash.registers["R15"], 0x0800_011a);
        assert_eq!(crash.registers["XPSR"], 0x2100_0003);
        assert!(!crash.text.contains("Invalid write"));
    }

    #[test]
    fn other_output_is_no_crash() {
        assert_eq!(parse("qemu-system-arm: terminating on signal 15 from pid 1\n"), None);
        assert_eq!(parse(""), None);
    }
}
