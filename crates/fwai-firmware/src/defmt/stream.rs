//! [`Stream`]: a device's bytes, in pieces of any size, to lines.

use std::sync::Arc;

use super::{
    LogPlace,
    arguments::{Frame, NoFrame},
    rzcobs,
    table::{Encoding, Level, Role, Table},
};

/// More than this without an end is no frame.
const LONGEST_FRAME: usize = 128 * 1024;

/// What the stream held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Log {
        timestamp: Option<String>,
        level: Option<Level>,
        message: String,
        place: Option<LogPlace>,
    },
    /// Text between the frames, such as a boot loader's.
    Text(String),
    /// Bytes that are neither, so many of them.
    Damaged(usize),
}

/// Decodes one stream.
#[derive(Debug)]
pub struct Stream {
    table: Arc<Table>,
    waiting: Vec<u8>,
    /// Bytes skipped in an unframed stream since the last good frame.
    skipped: usize,
}

impl Stream {
    pub fn new(table: Arc<Table>) -> Self {
        Self { table, waiting: Vec::new(), skipped: 0 }
    }

    /// The lines that these bytes complete.
    pub fn received(&mut self, bytes: &[u8]) -> Vec<Line> {
        self.waiting.extend_from_slice(bytes);
        match self.table.encoding {
            Encoding::Rzcobs => self.framed(),
            Encoding::Raw => self.unframed(),
        }
    }

    /// Text that waits for a frame's end which never comes; to be asked for when the device is silent.
    pub fn silent(&mut self) -> Option<Line> {
        let whole_lines = memchr::memrchr(b'\n', &self.waiting)? + 1;
        let text = text(&self.waiting[..whole_lines])?;
        self.waiting.drain(..whole_lines);
        Some(Line::Text(text))
    }

    fn framed(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut start = 0;
        while let Some(length) = memchr::memchr(0, &self.waiting[start..]) {
            let frame = &self.waiting[start..start + length];
            start += length + 1;
            // Zeros between frames are allowed, and some transports open each frame with ff 00.
            if !matches!(frame, [] | [0xff]) {
                lines.push(framed_line(&self.table, frame));
            }
        }
        if self.waiting.len() - start > LONGEST_FRAME {
            lines.push(Line::Damaged(self.waiting.len() - start));
            start = self.waiting.len();
        }
        self.waiting.drain(..start);
        lines
    }

    /// Without frames the next good one is found by trying every byte.
    fn unframed(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut start = 0;
        loop {
            match self.table.frame(&self.waiting[start..]) {
                Ok((frame, rest)) => {
                    if self.skipped > 0 {
                        lines.push(Line::Damaged(std::mem::take(&mut self.skipped)));
                    }
                    lines.push(log_line(&self.table, &frame));
                    start = self.waiting.len() - rest.len();
                }
                Err(NoFrame::Short) if self.waiting.len() - start <= LONGEST_FRAME => break,
                Err(_) => {
                    start += 1;
                    self.skipped += 1;
                }
            }
        }
        self.waiting.drain(..start);
        lines
    }
}

fn framed_line(table: &Table, frame: &[u8]) -> Line {
    if let Some(bytes) = rzcobs::decode(frame)
        && let Ok((frame, rest)) = table.frame(&bytes)
        // The encoding rounds up with zeros; anything else left over means that the strings are not those that run.
        && rest.iter().all(|byte| *byte == 0)
    {
        return log_line(table, &frame);
    }
    let trimmed = frame.strip_suffix(&[0xff]).unwrap_or(frame);
    match text(trimmed) {
        Some(text) => Line::Text(text),
        None => Line::Damaged(frame.len()),
    }
}

fn log_line(table: &Table, frame: &Frame) -> Line {
    Line::Log {
        timestamp: frame.timestamp.as_ref().map(|(format, arguments)| table.text(format, arguments, None)),
        level: match frame.role {
            Role::Log(level) => level,
            Role::Part => None,
        },
        message: table.text(frame.format, &frame.arguments, None),
        place: table.place(frame.number).cloned(),
    }
}

/// Bytes that are text a person would read.
fn text(bytes: &[u8]) -> Option<String> {
    let readable = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b | b' '..=b'~' | 0x80..);
    let text = std::str::from_utf8(bytes).ok()?;
    (bytes.len() >= 4 && bytes.iter().all(readable)).then(|| text.to_string())
}
