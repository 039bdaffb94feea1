//! `write_file`: creates or replaces a whole file.

use super::text;
use crate::{prelude::*, world::ToolPaths};

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
        let old = std::fs::read(ctx.project_dir.absolute(&path)).ok();
        // A file that was CRLF or UTF-16 stays so; what the model writes is plain text with `\n`.
        let bytes = match old.as_deref().and_then(text::decode) {
            Some((_, shape)) => match text::encode(&self.content, shape) {
                Ok(bytes) => bytes,
                Err(_) => self.content.into_bytes(),
            },
            None => self.content.into_bytes(),
        };
        if let Err(error) = ctx.project_dir.write_atomic(&path, &bytes) {
            return Ok(ToolOutcome::failed(error.to_string()));
        }
        let did = if old.is_some() { "replaced" } else { "created" };
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(ToolOutcome::ok(format!("{did} {path} ({lines} lines, {} bytes)", bytes.len()))
            .wrote(path.to_string()))
    }
}
