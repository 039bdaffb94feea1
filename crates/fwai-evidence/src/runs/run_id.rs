//! `20260228-161234-build`: when a run started and what it was.

use jiff::Timestamp;

const LONGEST_LABEL: usize = 48;

/// The id of a run that starts at `time`; UTC, so that ids sort by time on every machine.
pub fn run_id(time: Timestamp, label: &str) -> String {
    format!("{}-{}", time.strftime("%Y%m%d-%H%M%S"), label_part(label))
}

/// Whether `text` can be the name of a run's directory; keeps `../` and the like out of paths.
pub fn is_run_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 16
        && bytes.len() <= 120
        && bytes[8] == b'-'
        && bytes[15] == b'-'
        && bytes[..8].iter().chain(&bytes[9..15]).all(u8::is_ascii_digit)
        && bytes[16..].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn label_part(label: &str) -> String {
    let mut part: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' })
        .take(LONGEST_LABEL)
        .collect();
    while part.contains("--") {
        part = part.replace("--", "-");
    }
    let part = part.trim_matches('-');
    if part.is_empty() { "run".to_owned() } else { part.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_as_the_format_says_and_labels_cannot_leave_the_directory() {
        let time: Timestamp = "2026-02-28T16:12:34.567Z".parse().unwrap();
        for (label, expected) in [
            ("build", "20260228-161234-build"),
            ("Build & Test", "20260228-161234-build-test"),
            ("../../etc/passwd", "20260228-161234-etc-passwd"),
            ("建置", "20260228-161234-run"),
            ("build_and_test", "20260228-161234-build_and_test"),
        ] {
            assert_eq!(run_id(time, label), expected);
            assert!(is_run_id(expected));
        }
        for bad in ["", "..", "20260228-161234-", "20260228-161234-../x", "2026x228-161234-build", "latest"] {
            assert!(!is_run_id(bad), "{bad}");
        }
    }
}
