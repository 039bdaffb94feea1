//! [`Hint`]: how a value wants to be written, the part after `:` in `{=u8:#04x}`.

/// How to write a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hint {
    /// Decimal, padded with zeros to so many columns.
    Plain {
        pad: usize,
    },
    Radix {
        radix: Radix,
        prefix: bool,
        pad: usize,
    },
    Ascii,
    Debug,
    /// `1.500000`: a count of fractions as seconds.
    Seconds(Fraction),
    /// `25:01:01.001`: a count of fractions as days, hours, minutes and seconds.
    Clock(Fraction),
    Iso8601(Fraction),
    /// The names of the set bits of a bitflags type.
    Flags(FlagsType),
    Cbor,
    /// Of a newer defmt: the value is written plainly.
    Unknown,
}

/// Digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Radix {
    Binary,
    Octal,
    LowerHex,
    UpperHex,
}

/// What one count is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fraction {
    Micros,
    Millis,
    Seconds,
}

impl Fraction {
    /// How many of them are a second.
    pub(super) fn per_second(self) -> u64 {
        match self {
            Self::Micros => 1_000_000,
            Self::Millis => 1_000,
            Self::Seconds => 1,
        }
    }

    /// Digits behind the point.
    pub(super) fn digits(self) -> usize {
        match self {
            Self::Micros => 6,
            Self::Millis => 3,
            Self::Seconds => 0,
        }
    }
}

/// Which `defmt::bitflags!` a value belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct FlagsType {
    pub(super) name: String,
    pub(super) package: String,
    pub(super) disambiguator: String,
    /// Since version 4.
    pub(super) crate_name: Option<String>,
}

impl Hint {
    pub(super) fn read(text: &str) -> Self {
        let (prefix, text) = match text.strip_prefix('#') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (pad, text) = match text.strip_prefix('0') {
            Some(rest) => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                // A width beyond any line is damage, not a wish.
                match rest[..digits].parse() {
                    Ok(pad @ 0..=1024) => (pad, &rest[digits..]),
                    _ => return Self::Unknown,
                }
            }
            None => (0, text),
        };
        let radix = |radix| Self::Radix { radix, prefix, pad };
        match text {
            "" => Self::Plain { pad },
            "x" => radix(Radix::LowerHex),
            "X" => radix(Radix::UpperHex),
            "b" => radix(Radix::Binary),
            "o" => radix(Radix::Octal),
            "a" => Self::Ascii,
            "?" => Self::Debug,
            "us" => Self::Seconds(Fraction::Micros),
            "ms" => Self::Seconds(Fraction::Millis),
            "tus" => Self::Clock(Fraction::Micros),
            "tms" => Self::Clock(Fraction::Millis),
            "ts" => Self::Clock(Fraction::Seconds),
            "iso8601ms" => Self::Iso8601(Fraction::Millis),
            "iso8601s" => Self::Iso8601(Fraction::Seconds),
            "cbor" => Self::Cbor,
            _ => text.strip_prefix("__internal_bitflags_").and_then(flags).map_or(Self::Unknown, Self::Flags),
        }
    }
}

fn flags(text: &str) -> Option<FlagsType> {
    let mut parts = text.split('@').map(str::to_string);
    let (name, package, disambiguator) = (parts.next()?, parts.next()?, parts.next()?);
    let crate_name = parts.next();
    parts.next().is_none().then_some(FlagsType { name, package, disambiguator, crate_name })
}
