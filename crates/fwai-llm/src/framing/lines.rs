//! Lines from a stream of bytes that may be split anywhere. `\n`, `\r\n` and a lone `\r` all end a line.

use crate::fault::Fault;
use memchr::memchr2;

/// Holds the unfinished line between two pieces of input.
#[derive(Debug, Default)]
pub struct Lines {
    partial: Vec<u8>,
    /// The last piece ended in `\r`; a `\n` at the start of the next one belongs to it.
    skip_newline: bool,
}

impl Lines {
    /// Calls `line` with every line that `bytes` completes.
    pub fn feed(
        &mut self,
        mut bytes: &[u8],
        mut line: impl FnMut(&[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.skip_newline && !bytes.is_empty() {
            self.skip_newline = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = memchr2(b'\n', b'\r', bytes) {
            if self.partial.is_empty() {
                line(&bytes[..end])?;
            } else {
                self.partial.extend_from_slice(&bytes[..end]);
                self.check_length()?;
                let whole = std::mem::take(&mut self.partial);
                line(&whole)?;
                // The allocation serves the next line that is split.
                self.partial = whole;
                self.partial.clear();
            }
            let carriage_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if carriage_return {
                match bytes.first() {
                    Some(b'\n') => bytes = &bytes[1..],
                    Some(_) => {}
                    None => self.skip_newline = true,
                }
            }
        }
        self.partial.extend_from_slice(bytes);
        self.check_length()
    }

    /// What stands after the last line end.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.partial)
    }

    fn check_length(&self) -> Result<(), Fault> {
        if self.partial.len() > super::MAX_EVENT_BYTES {
            return Err(Fault::TooLarge { limit: super::MAX_EVENT_BYTES as u64 });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(pieces: &[&[u8]]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        for piece in pieces {
            lines
                .feed(piece, |line| {
                    out.push(line.to_vec());
                    Ok(())
                })
                .unwrap();
        }
        (out, lines.rest())
    }

    #[test]
    fn every_line_end_counts_once() {
        let (lines, rest) = split(&[b"a\nb\r", b"\nc\rd\r\n\r\ne"]);
        assert_eq!(lines, [b"a".to_vec(), b"b".into(), b"c".into(), b"d".into(), b"".into()]);
        assert_eq!(rest, b"e");
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut lines = Lines::default();
        let piece = vec![b'x'; 1 << 20];
        let refused = (0..20).any(|_| lines.feed(&piece, |_| Ok(())).is_err());
        assert!(refused);
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_lines(bytes in "[ab\r\n]{0,40}", cuts in prop::collection::vec(0usize..40, 0..6)) {
            let bytes = bytes.as_bytes();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.push(0);
            cuts.push(bytes.len());
            cuts.sort();
            let pieces: Vec<_> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(split(&pieces), split(&[bytes]));
        }
    }
}
