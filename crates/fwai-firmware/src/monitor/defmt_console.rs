//! [`DefmtConsole`]: a console whose bytes are defmt frames, read as the lines that the firmware meant.

use std::{sync::Arc, time::Duration};

use crate::{
    boards::{BoardError, Console, ConsoleEvent},
    defmt::{Level, Line, Stream, Table},
    launch::BoxFuture,
};

/// Decodes another console's bytes.
pub struct DefmtConsole {
    inner: Box<dyn Console>,
    stream: Stream,
    /// Damaged places in a row.
    damaged: usize,
}

impl DefmtConsole {
    /// Read a console with the strings of the image that runs.
    pub fn new(inner: Box<dyn Console>, table: Arc<Table>) -> Self {
        Self { inner, stream: Stream::new(table), damaged: 0 }
    }

    fn text(&mut self, lines: Vec<Line>) -> String {
        let mut text = String::new();
        for line in lines {
            if let Line::Damaged(bytes) = line {
                self.damaged += 1;
                // A wrong ELF damages everything: said once, then counted.
                if self.damaged == 1 {
                    text.push_str(&format!(
                        "[{bytes} bytes are no defmt frame of this ELF: lost bytes, or another image runs]\n"
                    ));
                }
                continue;
            }
            if self.damaged > 1 {
                text.push_str(&format!("[{} more damaged frames left out]\n", self.damaged - 1));
            }
            self.damaged = 0;
            text.push_str(&shown(&line));
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }
}

/// `0.001250 WARN too hot (src/main.rs:12)`; the place where something is wrong.
fn shown(line: &Line) -> String {
    match line {
        Line::Log { timestamp, level, message, place } => {
            let mut text = String::new();
            if let Some(timestamp) = timestamp {
                text.push_str(timestamp);
                text.push(' ');
            }
            if let Some(level) = level {
                text.push_str(level.as_str());
                text.push(' ');
            }
            text.push_str(message);
            if let (Some(Level::Warn | Level::Error), Some(place)) = (level, place) {
                text.push_str(&format!(" ({}:{})", place.file, place.line));
            }
            text
        }
        Line::Text(text) => text.clone(),
        Line::Damaged(bytes) => format!("[{bytes} damaged bytes]"),
    }
}

impl Console for DefmtConsole {
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
        Box::pin(async move {
            let lines = match self.inner.next(wait).await? {
                ConsoleEvent::Bytes(bytes) => self.stream.received(&bytes),
                ConsoleEvent::Quiet => Vec::from_iter(self.stream.silent()),
                other => return Ok(other),
            };
            Ok(match self.text(lines) {
                text if text.is_empty() => ConsoleEvent::Quiet,
                text => ConsoleEvent::Bytes(text.into_bytes()),
            })
        })
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
        self.inner.send(bytes)
    }
}
