//! `fwai sandbox`: run any command behind the walls, with its own output and exit code.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::say,
};
use fwai_app::{effective_policy, walls};
use fwai_policy::shell::judge;
use fwai_schema::{config::SandboxWalls, permission::Mode};
use fwai_tools::{
    sandbox::{Network, Sandbox, SandboxCommand, SandboxError, SandboxSpec, Sandboxed, Stdio},
    shell::overran,
};
use std::{
    ffi::OsString,
    fs::File,
    io::{IsTerminal, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

/// Run a command behind the walls
///
/// The project is writable except for protected paths, the rest of the system is read-only, secrets cannot be
/// read, and there is no network unless it is granted. Without a command it says which walls there are.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai sandbox -- make -j4\n  fwai sandbox --mode plan -- git status\n  fwai sandbox --allow-network -- cargo fetch\n  fwai sandbox --device /dev/ttyACM0 -- picocom /dev/ttyACM0\n  fwai sandbox --explain -- git commit -m x"
)]
pub struct Args {
    /// plan makes everything read-only
    #[arg(long, value_enum, default_value_t = SandboxMode::Act)]
    mode: SandboxMode,
    /// Open the machine's network
    #[arg(long)]
    allow_network: bool,
    /// A further directory that may be written
    #[arg(long, value_name = "DIRECTORY")]
    writable: Vec<PathBuf>,
    /// A device node that may be used
    #[arg(long, value_name = "DEVICE")]
    device: Vec<PathBuf>,
    /// Say what is open and what is closed instead of running anything
    #[arg(long)]
    explain: bool,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SandboxMode {
    Plan,
    Act,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if args.command.is_empty() && !args.explain {
        return show(context);
    }
    let config = &context.config()?.config;
    let policy = effective_policy::load(&context.paths, config).map_err(Failure::usage)?;
    let walls = walls::wanted(config, &policy);
    if walls == SandboxWalls::Off {
        context.warn(say!("sandbox-off"));
    }
    let mode = if args.mode == SandboxMode::Plan { Mode::Plan } else { Mode::Auto };
    let mut spec = SandboxSpec::configured(&context.paths.project, &config.sandbox, &policy, mode);
    spec.writable.extend(args.writable);
    spec.devices.extend(args.device);
    if args.allow_network {
        spec.network = Network::Host;
    }
    spec.git_writes = mode != Mode::Plan && writes_git(&args.command, &spec.root);
    let Some((program, arguments)) = args.command.split_first().filter(|_| !args.explain) else {
        return explain(context, &spec, walls == SandboxWalls::Required && Sandbox::probe().has_walls());
    };
    let stdout_limit = spec.limits.output_mb.saturating_mul(1024 * 1024);
    let tty = std::io::stdout().is_terminal();
    let command = SandboxCommand {
        cwd: context.flags.directory.clone().or_else(|| std::env::current_dir().ok()),
        stdin: Stdio::Inherit,
        stdout: if tty { Stdio::Inherit } else { Stdio::Piped },
        stderr: if std::io::stderr().is_terminal() { Stdio::Inherit } else { Stdio::Piped },
        ..SandboxCommand::new(program).args(arguments.iter().cloned())
    };
    let sandbox = Sandbox::new(walls).map_err(refused)?;
    let mut child = sandbox.spawn(&spec, command).map_err(refused)?;
    let cut = forward(&mut child, stdout_limit);
    let status = child
        .wait_blocking()
        .map_err(|error| Failure::failed(format_args!("cannot wait for the command: {error}")))?;
    for path in child.removed() {
        context.warn(say!("sandbox-removed", path = path.display()));
    }
    if cut {
        return Err(Failure::failed(format_args!(
            "the command wrote more than {} MB and was ended",
            spec.limits.output_mb
        ))
        .hint("raise sandbox.output_mb, or write into a file"));
    }
    if let Some(bound) = child.overran() {
        return Err(Failure::failed(format_args!(
            "the command was ended: {}",
            overran(bound, &config.sandbox)
        ))
        .hint("raise that setting, or make the command do less"));
    }
    if status.success() && !child.removed().is_empty() {
        std::process::exit(i32::from(Kind::Denied.code()));
    }
    std::process::exit(status.shell_code())
}

/// The same question as for a command of a model: is it git that wants to write git's files?
fn writes_git(command: &[OsString], root: &Path) -> bool {
    let quoted: Vec<String> =
        command.iter().map(|word| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))).collect();
    judge::is_git_writing(&quoted.join(" "), &root.to_string_lossy())
}

fn refused(error: SandboxError) -> Failure {
    match error {
        SandboxError::NoWalls { .. }
        | SandboxError::Wall { .. }
        | SandboxError::TooWide { .. }
        | SandboxError::TooManyMounts { .. } => Failure::new(Kind::Denied, error),
        // As a shell has it.
        SandboxError::NotFound { .. } | SandboxError::Exec { .. } | SandboxError::NoDirectory { .. } => {
            Failure::failed(error)
        }
        other => Failure::usage(other),
    }
}

