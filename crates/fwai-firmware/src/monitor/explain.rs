//! Crash reports of firmware, recognised and put into words.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use crate::{
    elf::Symbolizer,
    fault::{FaultState, decode},
};

/// What a crash report means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// `cortex-m fault`, `esp-idf panic`, `zephyr fatal error`, `assertion`, `stack overflow`, `rust panic`…
    pub kind: String,
    /// One sentence.
    pub summary: String,
    /// Lines of detail: registers in words, the decoded backtrace, what to look at.
    pub details: Vec<String>,
}

struct Known {
    kind: &'static str,
    pattern: &'static str,
    /// `{1}` is the first group.
    summary: &'static str,
    hint: &'static str,
}

/// Every report that is known by its words.
const KNOWN: &[Known] = &[
    Known {
        kind: "esp-idf panic",
        pattern: r"Guru Meditation Error: Core\s+(\d+) panic'ed \(([^)]+)\)",
        summary: "ESP-IDF panic on core {1}: {2}",
        hint: "",
    },
    Known {
        kind: "esp-idf panic",
        pattern: r"abort\(\) was called at PC (0x[0-9a-fA-F]+)(?: on core (\d+))?",
        summary: "abort() was called at {1}",
        hint: "an assertion or ESP_ERROR_CHECK failed; the line before it names the place",
    },
    Known {
        kind: "esp-idf watchdog",
        pattern: r"Task watchdog got triggered",
        summary: "a task held the CPU longer than the task watchdog allows",
        hint: "the listed task loops without waiting; let it block or feed the watchdog",
    },
    Known {
        kind: "esp-idf brownout",
        pattern: r"Brownout detector was triggered",
        summary: "the supply voltage fell below the brownout level",
        hint: "use a stronger supply or a shorter cable; the program is not at fault",
    },
    Known {
        kind: "esp-idf error",
        pattern: r"ESP_ERROR_CHECK failed: esp_err_t (0x[0-9a-fA-F]+) \(([A-Z0-9_]+)\) at (0x[0-9a-fA-F]+)",
        summary: "ESP_ERROR_CHECK failed with {2} ({1}) at {3}",
        hint: "",
    },
    Known {
        kind: "stack overflow",
        pattern: r"(?i)stack overflow in task:?\s+([\w\-. ]+?)(?: has been detected)?\.?\s*$",
        summary: "the stack of task {1} overflowed",
        hint: "give the task a larger stack, or make its local arrays static",
    },
    Known {
        kind: "zephyr fatal error",
        pattern: r"ZEPHYR FATAL ERROR (\d+): (.+?)(?: on CPU (\d+))?\s*$",
        summary: "Zephyr fatal error {1}: {2}",
        hint: "",
    },
    Known {
        kind: "zephyr fault",
        pattern: r"\*{5} (MPU|BUS|USAGE|HARD|SECURE|DEBUG) FAULT \*{5}",
        summary: "Zephyr reports a {1} fault",
        hint: "",
    },
    Known {
        kind: "assertion",
        pattern: r"ASSERTION FAIL \[(.+)\] @ (.+):(\d+)",
        summary: "Zephyr assertion `{1}` failed at {2}:{3}",
        hint: "",
    },
    Known {
        kind: "assertion",
        pattern: r#"(?i)assertion "(.+)" failed: file "(.+)", line (\d+)(?:, function: (\w+))?"#,
        summary: "assertion `{1}` failed at {2}:{3}",
        hint: "",
    },
    Known {
        kind: "assertion",
        pattern: r"assert failed: (\S+) (\S+):(\d+) \((.+)\)",
        summary: "assertion `{4}` failed in {1} at {2}:{3}",
        hint: "",
    },
    Known {
        kind: "assertion",
        pattern: r"(?i)(?:vAssertCalled|configASSERT|assert(?:ion)? failed)[ :(]+(?:file )?([\w./\\-]+\.[a-z]{1,3})[, :]+(?:line )?(\d+)",
        summary: "FreeRTOS assertion failed at {1}:{2}",
        hint: "configASSERT checks the rules of the kernel: look at what that line demands (priorities of interrupts, calls from an ISR, a NULL handle)",
    },
    Known {
        kind: "allocation failure",
        pattern: r"(?i)malloc failed|vApplicationMallocFailedHook",
        summary: "the heap is exhausted",
        hint: "raise configTOTAL_HEAP_SIZE or free what is no longer used",
    },
    Known {
        kind: "rust panic",
        pattern: r"panicked at (.+:\d+:\d+)",
        summary: "Rust panic at {1}",
        hint: "",
    },
    Known {
        kind: "cortex-m fault",
        pattern: r"(?i)\b(hard|bus|usage|mem(?:ory)?[ _]?manage(?:ment)?|mpu|secure)[ _]?fault\b",
        summary: "the firmware reports a {1} fault",
        hint: "",
    },
];

