//! Numbers as SVD files write them.

/// `16`, `0x10`, `#10000`, `0b10000`, with stray spaces, underscores and suffixes that vendors leave.
pub(super) fn number(text: &str) -> Option<u64> {
    let text = text.trim().trim_start_matches('+').trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        [b'#', ..] => (&text[1..], 2),
        _ => (text, 10),
    };
    if digits.contains('_') {
        return u64::from_str_radix(&digits.replace('_', ""), radix).ok();
    }
    u64::from_str_radix(digits, radix).ok()
}

/// An enumerated value, in which `x` of a binary number means "any": value and mask.
pub(super) fn pattern(text: &str) -> Option<(u64, u64)> {
    let text = text.trim();
    let binary =
        text.strip_prefix('#').or_else(|| text.strip_prefix("0b")).or_else(|| text.strip_prefix("0B"));
    let Some(binary) = binary.filter(|digits| digits.contains(['x', 'X'])) else {
        return number(text).map(|value| (value, u64::MAX));
    };
    let mut value = 0u64;
    let mut mask = u64::MAX;
    for digit in binary.chars().filter(|digit| *digit != '_') {
        value <<= 1;
        mask = mask << 1 | 1;
        match digit {
            '0' => {}
            '1' => value |= 1,
            'x' | 'X' => mask &= !1,
            _ => return None,
        }
    }
    Some((value, mask))
}

/// A register size that makes sense.
pub(super) fn size_in_bits(text: &str) -> Option<u32> {
    number(text).and_then(|bits| u32::try_from(bits).ok()).filter(|bits| (1..=64).contains(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_sixteen() {
        for text in ["16", "0x10", "0X10", "#10000", "0b10000", " 0x0000_0010 ", "16U", "+16", "0x10ul"] {
            assert_eq!(number(text), Some(16), "{text}");
        }
        for text in ["", "0x", "sixteen", "0xfffffffffffffffff", "1.5"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn open_bits_match_anything() {
        let (value, mask) = pattern("#1x0").unwrap();
        let matches = |bits: u64| bits & mask == value & mask;
        assert!(matches(0b100) && matches(0b110) && !matches(0b111) && !matches(0b1100));
    }
}
