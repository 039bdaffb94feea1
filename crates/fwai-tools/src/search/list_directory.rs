//! `list_directory`: what lies in a directory, directories first.

use super::walk;
use crate::{
    prelude::*,
    world::{ToolPaths, visible},
};

const MOST: usize = 300;

/// List a directory with sizes; directories end in `/`. `depth` looks further down.
#[derive(Deserialize, JsonSchema)]
pub struct ListDirectory {
    /// The project unless given.
    #[serde(default)]
    path: Option<String>,
    /// How many levels to show; 1 unless given.
    #[serde(default)]
    depth: Option<usize>,
    /// Show what git ignores, too.
    #[serde(default)]
    hidden: bool,
}

impl Tool<World> for ListDirectory {
    const NAME: &str = "list_directory";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 2;

    fn examples() -> Vec<Example> {
        examples![("the project", {}, contains "src/"), ("two levels", {"depth": 2}, contains "src/main.c")]
    }

    fn effects(&self) -> Effects {
        Effects::reads(self.path.as_deref().unwrap_or("."))
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let start = match ctx.readable(self.path.as_deref().unwrap_or(".")) {
            Ok(start) => start,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        if !start.is_dir() {
            return Ok(ToolOutcome::failed(format!("{} is no directory; use read_file", ctx.shown(&start))));
        }
        let mut builder = match walk::builder(&start, None, self.hidden) {
            Ok(builder) => builder,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        builder.max_depth(Some(self.depth.unwrap_or(1).clamp(1, 8)));
        let mut entries = Vec::new();
        for entry in builder.build().filter_map(Result::ok).skip(1) {
            let Ok(below) = entry.path().strip_prefix(&start) else { continue };
            let name = visible(&below.to_string_lossy()).into_owned();
            let kind = entry.file_type();
            entries.push(if kind.is_some_and(|kind| kind.is_dir()) {
                (false, format!("{name}/"))
            } else if kind.is_some_and(|kind| kind.is_symlink()) {
                let target = std::fs::read_link(entry.path()).unwrap_or_default();
                (true, format!("{name} -> {}", visible(&target.to_string_lossy())))
            } else {
                (true, format!("{name}  {}", entry.metadata().map_or(0, |m| m.len())))
            });
            if entries.len() > MOST {
                break;
            }
        }
        entries.sort();
        if entries.is_empty() {
            return Ok(ToolOutcome::ok("the directory is empty"));
        }
        let more = if entries.len() > MOST { "\n(more entries; list a directory below)" } else { "" };
        let names: Vec<String> = entries.into_iter().take(MOST).map(|(_, name)| name).collect();
        Ok(ToolOutcome::ok(format!("{}{more}", names.join("\n"))))
    }
}
