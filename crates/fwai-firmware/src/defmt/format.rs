//! [`Format`]: a format string, read once, with the kinds of its arguments in the order of the wire.

use std::ops::Range;

use super::hint::Hint;

/// What stands between `=` and `:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// So many bytes, little end first.
    Unsigned(u8),
    Signed(u8),
    F32,
    F64,
    Bool,
    Char,
    /// `{=0..4}`: some bits of a number.
    Bits(Range<u8>),
    /// `{=str}`: length and text.
    Text,
    /// `{=istr}`: the number of a string of the ELF.
    Interned,
    Bytes,
    ByteArray(u32),
    /// `{=?}`: the number of another format string and its arguments.
    Nested,
    NestedSlice,
    NestedArray(u32),
    /// What several `write!` calls made, ended by the number 0.
    Sequence,
    /// Formatted on the device, ended by the byte 0xff.
    Preformatted,
}

/// A part of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Literal(String),
    Value { argument: usize, kind: Kind, hint: Option<Hint> },
}

/// A format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) pieces: Vec<Piece>,
    /// What is on the wire; pieces point here.
    pub(super) arguments: Vec<Kind>,
}

impl Format {
    /// `None` when the text is no format string (or one of a future that we cannot skip over).
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut counted = 0;
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..];
            if let Some(after) = brace.strip_prefix("{{") {
                literal.push('{');
                rest = after;
            } else if let Some(after) = brace.strip_prefix('}') {
                // Old versions of defmt let some lone braces pass.
                literal.push('}');
                rest = after.strip_prefix('}').unwrap_or(after);
            } else {
                let end = brace.find('}')?;
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(value(&brace[1..end], &mut counted)?);
                rest = &brace[end + 1..];
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        let arguments = arguments(&pieces)?;
        Some(Self { pieces, arguments })
    }
}

/// The inside of one pair of braces: `[number][=kind][:hint]`.
fn value(text: &str, counted: &mut usize) -> Option<Piece> {
    let (text, hint) = match text.split_once(':') {
        Some((_, "")) => return None,
        Some((front, hint)) => (front, Some(Hint::read(hint))),
        None => (text, None),
    };
    let (number, kind) = match text.split_once('=') {
        Some((number, kind)) => (number, Kind::read(kind)?),
        None => (text, Kind::Nested),
    };
    let argument = if number.is_empty() {
        *counted += 1;
        *counted - 1
    } else {
        number.parse().ok()?
    };
    Some(Piece::Value { argument, kind, hint })
}

impl Kind {
    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "u8" => Self::Unsigned(1),
            "u16" => Self::Unsigned(2),
            // A `usize` travels in four bytes whatever the device has.
            "u32" | "usize" => Self::Unsigned(4),
            "u64" => Self::Unsigned(8),
            "u128" => Self::Unsigned(16),
            "i8" => Self::Signed(1),
            "i16" => Self::Signed(2),
            "i32" | "isize" => Self::Signed(4),
            "i64" => Self::Signed(8),
            "i128" => Self::Signed(16),
            "f32" => Self::F32,
            "f64" => Self::F64,
            "bool" => Self::Bool,
            "char" => Self::Char,
            "str" => Self::Text,
            "istr" => Self::Interned,
            "[u8]" => Self::Bytes,
            "?" => Self::Nested,
            "[?]" => Self::NestedSlice,
            "__internal_Debug" | "__internal_Display" => Self::Preformatted,
            "__internal_FormatSequence" => Self::Sequence,
            _ => {
                let array = |start| text.strip_prefix(start)?.strip_suffix(']')?.trim_start().parse().ok();
                if let Some(length) = array("[u8;") {
                    Self::ByteArray(length)
                } else if let Some(length) = array("[?;") {
                    Self::NestedArray(length)
                } else {
                    let (start, end) = text.split_once("..")?;
                    let range: Range<u8> = start.parse().ok()?..end.parse().ok()?;
                    (range.start < range.end && range.end <= 128).then_some(Self::Bits(range))?
                }
            }
        })
    }
}

/// Each argument travels once; bit fields of one argument travel as the bytes that hold them all.
fn arguments(pieces: &[Piece]) -> Option<Vec<Kind>> {
    let mut arguments: Vec<Option<Kind>> = Vec::new();
    for piece in pieces {
        let Piece::Value { argument, kind, .. } = piece else { continue };
        // Numbers are dense, so none is beyond the count of pieces.
        if *argument >= pieces.len() {
            return None;
        }
        if arguments.len() <= *argument {
            arguments.resize(argument + 1, None);
        }
        let merged = match (&arguments[*argument], kind) {
            (None, kind) => kind.clone(),
            (Some(Kind::Bits(seen)), Kind::Bits(more)) => {
                Kind::Bits(seen.start.min(more.start)..seen.end.max(more.end))
            }
            (Some(seen), kind) if seen == kind => continue,
            _ => return None,
        };
        arguments[*argument] = Some(merged);
    }
    arguments.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Option<Vec<Kind>> {
        Format::read(text).map(|format| format.arguments)
    }

    #[test]
    fn arguments_are_in_the_order_of_the_wire() {
        assert_eq!(kinds("{1=u16} {0=u8} {1=u16}"), Some(vec![Kind::Unsigned(1), Kind::Unsigned(2)]));
        assert_eq!(kinds("{0=0..3} {1=bool} {0=9..12}"), Some(vec![Kind::Bits(0..12), Kind::Bool]));
        assert_eq!(
            kinds("{=[u8;  12]}{=[?; 2]}{}"),
            Some(vec![Kind::ByteArray(12), Kind::NestedArray(2), Kind::Nested])
        );
    }

    #[test]
    fn what_is_no_format_string_is_told() {
        for wrong in [
            "{",
            "{=u7}",
            "{=3..3}",
            "{=0..129}",
            "{1=u8}",
            "{0=u8}{0=u16}",
            "{=u8:}",
            "{=[u8; x]}",
            "{9999999999=u8}",
            "{99999999=u8}",
            "{x}",
        ] {
            assert_eq!(kinds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn braces_are_undoubled() {
        let format = Format::read("a {{b}} {{{=u8}}}").unwrap();
        assert_eq!(format.pieces[0], Piece::Literal("a {b} {".into()));
        assert_eq!(format.pieces[2], Piece::Literal("}".into()));
    }
}
