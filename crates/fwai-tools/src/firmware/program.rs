//! Running one of the program's own commands and reading its one JSON object.

use crate::prelude::*;
use serde_json::Value;
use std::{process::Stdio, time::Duration};
use tokio::process::Command;

/// What a command said.
pub struct Said {
    pub ok: bool,
    /// None where it was stopped.
    pub exit_code: Option<i32>,
    /// Its JSON object; `Null` where it gave none.
    pub object: Value,
    /// What it told people.
    pub notes: String,
}

impl Said {
    /// The outcome with the run that the command left.
    pub fn outcome(&self, text: String) -> ToolOutcome {
        let outcome = if self.ok { ToolOutcome::ok(text) } else { ToolOutcome::failed(text) };
        let outcome = match self.exit_code {
            Some(code) => outcome.with("exit_code", code),
            None => outcome,
        };
        match self.object["run_id"].as_str() {
            Some(run) => outcome.with("run_id", run),
            None => outcome,
        }
    }

    /// For a command that could not even begin: what it said, whole.
    pub fn failure(&self) -> Option<ToolOutcome> {
        let message = self.object["error"]["message"].as_str();
        if self.ok || (self.object["run_id"].is_string() && message.is_none()) {
            return None;
        }
        let hint =
            self.object["error"]["hint"].as_str().map(|hint| format!("\nnext: {hint}")).unwrap_or_default();
        let text = message.map_or_else(|| self.notes.trim().to_owned(), str::to_owned);
        Some(self.outcome(format!("{text}{hint}")))
    }
}

/// Runs `fwai ARGUMENTS --json --yes`. Permission was given before; an interrupt ends it.
pub async fn fwai(ctx: &ToolContext<World>, arguments: &[&str], limit: Duration) -> Result<Said, HostError> {
    let mut command = Command::new(&ctx.program);
    command
        .args(arguments)
        .args(["--json", "--yes", "--color", "never", "--lifeline", &std::process::id().to_string(), "-C"])
        .arg(ctx.project_root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let child =
        command.spawn().map_err(|error| HostError::new(format!("{}: {error}", ctx.program.display())))?;
    let output = match tokio::time::timeout(limit, child.wait_with_output()).await {
        Ok(output) => output?,
        Err(_) => {
            let notes = format!("stopped after {} s", limit.as_secs());
            return Ok(Said { ok: false, exit_code: None, object: Value::Null, notes });
        }
    };
    Ok(Said {
        ok: output.status.success(),
        exit_code: output.status.code(),
        object: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
        notes: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The end of a text, whole lines, at most `limit` bytes.
pub fn tail(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut start = text.len() - limit;
    while !text.is_char_boundary(start) {
        start += 1;
    }
    match text[start..].find('\n') {
        Some(line) => &text[start + line + 1..],
        None => &text[start..],
    }
}
