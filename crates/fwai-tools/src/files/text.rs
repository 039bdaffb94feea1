//! Text files as they are: their encoding mark and line ends survive an edit.

use std::borrow::Cow;

/// Larger files are not taken into memory.
pub const LARGEST_EDITED: u64 = 64 << 20;

/// What must be kept when a text file is written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    bom: bool,
    crlf: bool,
    encoding: Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    /// Not UTF-8: every byte is taken as the character of its number, and back.
    Latin1,
}

/// A file's text with `\n` line ends, and its shape; `None` for binary data.
pub fn decode(bytes: Vec<u8>) -> Option<(String, Shape)> {
    let (text, bom, encoding) = if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        (String::from_utf8(rest.to_vec()).ok()?, true, Encoding::Utf8)
    } else if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        (utf16(rest, u16::from_le_bytes)?, true, Encoding::Utf16Le)
    } else if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        (utf16(rest, u16::from_be_bytes)?, true, Encoding::Utf16Be)
    } else if memchr::memchr(0, &bytes).is_some() {
        return None;
    } else {
        // Without a copy: the file may be large.
        match String::from_utf8(bytes) {
            Ok(text) => (text, false, Encoding::Utf8),
            Err(other) => {
                (other.as_bytes().iter().map(|byte| char::from(*byte)).collect(), false, Encoding::Latin1)
            }
        }
    };
    // A file with mixed ends is left as it is: only a file that is CRLF throughout is normalised.
    let crlf = memchr::memchr(b'\r', text.as_bytes()).is_some()
        && text.contains("\r\n")
        && text.matches('\n').count() == text.matches("\r\n").count();
    let text = if crlf { text.replace("\r\n", "\n") } else { text };
    Some((text, Shape { bom, crlf, encoding }))
}

/// The bytes of a text in the shape that it had; the error says which character does not fit.
pub fn encode(text: &str, shape: Shape) -> Result<Cow<'_, [u8]>, String> {
    let text: Cow<'_, str> = match shape.crlf {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n").into(),
        false => text.into(),
    };
    let wide = |convert: fn(u16) -> [u8; 2], mark: [u8; 2]| {
        let mut bytes = mark.to_vec();
        bytes.extend(text.encode_utf16().flat_map(convert));
        bytes
    };
    Ok(match shape.encoding {
        Encoding::Utf8 if shape.bom => [b"\xef\xbb\xbf", text.as_bytes()].concat().into(),
        Encoding::Utf8 => match text {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        },
        Encoding::Utf16Le => wide(u16::to_le_bytes, [0xff, 0xfe]).into(),
        Encoding::Utf16Be => wide(u16::to_be_bytes, [0xfe, 0xff]).into(),
        Encoding::Latin1 => text
            .chars()
            .map(|c| {
                u8::try_from(u32::from(c))
                    .map_err(|_| format!("`{c}` does not fit this file's Latin-1 encoding"))
            })
            .collect::<Result<Vec<u8>, _>>()?
            .into(),
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    bytes.len().is_multiple_of(2).then(|| String::from_utf16(&units).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_survives_a_round_trip() {
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("é\r\nb".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in
            [&b"a\nb\n"[..], b"a\r\nb\r\n", b"\xef\xbb\xbfa\r\n", b"mixed\r\nends\n", b"caf\xe9\r\n", &utf16]
        {
            let (text, shape) = decode(bytes.to_vec()).unwrap();
            assert_eq!(encode(&text, shape).unwrap(), bytes, "{bytes:?}");
        }
        assert!(decode(b"ELF\0\x01".to_vec()).is_none());
    }
}