static COMPILED: LazyLock<Vec<(Regex, &'static Known)>> = LazyLock::new(|| {
    KNOWN.iter().map(|known| (Regex::new(known.pattern).expect("checked by a test"), known)).collect()
});

static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b0x([0-9a-fA-F]{6,8})\b").expect("checked by a test"));

/// Causes of ESP32 exceptions, as the core names them.
const ESP_CAUSES: &[(&str, &str)] = &[
    ("LoadProhibited", "a read through an invalid pointer; EXCVADDR is the address (near 0: a NULL pointer)"),
    (
        "StoreProhibited",
        "a write through an invalid pointer; EXCVADDR is the address (near 0: a NULL pointer)",
    ),
    (
        "InstrFetchProhibited",
        "a jump to an address that holds no code; usually a bad function pointer or a smashed stack",
    ),
    (
        "IllegalInstruction",
        "the CPU met something that is no instruction; a task that returned, or flash that reads wrongly",
    ),
    ("LoadStoreAlignment", "an access that is not aligned to its size"),
    ("LoadStoreError", "a byte access to memory that only allows words"),
    ("IntegerDivideByZero", "a division by zero"),
    ("Interrupt wdt timeout on CPU0", "interrupts were off too long on CPU0"),
    ("Interrupt wdt timeout on CPU1", "interrupts were off too long on CPU1"),
    (
        "Cache disabled but cached memory region accessed",
        "code in flash ran while the flash cache was off; put it into IRAM",
    ),
    ("Unhandled debug exception", "a breakpoint or a stack overflow watchpoint was hit"),
    ("Store access fault", "a write to an address that does not exist"),
    ("Load access fault", "a read from an address that does not exist"),
];

const ZEPHYR_REASONS: &[(&str, &str)] = &[
    ("0", "an exception of the CPU that nobody handles; the fault lines above name it"),
    ("1", "an interrupt without a handler"),
    ("2", "a stack overflow"),
    ("3", "k_oops(): the thread gave up, often after an assertion"),
    ("4", "k_panic(): the kernel gave up, often after an assertion"),
];

/// Whether a line says that the firmware is dead.
pub fn is_fatal(line: &str) -> bool {
    // Most lines are harmless; the cheap words come first.
    const WORDS: &[&str] = &[
        "fault",
        "panic",
        "abort",
        "assert",
        "overflow",
        "fatal",
        "watchdog",
        "brownout",
        "esp_error",
        "malloc failed",
        "mallocfailed",
    ];
    let lower = line.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
        && COMPILED.iter().any(|(pattern, _)| pattern.is_match(line))
}

/// Explain the crash reports in a stretch of console text.
pub fn explain(text: &str, symbols: Option<&Symbolizer>) -> Vec<Explanation> {
    let mut found: Vec<Explanation> = Vec::new();
    for line in text.lines() {
        for (pattern, known) in COMPILED.iter() {
            let Some(groups) = pattern.captures(line) else { continue };
            let mut summary = known.summary.to_string();
            for number in 1..groups.len() {
                let group = groups.get(number).map_or("", |group| group.as_str());
                summary = summary.replace(&format!("{{{number}}}"), group);
            }
            let mut details: Vec<String> = Vec::new();
            let group = |number: usize| groups.get(number).map_or("", |group| group.as_str());
            let words = match known.kind {
                "esp-idf panic" if groups.len() > 2 => meaning(ESP_CAUSES, group(2)),
                "zephyr fatal error" => meaning(ZEPHYR_REASONS, group(1)),
                _ => None,
            };
            details.extend(words.map(str::to_string));
            if !known.hint.is_empty() {
                details.push(known.hint.to_string());
            }
            if !found.iter().any(|known| known.summary == summary) {
                found.push(Explanation { kind: known.kind.to_string(), summary, details });
            }
            break;
        }
    }
    if let Some(state) = FaultState::from_text(text).filter(|_| !text.contains("Guru Meditation")) {
        let report = decode(&state, symbols);
        let details = report.to_string().lines().skip(1).map(str::to_string).collect();
        found.retain(|known| known.kind != "cortex-m fault");
        found.push(Explanation { kind: "cortex-m fault".into(), summary: report.summary, details });
    }
    if let (Some(first), Some(symbols)) = (found.first_mut(), symbols) {
        first.details.extend(backtrace(text, symbols));
    }
    found
}

