//! Server-sent events from a stream of bytes that may be split anywhere.

use super::{MAX_EVENT_BYTES, lines::Lines};
use crate::fault::{Fault, snippet};

/// Turns bytes into events.
#[derive(Debug, Default)]
pub struct SseDecoder {
    lines: Lines,
    event: Pending,
}

/// The event whose lines are still arriving.
#[derive(Debug, Default)]
struct Pending {
    name: String,
    data: Vec<u8>,
    has_data: bool,
    /// A byte order mark may stand before the first line.
    started: bool,
}

impl SseDecoder {
    /// Calls `event` with the name (empty where none was given) and the data of every event that `bytes`
    /// completes.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        mut event: impl FnMut(&str, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let pending = &mut self.event;
        self.lines.feed(bytes, |line| pending.line(line, &mut event))
    }

    /// The input has ended. Servers that forget the last empty line are forgiven.
    pub fn finish(&mut self, mut event: impl FnMut(&str, &[u8]) -> Result<(), Fault>) -> Result<(), Fault> {
        let rest = self.lines.rest();
        if !rest.is_empty() {
            self.event.line(&rest, &mut event)?;
        }
        self.event.line(b"", &mut event)
    }
}

impl Pending {
    fn line(
        &mut self,
        mut line: &[u8],
        event: &mut impl FnMut(&str, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if !self.started {
            self.started = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            let result = if self.has_data { event(&self.name, &self.data) } else { Ok(()) };
            self.name.clear();
            self.data.clear();
            self.has_data = false;
            return result;
        }
        if let Some(data) = field(line, b"data") {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data.extend_from_slice(data);
            if self.data.len() > MAX_EVENT_BYTES {
                return Err(Fault::TooLarge { limit: MAX_EVENT_BYTES as u64 });
            }
            return Ok(());
        }
        if let Some(name) = field(line, b"event") {
            self.name.clear();
            self.name.push_str(&String::from_utf8_lossy(name));
            return Ok(());
        }
        match line[0] {
            b':' => Ok(()),
            // Some servers put a bare error object into the stream.
            b'{' => event("", line),
            _ if is_other_field(line) => Ok(()),
            // The standard says to ignore what cannot be a field; but where a model's answer should be, an
            // unreadable line is an answer with a hole.
            _ => Err(Fault::Garbage(format!("a line that is no event: {}", snippet(line)))),
        }
    }
}

/// The value of a field: what follows the colon and one optional space.
fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name)?;
    match rest.split_first() {
        None => Some(rest),
        Some((b':', value)) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        Some(_) => None,
    }
}

fn is_other_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&[u8]], expect: &[(&str, &str)]) {
        let (mut decoder, mut seen) = (SseDecoder::default(), Vec::new());
        let mut push = |name: &str, data: &[u8]| {
            seen.push((name.to_owned(), String::from_utf8(data.to_vec()).unwrap()));
            Ok(())
        };
        for piece in pieces {
            decoder.feed(piece, &mut push).unwrap();
        }
        decoder.finish(&mut push).unwrap();
        let seen: Vec<_> = seen.iter().map(|(name, data)| (name.as_str(), data.as_str())).collect();
        assert_eq!(seen, expect);
    }

    #[test]
    fn names_data_and_comments() {
        check(
            &[b": hello\n\nevent: a\ndata: 1\n\n", b"data:2\nid: 7\nretry: 5\n\n", b"data: 3\ndata: 4\n\n"],
            &[("a", "1"), ("", "2"), ("", "3\n4")],
        );
    }

    #[test]
    fn a_byte_order_mark_and_carriage_returns() {
        check(&[b"\xef\xbb\xbfdata: 1\r\n\r", b"\ndata: 2\r\n\r\n"], &[("", "1"), ("", "2")]);
    }

    #[test]
    fn the_last_empty_line_may_be_missing() {
        check(&[b"data: [DO", b"NE]"], &[("", "[DONE]")]);
    }

    #[test]
    fn a_bare_object_is_an_event_and_junk_is_a_fault() {
        check(&[b"{\"error\":1}\n"], &[("", "{\"error\":1}")]);
        let mut decoder = SseDecoder::default();
        let fault = decoder.feed(b"\x00\xff<junk>\n", |_, _| Ok(())).unwrap_err();
        assert!(matches!(fault, Fault::Garbage(_)), "{fault:?}");
    }
}
