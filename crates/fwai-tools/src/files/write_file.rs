//! `write_file`: creates or replaces a whole file.

use super::text;
use crate::{prelude::*, world::ToolPaths};
use std::io::Read;

/// Write a whole file; missing directories are made. To change a part of a file use edit_file.
#[derive(Deserialize, JsonSchema)]
pub struct WriteFile {
    /// Path below the project.
    path: String,
    /// The whole new content.
    content: String,
}

impl Tool<World> for WriteFile {
    const NAME: &str = "write_file";
    const LEVEL: Level = Level::Write;
    const GENERATION: u8 = 1;

    fn examples() -> Vec<Example> {
        examples![
            ("a new file", {"path": "src/led.h", "content": "#pragma once\n"}, contains "created src/led.h"),
            ("outside the project", {"path": "../led.h", "content": ""}, fails_with "outside the project"),
        ]
    }

    fn effects(&self) -> Effects {
        Effects::writes(&self.path)
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let path = match ctx.writable(&self.path) {
            Ok(path) => path,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let old = ctx.project_dir.open_read(&path).ok().and_then(|file| {
            let mut bytes = Vec::new();
            file.take(text::LARGEST_EDITED).read_to_end(&mut bytes).ok().map(|_| bytes)
        });
        let did = if old.is_some() { "replaced" } else { "created" };
        // A file that was CRLF or UTF-16 stays so; what the model writes is plain text with `\n`.
        let shaped =
            old.and_then(text::decode).and_then(|(_, shape)| text::encode(&self.content, shape).ok());
        let bytes = shaped.unwrap_or_else(|| self.content.as_bytes().into());
        if let Err(error) = ctx.project_dir.write_atomic(&path, &bytes) {
            return Ok(ToolOutcome::failed(error.to_string()));
        }
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(ToolOutcome::ok(format!("{did} {path} ({lines} lines, {} bytes)", bytes.len()))
            .wrote(path.to_string()))
    }
}
