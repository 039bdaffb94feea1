//! The other clothes of a secret: base64, hex, and bytes of a C array.
//!
//! A keyword inside base64 shows as one of three texts, depending on how many bytes stand before it
//! in its group of three; what is left after cutting the characters that also hold foreign bits can
//! be searched for directly.

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How a text is dressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    /// `phase` bytes of its group of three stand before it.
    Base64 {
        phase: u8,
    },
    Hex,
    CArray,
}

/// A searchable form of some bytes.
#[derive(Debug)]
pub(super) struct Dressed {
    pub form: Form,
    pub text: Vec<u8>,
    /// Letters match in any case.
    pub fold: bool,
}

/// Every form but the plain one.
pub(super) fn dress(bytes: &[u8]) -> Vec<Dressed> {
    let mut forms = Vec::new();
    for phase in 0..3 {
        let inner = base64_inner(bytes, phase);
        let url_safe: Vec<u8> = inner.iter().map(|byte| to_url_safe(*byte)).collect();
        if url_safe != inner {
            forms.push(Dressed { form: Form::Base64 { phase }, text: url_safe, fold: false });
        }
        forms.push(Dressed { form: Form::Base64 { phase }, text: inner, fold: false });
    }
    let hex = bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect();
    forms.push(Dressed { form: Form::Hex, text: hex, fold: true });
    if let Some(first) = bytes.first() {
        forms.push(Dressed { form: Form::CArray, text: format!("0x{first:02x}").into_bytes(), fold: true });
    }
    forms
}

fn to_url_safe(byte: u8) -> u8 {
    match byte {
        b'+' => b'-',
        b'/' => b'_',
        other => other,
    }
}

/// The base64 characters that hold bits of `bytes` alone when `phase` bytes stand before them.
fn base64_inner(bytes: &[u8], phase: u8) -> Vec<u8> {
    let before = usize::from(phase) * 8;
    let total = before + bytes.len() * 8;
    let bit = |index: usize| -> u8 {
        index.checked_sub(before).map_or(0, |index| bytes[index / 8] >> (7 - index % 8) & 1)
    };
    (before.div_ceil(6)..total / 6)
        .map(|char_at| {
            let sextet = (char_at * 6..char_at * 6 + 6).fold(0u8, |value, index| value << 1 | bit(index));
            STANDARD[usize::from(sextet)]
        })
        .collect()
}

/// Text taken out of its dress.
#[derive(Debug, Default)]
pub(super) struct Undressed {
    pub bytes: Vec<u8>,
    /// Where in the dressed text each byte ends.
    pub ends: Vec<usize>,
    /// The dressed text goes on up to the end of what is there.
    pub open: bool,
}

/// Undresses what stands in `text` at `start`, at most `limit` bytes of it.
pub(super) fn undress(form: Form, text: &[u8], start: usize, limit: usize) -> Option<Undressed> {
    match form {
        Form::Plain => None,
        Form::Base64 { phase } => undress_base64(text, start, phase, limit),
        Form::Hex => Some(undress_hex(text, start, limit)),
        Form::CArray => Some(undress_c_array(text, start, limit)),
    }
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

fn undress_base64(text: &[u8], start: usize, phase: u8, limit: usize) -> Option<Undressed> {
    // The characters of the group that also hold the bits of the `phase` bytes before.
    let back = match phase {
        0 => 0,
        1 => 2,
        _ => 3,
    };
    let mut at = start;
    for _ in 0..back {
        at = at.checked_sub(1)?;
        while matches!(text.get(at), Some(b'\r' | b'\n')) && start - at < 8 {
            at = at.checked_sub(1)?;
        }
        sextet(*text.get(at)?)?;
    }
    let mut out = Undressed::default();
    let mut skip = usize::from(phase);
    let (mut bits, mut held) = (0u32, 0u32);
    while out.bytes.len() < limit {
        let Some(byte) = text.get(at) else {
            out.open = true;
            break;
        };
        match (sextet(*byte), byte) {
            (Some(value), _) => {
                at += 1;
                bits = bits << 6 | value;
                held += 6;
                if held >= 8 {
                    held -= 8;
                    if skip > 0 {
                        skip -= 1;
                    } else {
                        out.bytes.push((bits >> held) as u8);
                        out.ends.push(at);
                    }
                }
            }
            (None, b'\r' | b'\n') => at += 1,
            _ => break,
        }
    }
    Some(out)
}

fn hex_digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}

fn undress_hex(text: &[u8], start: usize, limit: usize) -> Undressed {
    let mut out = Undressed::default();
    let mut at = start;
    while out.bytes.len() < limit {
        let (Some(high), Some(low)) = (text.get(at), text.get(at + 1)) else {
            out.open = true;
            break;
        };
        match (hex_digit(*high), hex_digit(*low)) {
            (Some(high), Some(low)) => {
                at += 2;
                out.bytes.push(high << 4 | low);
                out.ends.push(at);
            }
            _ if matches!(high, b'\r' | b'\n') => at += 1,
            _ => break,
        }
    }
    out
}

fn undress_c_array(text: &[u8], start: usize, limit: usize) -> Undressed {
    let mut out = Undressed::default();
    let mut at = start;
    while out.bytes.len() < limit {
        while matches!(text.get(at), Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b'u' | b'U')) {
            at += 1;
        }
        let Some(rest) = text.get(at..at + 5) else {
            // The last byte of an array may be the last thing in a text that is all there.
            if let Some(&[b'0', b'x' | b'X', high, low]) = text.get(at..)
                && let (Some(high), Some(low)) = (hex_digit(high), hex_digit(low))
            {
                out.bytes.push(high << 4 | low);
                out.ends.push(at + 4);
            }
            out.open = true;
            break;
        };
        let &[b'0', b'x' | b'X', high, low, _] = rest else { break };
        let Some(high) = hex_digit(high) else { break };
        match hex_digit(low) {
            Some(low) => {
                at += 4;
                out.bytes.push(high << 4 | low);
            }
            None => {
                at += 3;
                out.bytes.push(high);
            }
        }
        out.ends.push(at);
    }
    out
}

/// The bytes of an array's inside (`0x..`, decimal, `\x..`), for a look at their nature.
pub(super) fn array_bytes(text: &[u8]) -> Vec<u8> {
    if !text.iter().any(|byte| matches!(byte, b'x' | b'X')) {
        let numbers = text.split(|byte| !byte.is_ascii_digit()).filter(|number| !number.is_empty());
        return numbers.filter_map(|number| std::str::from_utf8(number).ok()?.parse().ok()).collect();
    }
    if text.starts_with(b"\\x") {
        let escapes = text.split(|byte| *byte == b'\\').filter_map(|escape| escape.strip_prefix(b"x"));
        return escapes
            .filter_map(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok())
            .collect();
    }
    undress_c_array(text, 0, usize::MAX).bytes
}
