//! `glob`: files by name.

use super::walk;
use crate::{prelude::*, world::ToolPaths};
use ignore::WalkState;
use std::{sync::mpsc, time::SystemTime};

const MOST: usize = 200;

/// Find files by a glob such as `**/*.ld` or `src/*.{c,h}`; the newest come first. Files that git ignores are left out unless `hidden` is set.
#[derive(Deserialize, JsonSchema)]
pub struct Glob {
    pattern: String,
    /// Directory to search; the project unless given.
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    hidden: bool,
}

impl Tool<World> for Glob {
    const NAME: &str = "glob";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 2;

    fn examples() -> Vec<Example> {
        examples![
            ("all C files", {"pattern": "**/*.c"}, contains "src/main.c"),
            ("nothing found", {"pattern": "*.zig"}, contains "no files"),
        ]
    }

    fn effects(&self) -> Effects {
        Effects::reads(self.path.as_deref().unwrap_or("."))
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let start = match ctx.readable(self.path.as_deref().unwrap_or(".")) {
            Ok(start) => start,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let builder = match walk::builder(&start, Some(&self.pattern), self.hidden) {
            Ok(builder) => builder,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let (sender, receiver) = mpsc::channel();
        let world = ctx.world().clone();
        let cancel = ctx.cancel().clone();
        let walk = tokio::task::spawn_blocking(move || {
            builder.build_parallel().run(|| {
                let (sender, world, cancel) = (sender.clone(), world.clone(), cancel.clone());
                Box::new(move |entry| {
                    if cancel.is_cancelled() {
                        return WalkState::Quit;
                    }
                    if let Ok(entry) = entry
                        && entry.file_type().is_some_and(|kind| kind.is_file())
                        && world.may_read(entry.path())
                    {
                        let changed = entry.metadata().ok().and_then(|m| m.modified().ok());
                        let _ = sender.send((changed.unwrap_or(SystemTime::UNIX_EPOCH), entry.into_path()));
                    }
                    WalkState::Continue
                })
            });
        });
        walk.await.map_err(|error| HostError::new(error.to_string()))?;
        let mut found: Vec<_> = receiver.into_iter().collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        if found.is_empty() {
            return Ok(ToolOutcome::ok(format!("no files match `{}`", self.pattern)));
        }
        let mut lines: Vec<String> = found.iter().take(MOST).map(|(_, path)| ctx.shown(path)).collect();
        if found.len() > MOST {
            lines.push(format!("({} more; narrow the pattern)", found.len() - MOST));
        }
        Ok(ToolOutcome::ok(lines.join("\n")))
    }
}
