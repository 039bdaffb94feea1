//! Canonical JSON (RFC 8785): the same value gives the same bytes in every language.
//!
//! The signature inside `evidence.json` is made over this form, because the file itself cannot hold a
//! signature over its own bytes.

use serde_json::{Number, Value};

/// The canonical bytes of a value.
pub fn canonical_json(value: &Value) -> Vec<u8> {
    let mut out = String::new();
    write_value(value, &mut out);
    out.into_bytes()
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (position, (key, item)) in entries.into_iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_value(item, out);
            }
            out.push('}');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Integers as they are; fractions the way ECMAScript prints them.
fn write_number(number: &Number, out: &mut String) {
    match number.as_f64() {
        Some(float) if number.is_f64() => out.push_str(&ecmascript_number(float)),
        _ => out.push_str(&number.to_string()),
    }
}

fn ecmascript_number(float: f64) -> String {
    if float == 0.0 {
        return "0".to_owned();
    }
    // Rust's `{:e}` gives the shortest digits that read back as the same number, as ECMAScript wants.
    let shortest = format!("{:e}", float.abs());
    let (mantissa, exponent) = shortest.split_once('e').expect("the format always has an exponent");
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let point = exponent.parse::<i32>().expect("the exponent is a number") + 1;
    let count = digits.len() as i32;
    let body = if (count..=21).contains(&point) {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{whole}.{fraction}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let (first, rest) = digits.split_at(1);
        let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        let sign = if point > 0 { '+' } else { '-' };
        format!("{first}{fraction}e{sign}{}", (point - 1).abs())
    };
    if float < 0.0 { format!("-{body}") } else { body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_rfc_8785_appendix_b() {
        for (bits, expected) in [
            (0x0000000000000000u64, "0"),
            (0x8000000000000000, "0"),
            (0x0000000000000001, "5e-324"),
            (0x8000000000000001, "-5e-324"),
            (0x7fefffffffffffff, "1.7976931348623157e+308"),
            (0x4340000000000000, "9007199254740992"),
            (0x4430000000000000, "295147905179352830000"),
            (0x44b52d02c7e14af5, "9.999999999999997e+22"),
            (0x44b52d02c7e14af6, "1e+23"),
            (0x444b1ae4d6e2ef50, "1e+21"),
            (0x3eb0c6f7a0b5ed8d, "0.000001"),
            (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"),
            (0x41b3de4355555553, "333333333.3333332"),
            (0xbecbf647612f3696, "-0.0000033333333333333333"),
        ] {
            assert_eq!(ecmascript_number(f64::from_bits(bits)), expected);
        }
    }

    #[test]
    fn keys_sort_by_utf16_and_strings_escape_only_what_they_must() {
        let value: Value = serde_json::from_str(
            "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7, \"e\": [1.50, 1e2, \"\\u001f/é\\\"\"]}",
        )
        .unwrap();
        let text = String::from_utf8(canonical_json(&value)).unwrap();
        assert_eq!(
            text,
            "{\"\\r\":2,\"1\":4,\"e\":[1.5,100,\"\\u001f/é\\\"\"],\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
        );
    }
}
