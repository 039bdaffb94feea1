//! Starts a command behind its walls: in a first process made for it, or in one that has been waiting.

#![allow(unsafe_code, reason = "a raw clone with namespaces has no safe wrapper")]

use super::{
    identities::{self, IdMaps},
    init::{self, Report},
    keeper,
    plan::Plan,
    sys,
};
use std::{
    io::{self, Read, Write},
    os::{
        fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
        unix::net::UnixStream,
    },
};

/// A sandbox whose command runs.
pub struct Started {
    pub first: FirstProcess,
}

/// The first process of a sandbox, as fwai holds it.
#[derive(Debug)]
pub struct FirstProcess {
    pub pid: i32,
    pub pidfd: OwnedFd,
    /// Signals for the command, and reports from it; closing it ends the sandbox.
    pub channel: UnixStream,
}

impl FirstProcess {
    fn give_up(self) {
        let _ = sys::signal_process(self.pidfd.as_raw_fd(), libc::SIGKILL);
        let _ = sys::reap(self.pidfd.as_raw_fd(), true);
    }
}

/// Why the command does not run.
#[derive(Debug)]
pub enum Failure {
    /// A wall could not be put up.
    Wall { stage: &'static str, source: io::Error },
    /// The program could not be executed.
    Exec(io::Error),
}

fn wall(stage: &'static str) -> impl Fn(io::Error) -> Failure {
    move |source| Failure::Wall { stage, source }
}

/// The namespaces of every sandbox.
pub fn namespaces(own_network: bool) -> u64 {
    let mut flags = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS;
    if own_network {
        flags |= libc::CLONE_NEWNET;
    }
    flags as u32 as u64
}

/// Start in a first process of its own. `plan.streams.channel` is filled in here.
pub fn spawn(mut plan: Plan, maps: &IdMaps) -> Result<Started, Failure> {
    let (channel, inner) = channel().map_err(wall("making a socket"))?;
    plan.streams.channel = inner.as_raw_fd();
    let mut pidfd = -1;
    let flags = namespaces(plan.own_network) | libc::CLONE_PIDFD as u32 as u64;
    let mask = sys::block_signals();
    // SAFETY: the child runs only `init::run`, which uses nothing but `sys` and memory made above.
    let cloned = unsafe { sys::raw_clone(flags, &mut pidfd) };
    if cloned == Ok(0) {
        init::run(&mut plan);
    }
    sys::set_signal_mask(mask);
    let pid = cloned.map_err(|errno| wall("making namespaces")(errno.into()))?;
    // SAFETY: the kernel has just made this descriptor for us (CLONE_PIDFD).
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    drop(inner);
    let mut first = FirstProcess { pid, pidfd, channel };
    let begun = identities::map(pid, maps)
        .map_err(wall("mapping the user"))
        .and_then(|()| first.channel.write_all(&[1]).map_err(wall("starting")));
    match begun {
        Ok(()) => started(first),
        Err(failure) => {
            first.give_up();
            Err(failure)
        }
    }
}

/// Start in a first process that has been waiting. `descriptors` are the command's streams and the locks.
/// With `Err(None)` it was gone before it heard of the plan.
pub fn spawn_in(
    mut first: FirstProcess,
    plan: &Plan,
    descriptors: &[BorrowedFd<'_>],
) -> Result<Started, Option<Failure>> {
    match keeper::send_plan(&mut first.channel, plan, descriptors) {
        Ok(()) => started(first).map_err(Some),
        Err(_) => {
            first.give_up();
            Err(None)
        }
    }
}

fn started(mut first: FirstProcess) -> Result<Started, Failure> {
    let failure = match read_report(&mut first.channel) {
        Some(Report::Started) => return Ok(Started { first }),
        Some(Report::Failed { stage, errno }) => Failure::Wall {
            stage: init::STAGES.get(stage as usize).copied().unwrap_or("setting up"),
            source: io::Error::from_raw_os_error(errno),
        },
        Some(Report::NotExecuted { errno }) => Failure::Exec(io::Error::from_raw_os_error(errno)),
        Some(Report::Ended { .. } | Report::TooMuchMemory | Report::TooMuchTime) | None => {
            Failure::Wall { stage: "setting up", source: io::Error::other("its first process died") }
        }
    };
    first.give_up();
    Err(failure)
}

/// The next report, or nothing at the end.
pub fn read_report(channel: &mut UnixStream) -> Option<Report> {
    let mut bytes = [0; Report::SIZE];
    channel.read_exact(&mut bytes).ok()?;
    Report::from_bytes(bytes)
}

/// Fwai's end and the first process's, which is above the standard streams.
pub fn channel() -> io::Result<(UnixStream, OwnedFd)> {
    let (outer, inner) = UnixStream::pair()?;
    let inner = OwnedFd::from(inner);
    if inner.as_raw_fd() > 2 {
        return Ok((outer, inner));
    }
    let copy = sys::dup_above(inner.as_raw_fd(), 3)?;
    // SAFETY: `dup_above` made this descriptor and nobody else knows it.
    Ok((outer, unsafe { OwnedFd::from_raw_fd(copy) }))
}
