//! `read_file`: a file with line numbers, a part of it, or an image.

use super::text;
use crate::{prelude::*, world::ToolPaths};
use base64::Engine;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

/// Larger files are read by range only, without loading them.
const WHOLE_LIMIT: u64 = 8 << 20;
const IMAGE_LIMIT: u64 = 4 << 20;
const LINE_LIMIT: usize = 2_000;

/// Read a file. Text comes with line numbers; give `offset` and `limit` for a part of a large file. Images are shown.
#[derive(Deserialize, JsonSchema)]
pub struct ReadFile {
    /// Path, relative to the project or absolute.
    path: String,
    /// First line to read, from 1.
    #[serde(default)]
    offset: Option<u64>,
    /// How many lines to read; 2000 unless given.
    #[serde(default)]
    limit: Option<u64>,
}

impl Tool<World> for ReadFile {
    const NAME: &str = "read_file";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 1;

    fn examples() -> Vec<Example> {
        examples![
            ("a file with line numbers", {"path": "src/main.c"}, contains "1\tint main"),
            ("a part of it", {"path": "src/main.c", "offset": 2, "limit": 1}, contains "2\t"),
            ("a file that is not there", {"path": "src/mian.c"}, fails_with "did you mean main.c"),
        ]
    }

    fn effects(&self) -> Effects {
        Effects::reads(&self.path)
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let real = match ctx.readable(&self.path) {
            Ok(real) => real,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let name = ctx.shown(&real);
        Ok(match self.read(&real, ctx) {
            Ok(outcome) => outcome.read(name),
            Err(why) => ToolOutcome::failed(format!("{name}: {why}")),
        })
    }
}

impl ReadFile {
    fn read(&self, real: &std::path::Path, ctx: &ToolContext<World>) -> Result<ToolOutcome, String> {
        let (mut file, metadata) = ctx.open_file(real).map_err(|error| error.to_string())?;
        let mut head = Vec::new();
        file.by_ref().take(8192).read_to_end(&mut head).map_err(|error| error.to_string())?;
        if let Some(media_type) = image_type(&head) {
            if metadata.len() > IMAGE_LIMIT {
                return Err(format!("is an image of {} bytes, too large to show", metadata.len()));
            }
            file.take(IMAGE_LIMIT).read_to_end(&mut head).map_err(|error| error.to_string())?;
            return Ok(ToolOutcome::image(
                media_type,
                base64::engine::general_purpose::STANDARD.encode(head),
            ));
        }
        if metadata.len() > WHOLE_LIMIT {
            return self.read_huge(file, &head);
        }
        file.take(WHOLE_LIMIT).read_to_end(&mut head).map_err(|error| error.to_string())?;
        let (length, beginning) = (head.len(), head[..head.len().min(128)].to_vec());
        let Some((text, _)) = text::decode(head) else {
            let dump = hex_dump(&beginning);
            return Ok(ToolOutcome::ok(format!("binary file, {length} bytes; begins with\n{dump}")));
        };
        if text.is_empty() {
            return Ok(ToolOutcome::ok("the file is empty"));
        }
        Ok(self.numbered(text.lines().map(str::to_owned)))
    }

    /// Goes through the file line by line and keeps only what was asked for.
    fn read_huge(&self, mut file: std::fs::File, head: &[u8]) -> Result<ToolOutcome, String> {
        if memchr::memchr(0, head).is_some() {
            return Ok(ToolOutcome::ok(format!("large binary file; begins with\n{}", hex_dump(head))));
        }
        file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        Ok(self.numbered(std::iter::from_fn(move || next_line(&mut reader))))
    }

    fn numbered(&self, lines: impl Iterator<Item = String>) -> ToolOutcome {
        let first = self.offset.unwrap_or(1).max(1);
        let limit = self.limit.unwrap_or(2_000).max(1);
        let end = first.saturating_add(limit);
        let mut out = String::new();
        let mut total = 0u64;
        for line in lines {
            total += 1;
            if total < first || total >= end {
                continue;
            }
            let line = line.trim_end_matches('\r');
            match line.char_indices().nth(LINE_LIMIT) {
                Some((end, _)) => out.push_str(&format!("{total:>6}\t{}… (line cut)\n", &line[..end])),
                None => out.push_str(&format!("{total:>6}\t{line}\n")),
            }
        }
        if total < first {
            return ToolOutcome::failed(format!(
                "the file has {total} lines; `offset` {first} is behind its end"
            ));
        }
        if total >= end {
            out.push_str(&format!("({total} lines in all; go on with offset {end})"));
        }
        ToolOutcome::ok(out)
    }
}

/// The beginning of the next line, whatever its length: a file may be one line of gigabytes.
fn next_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = reader.fill_buf().ok()?;
        if buffer.is_empty() {
            return any.then(|| String::from_utf8_lossy(&line).into_owned());
        }
        any = true;
        let end = memchr::memchr(b'\n', buffer);
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        let room = (4 * LINE_LIMIT + 4).saturating_sub(line.len()).min(piece.len());
        line.extend_from_slice(&piece[..room]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
    }
}

fn image_type(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn hex_dump(bytes: &[u8]) -> String {
    bytes
        .chunks(16)
        .take(8)
        .enumerate()
        .map(|(row, chunk)| {
            let hex: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
            let text: String = chunk
                .iter()
                .map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' })
                .collect();
            format!("{:08x}  {:<47}  {text}", row * 16, hex.join(" "))
        })
        .collect::<Vec<_>>()
        .join("\n")
}
