//! No walls, because the user said so. Commands still get a process group of their own, so that all of it
//! can be ended.

use super::{
    child::Sandboxed,
    command::SandboxCommand,
    kernel::sys,
    spec::SandboxSpec,
    walls::{SandboxError, Streams, Wall},
};
use std::{
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::Command,
};

/// `sandbox.walls: off`.
pub struct NoWall;

impl Wall for NoWall {
    fn name(&self) -> &'static str {
        "off"
    }

    fn spawn(&self, spec: &SandboxSpec, command: SandboxCommand) -> Result<Sandboxed, SandboxError> {
        let streams =
            Streams::open(command.stdin, command.stdout, command.stderr).map_err(SandboxError::Streams)?;
        let cwd = command.cwd.map_or_else(|| spec.root.clone(), |cwd| spec.root.join(cwd));
        if !cwd.is_dir() {
            return Err(SandboxError::NoDirectory { path: cwd });
        }
        let mut process = Command::new(&command.program);
        process.args(&command.args).current_dir(cwd).process_group(0);
        for (name, value) in &command.env {
            match value {
                Some(value) => process.env(name, value),
                None => process.env_remove(name),
            };
        }
        let copy = |index: usize| streams.inside()[index].try_clone().map_err(SandboxError::Streams);
        process.stdin(copy(0)?).stdout(copy(1)?).stderr(copy(2)?);
        let child = process.spawn().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => SandboxError::NotFound { program: command.program.clone() },
            _ => SandboxError::Exec { program: command.program.clone(), source },
        })?;
        drop(process);
        let pid = child.id().cast_signed();
        let pidfd: OwnedFd = rustix::process::Pid::from_raw(pid)
            .and_then(|pid| rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok())
            .ok_or_else(|| {
                let _ = sys::kill_group(pid, libc::SIGKILL);
                SandboxError::Streams(io::Error::other("the process cannot be watched"))
            })?;
        Ok(Sandboxed::bare(pid, pidfd, streams.into_outer(), command.detached))
    }
}
