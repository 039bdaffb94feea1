//! Tools that a project defines in `.fwai/tools/*.yaml`: a command, arguments with a schema, and patterns
//! that say whether it went well.
//!
//! Arguments reach the command as environment variables, never as text of the command line, so that no
//! argument can become a command.

use crate::{
    prelude::*,
    shell::process::{self, Gathered},
    world::visible,
};
use fwai_agent::tool::CallContext;
use fwai_firmware::launch::LaunchSpec;
use fwai_llm::BoxFuture;
use fwai_schema::tool::{ArgumentType, ToolDef};
use regex::Regex;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

/// A tool made from a definition.
pub struct YamlTool {
    definition: ToolDef,
    schema: Value,
    success: Vec<Regex>,
    failure: Vec<Regex>,
    world: Arc<World>,
}

impl YamlTool {
    /// Checks a definition; the error says what is wrong with it.
    pub fn new(definition: ToolDef, world: Arc<World>) -> Result<Self, String> {
        let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if definition.name.is_empty() || definition.name.len() > 64 || !definition.name.chars().all(fine) {
            return Err(format!(
                "`{}` is no name for a tool: lower case, digits and underscores",
                definition.name
            ));
        }
        let compile = |patterns: &[String]| {
            patterns
                .iter()
                .map(|pattern| {
                    Regex::new(pattern).map_err(|error| format!("the pattern `{pattern}`: {error}"))
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            success: compile(&definition.success_patterns)?,
            failure: compile(&definition.failure_patterns)?,
            schema: schema(&definition),
            definition,
            world,
        })
    }

    fn variables(&self, arguments: &Value) -> Vec<(String, String)> {
        let mut variables = Vec::new();
        for (name, argument) in &self.definition.arguments {
            let value = match arguments.get(name).or(argument.default.as_ref()) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => continue,
                Some(other) => other.to_string(),
            };
            variables.push((name.clone(), value));
        }
        variables
    }

    /// The answer of a command that went well, with what it made: path, size and hash of each file.
    fn with_artifacts(&self, mut text: String) -> ToolOutcome {
        let root = self.world.project_dir.root();
        let mut made = Vec::new();
        for path in matching(root, &self.definition.artifacts) {
            let Ok((mut content, metadata)) = self.world.open_file(&path) else { continue };
            let mut hash = Sha256::new();
            // No further than its size: it may be growing.
            let bytes = std::io::copy(&mut (&mut content).take(metadata.len()), &mut Hashing(&mut hash));
            let Ok(bytes) = bytes else { continue };
            let shown = visible(&path.strip_prefix(root).unwrap_or(&path).to_string_lossy()).into_owned();
            let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            text.push_str(&format!("\nmade {shown}: {bytes} bytes, sha256 {digest}"));
            made.push(json!({"path": shown, "bytes": bytes, "sha256": digest}));
        }
        let outcome = ToolOutcome::ok(text);
        if made.is_empty() { outcome } else { outcome.with("artifacts", made) }
    }

    async fn execute(&self, arguments: Value, call: &CallContext) -> Result<ToolOutcome, HostError> {
        let definition = &self.definition;
        let world = &self.world;
        let launcher = world.launchers.for_call(call.mode, &call.scopes);
        let directory = match &definition.cwd {
            Some(cwd) => match world.project_dir.resolve(world.project_dir.root(), cwd) {
                Ok(path) => world.project_dir.root().join(path.as_path()),
                Err(error) => return Ok(ToolOutcome::failed(error.to_string())),
            },
            None => world.project_dir.root().to_owned(),
        };
        let mut spec = LaunchSpec::shell(&definition.command, directory)
            .timeout(Duration::from_secs(definition.timeout_s.max(1)));
        for (name, value) in definition.env.clone().into_iter().chain(self.variables(&arguments)) {
            spec = spec.env(name, value);
        }
        let mut child = match process::start(&*launcher, spec).await {
            Ok(child) => child,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let output = Arc::new(Mutex::new(Gathered::default()));
        let most = world.config.sandbox.output_mb << 20;
        let (exit, flooded) = match process::gather(&mut child, &output, most, |text| call.output(text)).await
        {
            Ok(end) => end,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let text = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).text();
        let failed = self.failure.iter().find(|pattern| pattern.is_match(&text));
        let succeeded = self.success.is_empty() || self.success.iter().any(|pattern| pattern.is_match(&text));
        let why = if let Some(pattern) = failed {
            Some(format!("the output matches the failure pattern `{}`", pattern.as_str()))
        } else if flooded || exit.timed_out {
            Some("it was stopped: too long or too loud".to_owned())
        } else if !exit.success() {
            Some(format!("exit code {}", exit.code.map_or("none".to_owned(), |code| code.to_string())))
        } else if !succeeded {
            Some("no success pattern matches the output".to_owned())
        } else {
            None
        };
        let outcome = match why {
            None => self.with_artifacts(text),
            Some(why) => ToolOutcome::failed(format!("{}\n({why})", text.trim_end())),
        };
        Ok(outcome.with("command", definition.command.clone()).with("exit_code", exit.code))
    }
}

impl DynTool for YamlTool {
    fn name(&self) -> &str {
        &self.definition.name
    }

    fn description(&self) -> &str {
        &self.definition.description
    }

    fn input_schema(&self) -> &Value {
        &self.schema
    }

    fn level(&self) -> Level {
        self.definition.level
    }

    fn generation(&self) -> u8 {
        1
    }

    // Whatever its level says, a command is a command.
    fn is_read_only(&self) -> bool {
        false
    }

    fn effects(&self, _arguments: &Value) -> Effects {
        Effects::command(&self.definition.command)
    }

    fn run(&self, arguments: Value, call: CallContext) -> BoxFuture<'_, Result<ToolOutcome, HostError>> {
        Box::pin(async move { self.execute(arguments, &call).await })
    }
}

/// What is written is hashed.
struct Hashing<'h>(&'h mut Sha256);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// At most so many files are told.
const MOST_ARTIFACTS: usize = 50;

/// Files below the project that globs name, ignored ones too: build output usually is.
fn matching(root: &Path, globs: &[String]) -> Vec<PathBuf> {
    if globs.is_empty() {
        return Vec::new();
    }
    let mut overrides = ignore::overrides::OverrideBuilder::new(root);
    for glob in globs {
        // A glob that cannot be read names nothing.
        let _ = overrides.add(&format!("/{}", glob.trim_start_matches("./").trim_start_matches('/')));
    }
    let Ok(overrides) = overrides.build() else { return Vec::new() };
    let mut walk = ignore::WalkBuilder::new(root);
    walk.standard_filters(false).follow_links(false).overrides(overrides);
    walk.filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != ".fwai");
    let mut found: Vec<PathBuf> = walk
        .build()
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .take(MOST_ARTIFACTS)
        .collect();
    found.sort();
    found
}

fn schema(definition: &ToolDef) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, argument) in &definition.arguments {
        let kind = match argument.kind {
            ArgumentType::String => "string",
            ArgumentType::Integer => "integer",
            ArgumentType::Number => "number",
            ArgumentType::Boolean => "boolean",
        };
        let mut property = json!({"type": kind, "description": argument.description});
        if !argument.choices.is_empty() {
            property["enum"] = json!(argument.choices);
        }
        if let Some(pattern) = &argument.pattern {
            property["pattern"] = json!(format!("^(?:{pattern})$"));
        }
        properties.insert(name.clone(), property);
        if argument.required {
            required.push(name.clone());
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}
