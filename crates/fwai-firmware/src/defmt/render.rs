//! Values as text, each as its hint asks.

use super::{
    arguments::Value,
    cbor,
    clock::{clock, iso8601, seconds},
    floats::{f32_text, f64_text},
    format::{Format, Kind, Piece},
    hint::{Hint, Radix},
    table::Table,
};

impl Table {
    /// The format string with its arguments filled in. A hint holds for everything inside.
    pub(super) fn text(&self, format: &Format, arguments: &[Value], outer: Option<&Hint>) -> String {
        let mut text = String::new();
        for piece in &format.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Value { argument, kind, hint } => {
                    if let Some(value) = arguments.get(*argument) {
                        self.value(value, kind, hint.as_ref(), outer, &mut text);
                    }
                }
            }
        }
        text
    }

    fn value(&self, value: &Value, kind: &Kind, own: Option<&Hint>, outer: Option<&Hint>, text: &mut String) {
        let hint = own.or(outer);
        match value {
            Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Value::Char(value) => text.push(*value),
            Value::F32(value) => text.push_str(&f32_text(*value)),
            Value::F64(value) => text.push_str(&f64_text(*value)),
            Value::Unsigned(value) => match (kind, hint) {
                (Kind::Bits(range), Some(Hint::Ascii)) => {
                    let bytes = bits(*value, range).to_be_bytes();
                    let unused = (128 - usize::from(range.end - range.start)) / 8;
                    text.push_str(&ascii(&bytes[unused..]));
                }
                (Kind::Bits(range), _) => text.push_str(&self.unsigned(bits(*value, range), hint)),
                // `:?` says nothing about a number, so what stands outside holds.
                (_, Some(Hint::Debug)) => text.push_str(&self.unsigned(*value, outer)),
                _ => text.push_str(&self.unsigned(*value, hint)),
            },
            Value::Signed(value, width) => text.push_str(&signed(*value, *width, hint)),
            Value::Text(value) if hint == Some(&Hint::Debug) => text.push_str(&format!("{value:?}")),
            Value::Text(value) => text.push_str(value),
            Value::Bytes(bytes) => text.push_str(&self.bytes(bytes, hint)),
            Value::Nested(format, arguments) => {
                let inner = if outer == Some(&Hint::Ascii) { outer } else { hint };
                text.push_str(&self.text(format, arguments, inner));
            }
            Value::Sequence(written) => {
                for part in written {
                    self.value(part, &Kind::Nested, None, hint, text);
                }
            }
            Value::Slice(elements) => match (hint, small(elements)) {
                (Some(Hint::Ascii), Some(bytes)) => text.push_str(&ascii(&bytes)),
                _ => {
                    let texts = elements.iter().map(|element| {
                        let mut one = String::new();
                        self.value(element, &Kind::Nested, None, hint, &mut one);
                        one
                    });
                    text.push_str(&format!("[{}]", texts.collect::<Vec<_>>().join(", ")));
                }
            },
        }
    }

    fn unsigned(&self, value: u128, hint: Option<&Hint>) -> String {
        match hint {
            Some(Hint::Plain { pad }) => format!("{value:0pad$}"),
            Some(Hint::Radix { radix, prefix, pad }) => digits(value, *radix, *prefix, *pad),
            Some(Hint::Seconds(fraction)) => seconds(value, *fraction),
            Some(Hint::Clock(fraction)) => clock(value, *fraction),
            Some(Hint::Iso8601(fraction)) => iso8601(value as u64, *fraction),
            Some(Hint::Flags(of)) => match self.flags(of) {
                Some(flags) => {
                    // A flag without bits is only set when no bit is.
                    let is_set = |flag: u128| value & flag == flag && (flag != 0 || value == 0);
                    let set: Vec<&str> =
                        flags.iter().filter(|(_, flag)| is_set(*flag)).map(|(name, _)| &**name).collect();
                    if set.is_empty() { "(empty)".to_string() } else { set.join(" | ") }
                }
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    fn bytes(&self, bytes: &[u8], hint: Option<&Hint>) -> String {
        match hint {
            Some(Hint::Ascii) => ascii(bytes),
            Some(hint @ Hint::Radix { .. }) => {
                let each = bytes.iter().map(|byte| self.unsigned((*byte).into(), Some(hint)));
                format!("[{}]", each.collect::<Vec<_>>().join(", "))
            }
            Some(Hint::Cbor) => {
                cbor::diagnostic(bytes).unwrap_or_else(|| format!("invalid CBOR (bytes: {bytes:02x?})"))
            }
            _ => format!("{bytes:?}"),
        }
    }
}

fn bits(value: u128, range: &std::ops::Range<u8>) -> u128 {
    let above = 128 - u32::from(range.end);
    (value << above) >> (above + u32::from(range.start))
}

fn digits(value: u128, radix: Radix, prefix: bool, pad: usize) -> String {
    match (radix, prefix) {
        (Radix::Binary, false) => format!("{value:0pad$b}"),
        (Radix::Binary, true) => format!("{value:#0pad$b}"),
        (Radix::Octal, false) => format!("{value:0pad$o}"),
        (Radix::Octal, true) => format!("{value:#0pad$o}"),
        (Radix::LowerHex, false) => format!("{value:0pad$x}"),
        (Radix::LowerHex, true) => format!("{value:#0pad$x}"),
        (Radix::UpperHex, false) => format!("{value:0pad$X}"),
        (Radix::UpperHex, true) => format!("{value:#0pad$X}"),
    }
}

fn signed(value: i128, width: u8, hint: Option<&Hint>) -> String {
    match hint {
        Some(Hint::Plain { pad }) => format!("{value:0pad$}"),
        // Digits of other bases show the bits that the device has, not those of our wider number.
        Some(Hint::Radix { radix, prefix, pad }) => {
            let unused = 128 - 8 * u32::from(width);
            digits((value as u128) << unused >> unused, *radix, *prefix, *pad)
        }
        _ => value.to_string(),
    }
}

/// The bytes of a slice whose elements are `u8`.
fn small(elements: &[Value]) -> Option<Vec<u8>> {
    let byte = |element: &Value| match element {
        Value::Nested(format, arguments) => match (&*format.arguments, &**arguments) {
            ([Kind::Unsigned(1)], [Value::Unsigned(value)]) => u8::try_from(*value).ok(),
            _ => None,
        },
        _ => None,
    };
    (!elements.is_empty()).then(|| elements.iter().map(byte).collect())?
}

/// `b"text\xff"`.
fn ascii(bytes: &[u8]) -> String {
    let mut text = String::from("b\"");
    for byte in bytes {
        match byte {
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text + "\""
}