fn meaning(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

/// ESP-IDF's `Backtrace: 0x400d1234:0x3ffb1f80 …` with functions and lines.
fn backtrace(text: &str, symbols: &Symbolizer) -> Vec<String> {
    let lines = text.lines().filter(|line| line.trim_start().starts_with("Backtrace:"));
    lines.flat_map(|line| locate_addresses(line, symbols)).collect()
}

/// `0x080001b0 read_sensor (main.c:51)` for every code address in a line.
pub fn locate_addresses(line: &str, symbols: &Symbolizer) -> Vec<String> {
    let mut seen = Vec::new();
    for found in ADDRESS.captures_iter(line).take(64) {
        let Ok(address) = u64::from_str_radix(&found[1], 16) else { continue };
        if seen.iter().any(|(known, _)| *known == address) || !symbols.is_code(address) {
            continue;
        }
        if let Some(location) = symbols.locate(address) {
            seen.push((address, format!("{address:#010x} {location}")));
        }
    }
    seen.into_iter().map(|(_, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_reports_are_recognised_and_explained() {
        for (line, kind, summary) in [
            (
                "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.",
                "esp-idf panic",
                "ESP-IDF panic on core 0: LoadProhibited",
            ),
            (
                "abort() was called at PC 0x400d1234 on core 0",
                "esp-idf panic",
                "abort() was called at 0x400d1234",
            ),
            (
                "E (10303) task_wdt: Task watchdog got triggered. The following tasks",
                "esp-idf watchdog",
                "a task held the CPU",
            ),
            (
                "***ERROR*** A stack overflow in task main has been detected.",
                "stack overflow",
                "the stack of task main overflowed",
            ),
            (
                "[00:00:00.010,000] <err> os: >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0",
                "zephyr fatal error",
                "Zephyr fatal error 4: Kernel panic",
            ),
            (
                "ASSERTION FAIL [k_is_in_isr() == false] @ WEST_TOPDIR/zephyr/kernel/mutex.c:102",
                "assertion",
                "Zephyr assertion `k_is_in_isr() == false` failed at WEST_TOPDIR/zephyr/kernel/mutex.c:102",
            ),
            (
                "assertion \"size > 0\" failed: file \"src/ring.c\", line 42, function: ring_init",
                "assertion",
                "assertion `size > 0` failed at src/ring.c:42",
            ),
            ("ASSERT failed: tasks.c:3012", "assertion", "FreeRTOS assertion failed at tasks.c:3012"),
            ("vAssertCalled( queue.c, 1234 )", "assertion", "FreeRTOS assertion failed at queue.c:1234"),
            ("panicked at src/main.rs:20:5:", "rust panic", "Rust panic at src/main.rs:20:5"),
            ("*** HARD FAULT ***", "cortex-m fault", "the firmware reports a HARD fault"),
            (
                "assert failed: app_main main.c:33 (x != NULL)",
                "assertion",
                "assertion `x != NULL` failed in app_main at main.c:33",
            ),
        ] {
            assert!(is_fatal(line), "{line}");
            let found = explain(line, None);
            assert_eq!(found.len(), 1, "{line}: {found:?}");
            assert_eq!(found[0].kind, kind, "{line}");
            assert!(found[0].summary.starts_with(summary), "{line}: {}", found[0].summary);
        }
    }

    #[test]
    fn harmless_lines_are_left_alone() {
        for line in [
            "boot ok",
            "default settings loaded",
            "no faults found",
            "fault handler installed",
            "stack overflow check enabled",
            "I (300) cpu_start: Pro cpu up.",
            "assertions enabled",
            "",
        ] {
            assert!(!is_fatal(line), "{line}");
        }
    }
}
