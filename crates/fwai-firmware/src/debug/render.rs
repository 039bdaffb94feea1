//! MI answers as lines that people read.

use std::fmt::Write;

use super::mi::Value;

/// `read_sensor (address=2684354560) at main.c:51`, or an address without symbols.
pub fn frame(frame: &Value) -> String {
    let mut text = frame.text("func").unwrap_or("??").to_string();
    let arguments: Vec<String> = frame
        .list("args")
        .iter()
        .map(|argument| {
            format!("{}={}", argument.text("name").unwrap_or("?"), argument.text("value").unwrap_or("?"))
        })
        .collect();
    let _ = write!(text, " ({})", arguments.join(", "));
    match (frame.text("file"), frame.text("line")) {
        (Some(file), Some(line)) => {
            let _ = write!(text, " at {file}:{line}");
        }
        _ => {
            let _ = write!(text, " at {}", frame.text("addr").unwrap_or("an unknown address"));
        }
    }
    text
}

/// Why the target stopped, and where.
pub fn stop(stopped: &Value) -> String {
    let place = stopped.get("frame").map(frame).unwrap_or_else(|| "an unknown place".into());
    let why = match stopped.text("reason") {
        Some("breakpoint-hit") => format!("breakpoint {}", stopped.text("bkptno").unwrap_or("?")),
        Some("watchpoint-trigger" | "read-watchpoint-trigger" | "access-watchpoint-trigger") => {
            let watched =
                ["wpt", "hw-rwpt", "hw-awpt"].iter().find_map(|name| stopped.get(name)?.text("exp"));
            let value = stopped.get("value");
            let change = value.map(|value| {
                format!(
                    ": {} -> {}",
                    value.text("old").unwrap_or("?"),
                    value.text("new").or(value.text("value")).unwrap_or("?")
                )
            });
            format!("watchpoint on {}{}", watched.unwrap_or("?"), change.unwrap_or_default())
        }
        Some("end-stepping-range") => "stepped".to_string(),
        Some("function-finished") => match stopped.text("return-value") {
            Some(value) => format!("returned {value}"),
            None => "returned".to_string(),
        },
        Some("signal-received") => match stopped.text("signal-name") {
            Some("SIGINT" | "0") => "interrupted".to_string(),
            Some(signal) => format!("stopped by {signal}"),
            None => "stopped".to_string(),
        },
        Some("exited-normally" | "exited") => "the target is gone".to_string(),
        Some(other) => other.replace('-', " "),
        None => "stopped".to_string(),
    };
    format!("{why}, {place}")
}

/// Sixteen bytes a line, with the text that they may be.
pub fn hex_dump(address: u64, bytes: &[u8]) -> String {
    let mut text = String::new();
    for (row, chunk) in bytes.chunks(16).enumerate() {
        let _ = write!(text, "{:08x}  ", address + row as u64 * 16);
        for column in 0..16 {
            match chunk.get(column) {
                Some(byte) => {
                    let _ = write!(text, "{byte:02x} ");
                }
                None => text.push_str("   "),
            }
        }
        let shown = chunk.iter().map(|byte| if (0x20..0x7f).contains(byte) { *byte as char } else { '.' });
        text.push(' ');
        text.extend(shown);
        text.push('\n');
    }
    text
}