/// Copy the command's output to ours; true when it was more than `limit` bytes.
fn forward(child: &mut Sandboxed, limit: u64) -> bool {
    let left = AtomicU64::new(limit);
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let over = std::thread::scope(|scope| {
        let errors = stderr.map(|stream| scope.spawn(|| copy(stream, &mut std::io::stderr(), &left)));
        let output = stdout.is_some_and(|stream| copy(stream, &mut std::io::stdout(), &left));
        if output {
            // Nobody reads on, so that the other stream must end too.
            let _ = child.kill();
        }
        output | errors.is_some_and(|thread| thread.join().unwrap_or(false))
    });
    if over {
        let _ = child.kill();
    }
    over
}

/// True when the budget ran out.
fn copy(mut from: File, to: &mut impl Write, left: &AtomicU64) -> bool {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) | Err(_) => return false,
            Ok(count) => count,
        };
        let before = left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left.saturating_sub(count as u64))
            })
            .unwrap_or(0);
        let fits = count.min(usize::try_from(before).unwrap_or(count));
        // A closed reader ends the command through its own broken pipe, which is our dropped one.
        if to.write_all(&buffer[..fits]).and_then(|()| to.flush()).is_err() {
            return false;
        }
        if fits < count {
            return true;
        }
    }
}

/// What a command with these walls could see and change.
fn explain(context: &Context, spec: &SandboxSpec, walls: bool) -> Result<(), Failure> {
    let texts = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    let mut protected: Vec<String> = match spec.git_writes {
        true => {
            ["hooks", "config", "info", "modules", "worktrees"].map(|name| format!(".git/{name}")).to_vec()
        }
        false => vec![".git".to_owned()],
    };
    protected.push(".fwai".to_owned());
    protected.extend(spec.protected.iter().cloned());
    let mut writable = match (&spec.allowed, spec.read_only) {
        (_, true) => Vec::new(),
        (None, _) => vec![spec.root.display().to_string()],
        (Some(globs), _) => globs.clone(),
    };
    if !spec.read_only {
        writable.extend(texts(&spec.writable));
    }
    let network = match &spec.network {
        Network::Off => "off".to_owned(),
        Network::Ports(ports) => format!("loopback {ports:?}"),
        Network::Host => "open".to_owned(),
    };
    let (unreadable, devices) = (texts(&spec.unreadable), texts(&spec.devices));
    let limits = spec.limits;
    if context.json() {
        context.print_json(&serde_json::json!({
            "walls": walls,
            "writable": writable,
            "protected": protected,
            "unreadable": unreadable,
            "network": network,
            "devices": devices,
            "limits": {
                "memory_mb": limits.memory_mb, "processes": limits.processes, "output_mb": limits.output_mb,
                "cpu_s": limits.cpu_s, "file_mb": limits.file_mb,
            },
        }));
        return Ok(());
    }
    let listed = |paths: &[String]| match paths.is_empty() {
        true => say!("sandbox-nothing"),
        false => paths.join("\n    "),
    };
    context.print(if walls { say!("sandbox-walls") } else { say!("sandbox-none-around") });
    context.print(format_args!("  {}\n    {}", say!("sandbox-writable"), listed(&writable)));
    context.print(format_args!("  {}\n    {}", say!("sandbox-protected"), listed(&protected)));
    context.print(format_args!("  {}\n    {}", say!("sandbox-unreadable"), listed(&unreadable)));
    context.print(format_args!("  {}\n    {}", say!("sandbox-devices"), listed(&devices)));
    context.print(format_args!(
        "  {}",
        match spec.network {
            Network::Host => say!("sandbox-network-open"),
            _ => say!("sandbox-network-off"),
        }
    ));
    let bounds = say!(
        "sandbox-bounds",
        memory = limits.memory_mb,
        processes = limits.processes,
        output = limits.output_mb,
        seconds = limits.cpu_s.unwrap_or_default()
    );
    context.print(format_args!("  {bounds}"));
    Ok(())
}

fn show(context: &Context) -> Result<(), Failure> {
    let probe = Sandbox::probe();
    if context.json() {
        context.print_json(&serde_json::json!({ "walls": probe.has_walls(), "probe": probe }));
        return Ok(());
    }
    let yes = |there: bool| if there { say!("yes") } else { say!("no") };
    let landlock = if probe.landlock_abi > 0 { format!("ABI {}", probe.landlock_abi) } else { yes(false) };
    let bubblewrap =
        if probe.bubblewrap { say!("sandbox-bubblewrap") } else { say!("sandbox-no-bubblewrap") };
    context.print(if probe.has_walls() { say!("sandbox-walls") } else { say!("sandbox-no-walls") });
    context.print(format_args!("  {}", say!("sandbox-namespaces", there = yes(probe.user_namespaces))));
    context.print(format_args!("  Landlock: {landlock}\n  seccomp: {}", yes(probe.seccomp)));
    context.print(format_args!("  {}", say!("sandbox-process-limit", there = yes(probe.process_limit))));
    context.print(format_args!("  bubblewrap: {bubblewrap}"));
    for missing in &probe.missing {
        context.print(format_args!("  {}", say!("sandbox-missing", what = missing)));
    }
    Ok(())
}
