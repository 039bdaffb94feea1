//! [`PlainLauncher`]: processes in a group of their own, without walls.

use std::{io, os::fd::OwnedFd, process::Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{net::unix::pipe, process::Command};

use super::{BoxFuture, Child, ChildControl, Exit, LaunchError, LaunchSpec, Launcher, Program, Stream};

/// Starts processes as they are, for tests and for embedders that bring no sandbox.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainLauncher;

impl Launcher for PlainLauncher {
    fn launch(&self, spec: LaunchSpec) -> BoxFuture<'_, Result<Child, LaunchError>> {
        Box::pin(async move { start(spec) })
    }
}

fn start(spec: LaunchSpec) -> Result<Child, LaunchError> {
    let mut command = match &spec.program {
        Program::Shell(line) if line.trim().is_empty() => return Err(LaunchError::Empty),
        Program::Shell(line) => {
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(line);
            command
        }
        Program::Argv(argv) => {
            let (program, arguments) = argv.split_first().ok_or(LaunchError::Empty)?;
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
    };
    if !spec.cwd.is_dir() {
        return Err(LaunchError::NoDirectory { cwd: spec.cwd });
    }
    command.current_dir(&spec.cwd).process_group(0).kill_on_drop(!spec.detached);
    for (name, value) in &spec.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let spawn_error = |source: io::Error| LaunchError::Spawn {
        command: spec.command_line(),
        cwd: spec.cwd.clone(),
        source,
    };
    command.stdin(stdio(spec.stdin)).stdout(stdio(spec.stdout));
    let mut merged = None;
    if spec.stderr == Stream::WithStdout && spec.stdout == Stream::Piped {
        let (reader, writer) = io::pipe().map_err(spawn_error)?;
        command.stdout(writer.try_clone().map_err(spawn_error)?).stderr(writer);
        merged = Some(pipe::Receiver::from_owned_fd(OwnedFd::from(reader)).map_err(spawn_error)?);
    } else {
        command.stderr(stdio(match spec.stderr {
            Stream::WithStdout => spec.stdout,
            other => other,
        }));
    }
    let mut process = command.spawn().map_err(|source| match (source.kind(), &spec.program) {
        (io::ErrorKind::NotFound, Program::Argv(argv)) => {
            LaunchError::NotFound { program: argv[0].to_string_lossy().into_owned() }
        }
        _ => spawn_error(source),
    })?;
    // The command holds our copies of the pipe's writing end; without this the reader never sees the end.
    drop(command);
    let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let group = process.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let mut child = Child::new(
        Box::new(PlainChild { process, group, detached: spec.detached, ended: false }),
        spec.timeout,
    );
    child.stdin = stdin.map(|pipe| Box::new(pipe) as _);
    child.stdout = match merged {
        Some(pipe) => Some(Box::new(pipe)),
        None => stdout.map(|pipe| Box::new(pipe) as _),
    };
    child.stderr = stderr.map(|pipe| Box::new(pipe) as _);
    Ok(child)
}

fn stdio(stream: Stream) -> Stdio {
    match stream {
        Stream::Null | Stream::WithStdout => Stdio::null(),
        Stream::Piped => Stdio::piped(),
        Stream::Inherit => Stdio::inherit(),
    }
}

struct PlainChild {
    process: tokio::process::Child,
    group: Option<Pid>,
    detached: bool,
    ended: bool,
}

impl PlainChild {
    fn signal(&self, signal: Signal) -> io::Result<()> {
        match self.group.map(|group| kill_process_group(group, signal)) {
            // Nobody is left in the group: what was wanted.
            None | Some(Ok(()) | Err(rustix::io::Errno::SRCH)) => Ok(()),
            Some(Err(error)) => Err(error.into()),
        }
    }
}

impl ChildControl for PlainChild {
    fn pid(&self) -> Option<u32> {
        self.process.id()
    }

    fn wait(&mut self) -> BoxFuture<'_, io::Result<Exit>> {
        Box::pin(async move {
            let status = self.process.wait().await?;
            self.ended = true;
            Ok(status.into())
        })
    }

    fn interrupt(&mut self) -> io::Result<()> {
        self.signal(Signal::INT)
    }

    fn kill_tree(&mut self) -> io::Result<()> {
        self.signal(Signal::KILL)
    }
}

impl Drop for PlainChild {
    fn drop(&mut self) {
        if !self.detached && !self.ended {
            // Nothing can be done about a failure here, and the direct child is killed by tokio as well.
            let _ = self.signal(Signal::KILL);
        }
    }
}
