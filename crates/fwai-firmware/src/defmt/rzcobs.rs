//! Reverse COBS that leaves out zeros: frames without zeros, read from their end.

/// The bytes of one frame, given without its closing zero; `None` when it is damaged.
pub(super) fn decode(frame: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(frame.len() + frame.len() / 2);
    let mut from_end = frame.iter().rev().copied();
    while let Some(mark) = from_end.next() {
        match mark {
            0 => return None,
            // Seven bytes, of which the set bits are zeros that were left out.
            0x01..=0x7f => {
                for bit in (0..7).rev() {
                    decoded.push(if mark >> bit & 1 == 1 { 0 } else { from_end.next()? });
                }
            }
            // A zero after a run of seven or more bytes.
            0x80..=0xfe => {
                decoded.push(0);
                for _ in 0..mark - 0x80 + 7 {
                    decoded.push(from_end.next()?);
                }
            }
            0xff => {
                for _ in 0..134 {
                    decoded.push(from_end.next()?);
                }
            }
        }
    }
    decoded.reverse();
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_description() {
        assert_eq!(decode(&[]), Some(vec![]));
        assert_eq!(decode(&[0x7f]), Some(vec![0; 7]));
        assert_eq!(decode(&[1, 2, 3, 0b0111_1000]), Some(vec![1, 2, 3, 0, 0, 0, 0]));
        assert_eq!(decode(&[1, 2, 3, 4, 5, 6, 7, 0x80]), Some(vec![1, 2, 3, 4, 5, 6, 7, 0]));
        assert_eq!(decode(&[[9; 134].as_slice(), &[0xff]].concat()), Some(vec![9; 134]));
        assert_eq!(decode(&[1, 2, 3, 0x80]), None);
    }
}
