//! `bash`: a shell command inside the walls.
//!
//! The working directory stays from call to call: a command line that may change it is followed by a line
//! that writes `$PWD` to a file of this call, and the next call starts there. A line that is one program with
//! its arguments runs without a shell, which would cost more than the walls.

use super::process::{self, Gathered};
use crate::{prelude::*, world::ToolPaths};
use fwai_firmware::launch::{Bound, Exit, Grants, LaunchSpec};
use fwai_policy::shell::need;
use fwai_schema::config::SandboxConfig;
use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

const LONGEST_S: u64 = 3_600;

/// Run a shell command in the project, inside a sandbox: the project is writable, the rest of the system read-only, the network off unless asked for. The working directory stays between calls.
#[derive(Deserialize, JsonSchema)]
pub struct Bash {
    command: String,
    /// Seconds before it is stopped; 120 unless given.
    #[serde(default)]
    timeout_s: Option<u64>,
    /// Return at once and go on in the background; read with bash_output, end with kill_job.
    #[serde(default)]
    background: bool,
    /// Ask for the network.
    #[serde(default)]
    network: bool,
}

impl Tool<World> for Bash {
    const NAME: &str = "bash";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;
    // In plan mode the walls make everything read-only, so that looking around by shell stays possible.
    const IN_PLAN_MODE: bool = true;

    fn examples() -> Vec<Example> {
        examples![
            ("a command", {"command": "echo hello"}, contains "hello"),
            ("a command that fails", {"command": "exit 3"}, fails_with "exit code 3"),
        ]
    }

    fn effects(&self) -> Effects {
        let urls = if self.network { vec!["*".to_owned()] } else { Vec::new() };
        Effects { urls, ..Effects::command(&self.command) }
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let launcher = ctx.launchers.for_call(ctx.mode(), &ctx.call.scopes);
        let cwd =
            Some(ctx.shell_cwd()).filter(|cwd| cwd.is_dir()).unwrap_or_else(|| ctx.project_root().to_owned());
        let moves = !need::keeps_directory(&self.command);
        let keeper = moves.then(|| tempfile::Builder::new().prefix("fwai-cwd-").tempfile()).transpose()?;
        let keeper = keeper.as_ref().map(|keeper| keeper.path());
        let line = match keeper {
            None => self.command.clone(),
            Some(keeper) => format!(
                "{}\nfwai_exit=$?; pwd -P > {} 2>/dev/null; exit $fwai_exit",
                self.command,
                keeper.display()
            ),
        };
        let limit = Duration::from_secs(self.timeout_s.unwrap_or(120).clamp(1, LONGEST_S));
        let grants = Grants {
            network: self.network,
            write: keeper.into_iter().map(Path::to_owned).collect(),
            ..Grants::default()
        };
        let only_reads = only_reads(&self.command, self.network, ctx.project_root());
        let spec = |argv: Vec<String>| {
            let spec = LaunchSpec::argv(argv, &cwd)
                .grants(grants.clone())
                .only_reads(only_reads)
                .env("TERM", "dumb")
                .env("PAGER", "cat")
                .env("GIT_PAGER", "cat")
                .env("PWD", &cwd);
            if self.background { spec } else { spec.timeout(limit) }
        };
        let program = Some(&self.command).filter(|_| !shell_has_settings());
        let started = match program.and_then(|line| need::without_shell(line)) {
            Some(argv) => process::start(&*launcher, spec(argv)).await,
            None => Err(String::new()),
        };
        let started = match started {
            Ok(child) => Ok(child),
            // Also for a program that cannot be started: a shell says why in words that everybody knows.
            Err(_) => process::start(&*launcher, spec(vec!["/bin/bash".into(), "-c".into(), line])).await,
        };
        let mut child = match started {
            Ok(child) => child,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let output = Arc::new(Mutex::new(Gathered::default()));
        let most = ctx.config.sandbox.output_mb << 20;
        if self.background {
            let id = ctx.jobs.adopt(self.command.clone(), child, output, most);
            return Ok(ToolOutcome::ok(format!(
                "started {id}; read it with bash_output, end it with kill_job"
            ))
            .with("job", id));
        }
        let (exit, flooded) = match process::gather(&mut child, &output, most, |text| ctx.output(text)).await
        {
            Ok(end) => end,
            Err(why) => return Ok(ToolOutcome::failed(format!("the command was lost: {why}"))),
        };
        if let Some(keeper) = keeper {
            remember_cwd(ctx, keeper);
        }
        let removed: Vec<String> = child.removed().iter().map(|path| ctx.shown(path)).collect();
        let text = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).text();
        let mut outcome = outcome(&text, exit, flooded, limit, most);
        if let Some(bound) = child.overran() {
            outcome =
                ToolOutcome::failed(format!("{}\n({})", outcome.text(), overran(bound, &ctx.config.sandbox)));
        }
        if !removed.is_empty() {
            let said = format!(
                "{}\n(refused: the command made {}, which policy.protected_paths protects; it was taken away again)",
                outcome.text(),
                removed.join(", ")
            );
            outcome = ToolOutcome::failed(said).with("removed", removed);
        }
        Ok(outcome.with("command", self.command).with("exit_code", exit.code))
    }
}

/// Whether the user has told every bash to do something first or otherwise.
fn shell_has_settings() -> bool {
    ["BASH_ENV", "SHELLOPTS", "BASHOPTS"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Why the walls ended a command.
pub fn overran(bound: Bound, config: &SandboxConfig) -> String {
    match bound {
        Bound::Memory => {
            format!("its processes together took more than {} MB, sandbox.memory_mb", config.memory_mb)
        }
        Bound::Processor => format!(
            "its processes together took more than {} s of processor time, sandbox.cpu_s",
            config.cpu_s
        ),
    }
}

/// Whether a command is judged to change nothing, so that it runs with everything read-only and nothing
/// need be kept for undo.
pub fn only_reads(command: &str, network: bool, root: &Path) -> bool {
    !network && fwai_policy::shell::judge::only_reads(command, &root.to_string_lossy())
}

fn outcome(text: &str, exit: Exit, flooded: bool, limit: Duration, most: u64) -> ToolOutcome {
    let text = text.trim_end();
    let end = match exit {
        _ if flooded => format!("stopped: more than {} MB of output", most >> 20),
        Exit { timed_out: true, .. } => {
            format!("stopped after {} s; raise timeout_s, or use background", limit.as_secs())
        }
        Exit { code: Some(0), .. } => {
            return ToolOutcome::ok(if text.is_empty() { "(no output)" } else { text });
        }
        Exit { code: Some(code), .. } => format!("exit code {code}"),
        Exit { signal: Some(signal), .. } => format!("ended by signal {signal}"),
        _ => "ended in an unknown way".to_owned(),
    };
    ToolOutcome::failed(if text.is_empty() { end } else { format!("{text}\n({end})") })
}

/// A directory outside the project is not kept: the next call starts in the project again.
fn remember_cwd(ctx: &ToolContext<World>, keeper: &Path) {
    let Ok(text) = std::fs::read_to_string(keeper) else { return };
    let directory = Path::new(text.trim_end_matches('\n'));
    if directory.starts_with(ctx.project_dir.root()) && directory.is_dir() {
        ctx.set_shell_cwd(directory.to_owned());
    }
}
