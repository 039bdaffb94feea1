//! Durations as people write them: `500ms`, `10s`, `2m`, `1h`; a bare number is seconds.

use std::time::Duration;

/// For clap's `value_parser`.
pub fn parse(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit.trim() {
        "ms" => 0.001,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("`{other}` is no unit; use ms, s, m or h")),
    };
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is no duration; write 500ms, 10s, 2m or 1h"))?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_nonsense_is_not() {
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("3"), Ok(Duration::from_secs(3)));
        for wrong in ["", "s", "10 parsecs", "-1s", "1e400h", "1.2.3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
