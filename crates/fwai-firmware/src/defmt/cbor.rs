//! CBOR in diagnostic notation, for values with the hint `:cbor`.

use super::floats::f64_text;

const DEEPEST: usize = 32;

/// The items of a CBOR sequence, with commas between them; `None` when the bytes are no CBOR.
pub(super) fn diagnostic(mut bytes: &[u8]) -> Option<String> {
    let mut items = Vec::new();
    while !bytes.is_empty() {
        items.push(item(&mut bytes, 0)?);
    }
    Some(items.join(", "))
}

fn take<'b>(bytes: &mut &'b [u8], count: u64) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(count).ok()?)?;
    *bytes = rest;
    Some(taken)
}

fn item(bytes: &mut &[u8], depth: usize) -> Option<String> {
    const INDEFINITE: u8 = 31;
    if depth > DEEPEST {
        return None;
    }
    let first = *take(bytes, 1)?.first()?;
    let (major, low) = (first >> 5, first & 31);
    let argument = match low {
        0..=23 => u64::from(low),
        24..=27 => take(bytes, 1 << (low - 24))?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)),
        INDEFINITE if (2..=5).contains(&major) => 0,
        _ => return None,
    };
    let endless = low == INDEFINITE;
    Some(match major {
        0 => argument.to_string(),
        1 => (-1 - i128::from(argument)).to_string(),
        2 | 3 if endless => format!("(_ {})", until_break(bytes, depth, 1)?.join(", ")),
        2 => format!("h'{}'", hex::encode(take(bytes, argument)?)),
        3 => quoted(std::str::from_utf8(take(bytes, argument)?).ok()?),
        4 if endless => format!("[_ {}]", until_break(bytes, depth, 1)?.join(", ")),
        4 => format!("[{}]", many(bytes, depth, argument)?.join(", ")),
        5 if endless => format!("{{_ {}}}", pairs(until_break(bytes, depth, 2)?)),
        5 => format!("{{{}}}", pairs(many(bytes, depth, argument.checked_mul(2)?)?)),
        6 => format!("{argument}({})", item(bytes, depth + 1)?),
        _ => match (low, argument) {
            (25, bits) => f64_text(half(bits as u16)),
            (26, bits) => f64_text(f32::from_bits(bits as u32).into()),
            (27, bits) => f64_text(f64::from_bits(bits)),
            (_, 20) => "false".to_string(),
            (_, 21) => "true".to_string(),
            (_, 22) => "null".to_string(),
            (_, 23) => "undefined".to_string(),
            (_, other) => format!("simple({other})"),
        },
    })
}

fn many(bytes: &mut &[u8], depth: usize, count: u64) -> Option<Vec<String>> {
    // Each item takes at least a byte.
    (count <= bytes.len() as u64).then_some(())?;
    (0..count).map(|_| item(bytes, depth + 1)).collect()
}

fn until_break(bytes: &mut &[u8], depth: usize, step: usize) -> Option<Vec<String>> {
    let mut items = Vec::new();
    while *bytes.first()? != 0xff {
        for _ in 0..step {
            items.push(item(bytes, depth + 1)?);
        }
    }
    take(bytes, 1)?;
    Some(items)
}

fn pairs(items: Vec<String>) -> String {
    items.chunks(2).map(|pair| pair.join(":")).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r")
    )
}

/// A float of 16 bits.
fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (mantissa + 1024.0) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of RFC 8949, appendix A, with the spaces of the usual printers.
    #[test]
    fn examples_of_the_rfc() {
        let cases = [
            ("1b000000e8d4a51000", "1000000000000"),
            ("3903e7", "-1000"),
            ("f93c00", "1.0"),
            ("fb3ff199999999999a", "1.1"),
            ("f4f5f6f7", "false, true, null, undefined"),
            ("c11a514b67b0", "1(1363896240)"),
            ("4401020304", "h'01020304'"),
            ("62225c", r#""\"\\""#),
            ("8301820203820405", "[1, [2, 3], [4, 5]]"),
            ("a26161016162820203", r#"{"a":1, "b":[2, 3]}"#),
            ("5f42010243030405ff", "(_ h'0102', h'030405')"),
            ("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]"),
            ("bf61610161629f0203ffff", r#"{_ "a":1, "b":[_ 2, 3]}"#),
            ("f0", "simple(16)"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(diagnostic(&hex::decode(bytes).unwrap()).as_deref(), Some(expected), "{bytes}");
        }
    }

    #[test]
    fn what_is_cut_off_or_too_deep_is_no_cbor() {
        for bytes in ["18", "62ff", "9f01", "9bffffffffffffffff", "1f", "62c328"] {
            assert_eq!(diagnostic(&hex::decode(bytes).unwrap()), None, "{bytes}");
        }
        assert_eq!(diagnostic(&[0x81; 10_000]), None);
    }
}
