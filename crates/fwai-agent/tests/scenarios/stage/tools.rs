//! A project in a temporary directory, and a few tools that really read, write and run there.

use fwai_agent::{prelude::*, registry::Registry};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::sync::Barrier;

/// The world of the tools.
pub struct Project {
    directory: tempfile::TempDir,
    /// Reads of `together/N` wait for each other here.
    pub together: Barrier,
}

impl Project {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, together: Barrier::new(3) }
    }

    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    /// Every file and its text.
    pub fn all(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut open = vec![self.root().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(self.root()).unwrap().to_owned();
                    found.push((name, fs::read_to_string(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }
}

pub fn registry(project: &Arc<Project>) -> Registry {
    Registry::new()
        .with::<_, Bash>(project)
        .with::<_, ReadFile>(project)
        .with::<_, WriteFile>(project)
        .with::<_, EditFile>(project)
        .with::<_, Grep>(project)
}

/// Run a shell command.
#[derive(Deserialize, JsonSchema)]
pub struct Bash {
    command: String,
}

impl Tool<Project> for Bash {
    const NAME: &str = "bash";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;

    fn effects(&self) -> Effects {
        Effects::command(&self.command)
    }

    async fn run(self, ctx: &ToolContext<Project>) -> Result<ToolOutcome, HostError> {
        if self.command == "hang" {
            ctx.output("hanging");
            std::future::pending::<()>().await;
        }
        let output =
            std::process::Command::new("sh").arg("-c").arg(&self.command).current_dir(ctx.root()).output()?;
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        Ok(if output.status.success() { ToolOutcome::ok(text) } else { ToolOutcome::failed(text) })
    }
}

/// Read a file.
#[derive(Deserialize, JsonSchema)]
pub struct ReadFile {
    path: String,
}

impl Tool<Project> for ReadFile {
    const NAME: &str = "read_file";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 1;

    fn effects(&self) -> Effects {
        Effects::reads(&self.path)
    }

    async fn run(self, ctx: &ToolContext<Project>) -> Result<ToolOutcome, HostError> {
        if let Some(number) = self.path.strip_prefix("together/") {
            ctx.together.wait().await;
            // The first call ends last.
            for _ in 0..10 - number.parse::<u32>().unwrap() {
                tokio::task::yield_now().await;
            }
            return Ok(ToolOutcome::ok(format!("content {number}")));
        }
        Ok(match fs::read_to_string(ctx.root().join(&self.path)) {
            Ok(text) => ToolOutcome::ok(text).read(self.path),
            Err(_) => ToolOutcome::failed(format!("{} does not exist", self.path)),
        })
    }
}

/// Write a file.
#[derive(Deserialize, JsonSchema)]
pub struct WriteFile {
    path: String,
    content: String,
}

impl Tool<Project> for WriteFile {
    const NAME: &str = "write_file";
    const LEVEL: Level = Level::Write;
    const GENERATION: u8 = 1;

    fn effects(&self) -> Effects {
        Effects::writes(&self.path)
    }

    async fn run(self, ctx: &ToolContext<Project>) -> Result<ToolOutcome, HostError> {
        ctx.write(&self.path, &self.content);
        Ok(ToolOutcome::ok(format!("wrote {}", self.path)).wrote(self.path))
    }
}

/// Replace a text in a file.
#[derive(Deserialize, JsonSchema)]
pub struct EditFile {
    path: String,
    old: String,
    new: String,
}

impl Tool<Project> for EditFile {
    const NAME: &str = "edit_file";
    const LEVEL: Level = Level::Write;
    const GENERATION: u8 = 1;

    fn effects(&self) -> Effects {
        Effects::writes(&self.path)
    }

    async fn run(self, ctx: &ToolContext<Project>) -> Result<ToolOutcome, HostError> {
        let text = ctx.read(&self.path);
        if !text.contains(&self.old) {
            return Ok(ToolOutcome::failed(format!("{} does not contain that", self.path)));
        }
        ctx.write(&self.path, &text.replace(&self.old, &self.new));
        Ok(ToolOutcome::ok(format!("edited {}", self.path)).wrote(self.path))
    }
}

/// Search files.
#[derive(Deserialize, JsonSchema)]
pub struct Grep {
    /// What to look for.
    pattern: String,
    path: Option<String>,
}

impl Tool<Project> for Grep {
    const NAME: &str = "grep";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 2;

    async fn run(self, ctx: &ToolContext<Project>) -> Result<ToolOutcome, HostError> {
        let below = self.path.unwrap_or_default();
        let mut lines = Vec::new();
        for (path, text) in ctx.all() {
            for (number, line) in text.lines().enumerate() {
                let found = line.to_lowercase().contains(&self.pattern.to_lowercase());
                if path.starts_with(&below) && found {
                    lines.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
        }
        Ok(if lines.is_empty() { ToolOutcome::failed("no match") } else { ToolOutcome::ok(lines.join("\n")) })
    }
}
