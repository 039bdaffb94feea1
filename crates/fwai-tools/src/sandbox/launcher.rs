//! The sandbox as the `Launcher` of `fwai-firmware`: builds, flashers, debuggers and virtual boards run
//! behind the same walls as everything else, opened by what each launch says it needs.

use super::{
    child::Sandboxed,
    command::{SandboxCommand, Stdio},
    spec::{Network, SandboxSpec},
    walls::{Sandbox, SandboxError},
};
use fwai_firmware::launch::{
    Bound, BoxFuture, Child, ChildControl, Exit, LaunchError, LaunchSpec, Launcher, Program, Stream,
};
use fwai_policy::shell::judge;
use std::{borrow::Cow, io};

/// Launches behind walls.
#[derive(Clone)]
pub struct SandboxLauncher {
    sandbox: Sandbox,
    spec: SandboxSpec,
}

impl SandboxLauncher {
    /// `spec` is what every launch gets; its grants open more.
    pub fn new(sandbox: Sandbox, spec: SandboxSpec) -> Self {
        Self { sandbox, spec }
    }

    /// What evidence records about the walls.
    pub fn walls(&self) -> &'static str {
        self.sandbox.name()
    }

    fn start(&self, launch: LaunchSpec) -> Result<Child, LaunchError> {
        let line = launch.command_line();
        let cwd = launch.cwd.clone();
        if !cwd.is_dir() {
            return Err(LaunchError::NoDirectory { cwd });
        }
        let mut spec = self.spec.clone();
        // A child that talks to another one (a debugger to its server) needs the machine's loopback; all
        // others have one of their own.
        if launch.grants.network {
            spec.network = Network::Host;
        } else if !launch.grants.ports.is_empty() && spec.network == Network::Off {
            spec.network = Network::Ports(launch.grants.ports.clone());
        }
        // fwai's own helpers (a virtual board, a debugger) are reached by socket; a model's commands are not.
        spec.unix_sockets = launch.detached || launch.grants.loopback || !launch.grants.devices.is_empty();
        spec.devices.extend(launch.grants.devices.iter().filter(|device| device.exists()).cloned());
        spec.reopened.extend(launch.grants.write.iter().cloned());
        spec.unreadable.retain(|path| !launch.grants.read.iter().any(|granted| granted.starts_with(path)));
        if !spec.read_only {
            spec.git_writes |= judge::is_git_writing(&script(&launch), &spec.root.to_string_lossy());
            spec.only_reads = launch.only_reads;
        }
        let mut command = match &launch.program {
            Program::Shell(line) if line.trim().is_empty() => return Err(LaunchError::Empty),
            Program::Shell(line) => SandboxCommand::new("/bin/sh").arg("-c").arg(line),
            Program::Argv(argv) => match argv.split_first() {
                None => return Err(LaunchError::Empty),
                Some((program, args)) => SandboxCommand::new(program).args(args.iter().cloned()),
            },
        };
        command.cwd = Some(launch.cwd);
        command.env = launch.env;
        command.detached = launch.detached;
        command.stdin = stdio(launch.stdin);
        command.stdout = stdio(launch.stdout);
        command.stderr = stdio(launch.stderr);
        let spawned = self.sandbox.spawn(&spec, command).map_err(|error| match error {
            SandboxError::NotFound { program } => {
                LaunchError::NotFound { program: program.to_string_lossy().into_owned() }
            }
            SandboxError::NoDirectory { path } => LaunchError::NoDirectory { cwd: path },
            SandboxError::Exec { source, .. } => {
                LaunchError::Spawn { command: line.clone(), cwd: cwd.clone(), source }
            }
            other => LaunchError::Refused(other.to_string()),
        })?;
        let streams = |source| LaunchError::Spawn { command: line.clone(), cwd: cwd.clone(), source };
        let mut running = Running(spawned);
        let stdin = running.0.async_stdin().map_err(streams)?;
        let stdout = running.0.async_stdout().map_err(streams)?;
        let stderr = running.0.async_stderr().map_err(streams)?;
        let mut child = Child::new(Box::new(running), launch.timeout);
        child.stdin = stdin.map(|stream| Box::new(stream) as _);
        child.stdout = stdout.map(|stream| Box::new(stream) as _);
        child.stderr = stderr.map(|stream| Box::new(stream) as _);
        Ok(child)
    }
}

/// The launch as a shell line: what a shell is told, or the program's words.
fn script(launch: &LaunchSpec) -> Cow<'_, str> {
    match &launch.program {
        Program::Argv(argv) => match &argv[..] {
            [shell, option, line, ..] if option == "-c" && shell.to_string_lossy().ends_with("sh") => {
                line.to_string_lossy()
            }
            _ => launch.command_line().into(),
        },
        Program::Shell(line) => line.into(),
    }
}

fn stdio(stream: Stream) -> Stdio {
    match stream {
        Stream::Null => Stdio::Null,
        Stream::Piped => Stdio::Piped,
        Stream::Inherit => Stdio::Inherit,
        Stream::WithStdout => Stdio::WithStdout,
    }
}

impl Launcher for SandboxLauncher {
    fn launch(&self, spec: LaunchSpec) -> BoxFuture<'_, Result<Child, LaunchError>> {
        Box::pin(async move { self.start(spec) })
    }
}

struct Running(Sandboxed);

impl ChildControl for Running {
    fn pid(&self) -> Option<u32> {
        Some(self.0.pid())
    }

    fn wait(&mut self) -> BoxFuture<'_, io::Result<Exit>> {
        Box::pin(async move {
            let status = self.0.wait().await?;
            Ok(Exit { code: status.code, signal: status.signal, ..Exit::default() })
        })
    }

    fn interrupt(&mut self) -> io::Result<()> {
        self.0.signal(libc::SIGINT)
    }

    fn kill_tree(&mut self) -> io::Result<()> {
        self.0.kill()
    }

    fn overran(&self) -> Option<Bound> {
        self.0.overran()
    }

    fn removed(&self) -> &[std::path::PathBuf] {
        self.0.removed()
    }
}
