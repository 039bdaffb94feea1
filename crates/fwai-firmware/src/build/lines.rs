//! Lines out of chunks, without colours and carriage returns.

use memchr::{memchr, memchr2, memrchr};

/// A line longer than this is cut: no message is that long, and junk must not fill memory.
const LONGEST: usize = 64 * 1024;

/// Splits a stream into lines; a line that a chunk cuts in two is kept until its end comes.
#[derive(Default)]
pub(super) struct Lines {
    rest: Vec<u8>,
    clean: Vec<u8>,
}

impl Lines {
    pub fn feed(&mut self, mut chunk: &[u8], each: &mut dyn FnMut(&[u8])) {
        if !self.rest.is_empty() {
            let Some(end) = memchr(b'\n', chunk) else { return self.keep(chunk) };
            self.keep(&chunk[..end]);
            let line = std::mem::take(&mut self.rest);
            self.clean_line(&line, each);
            self.rest = line;
            self.rest.clear();
            chunk = &chunk[end + 1..];
        }
        while let Some(end) = memchr(b'\n', chunk) {
            self.clean_line(&chunk[..end], each);
            chunk = &chunk[end + 1..];
        }
        self.keep(chunk);
    }

    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8])) {
        let line = std::mem::take(&mut self.rest);
        if !line.is_empty() {
            self.clean_line(&line, each);
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        let room = LONGEST.saturating_sub(self.rest.len());
        self.rest.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn clean_line(&mut self, line: &[u8], each: &mut dyn FnMut(&[u8])) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = &line[..line.len().min(LONGEST)];
        if memchr2(0x1b, b'\r', line).is_none() {
            return each(line);
        }
        // A progress line overwrites itself; what stands at the end is what a person sees.
        let line = memrchr(b'\r', line).map_or(line, |at| &line[at + 1..]);
        self.clean.clear();
        strip_escapes(line, &mut self.clean);
        each(&self.clean);
    }
}

/// Text without terminal escapes: CSI (`ESC [ … letter`), OSC (`ESC ] … BEL`) and two-byte ones.
pub(super) fn strip_escapes(line: &[u8], clean: &mut Vec<u8>) {
    let mut rest = line;
    while let Some(at) = memchr(0x1b, rest) {
        clean.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let skip = match rest.first() {
            Some(b'[') => {
                rest.iter().skip(1).position(|byte| (0x40..=0x7e).contains(byte)).map(|end| end + 2)
            }
            Some(b']') => {
                let bell = rest.iter().position(|byte| *byte == 7).map(|end| end + 1);
                let string_end = memchr::memmem::find(rest, b"\x1b\\").map(|end| end + 2);
                bell.into_iter().chain(string_end).min()
            }
            Some(_) => Some(1),
            None => None,
        };
        rest = &rest[skip.unwrap_or(rest.len()).min(rest.len())..];
    }
    clean.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut each = |line: &[u8]| found.push(String::from_utf8_lossy(line).into_owned());
        for chunk in chunks {
            lines.feed(chunk, &mut each);
        }
        lines.finish(&mut each);
        found
    }

    #[test]
    fn chunks_may_end_anywhere() {
        assert_eq!(split(&[b"on", b"e\ntwo", b"\r\nth", b"ree"]), ["one", "two", "three"]);
    }

    #[test]
    fn colours_links_and_overwritten_progress_go_away() {
        let gcc = b"\x1b[01m\x1b[Kmain.c:1:2:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kno\n";
        assert_eq!(split(&[gcc]), ["main.c:1:2: error: no"]);
        assert_eq!(
            split(&[b"a\x1b]8;;https://x\x07-Wall\x1b]8;;\x07b\n10%\r20%\r30%\n\x1b"]),
            ["a-Wallb", "30%", ""]
        );
    }
}
