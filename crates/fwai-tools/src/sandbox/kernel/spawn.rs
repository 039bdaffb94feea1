//! Starts the first process of a sandbox in its namespaces and waits until the command runs.

#![allow(unsafe_code, reason = "a raw clone with namespaces has no safe wrapper")]

use super::{
    init::{self, Plan, Report},
    sys,
};
use std::{
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
};

/// A sandbox whose command runs.
pub struct Started {
    pub pid: i32,
    pub pidfd: OwnedFd,
    /// Signals for the command; closing it ends the sandbox.
    pub control: File,
    pub report: File,
}

/// Why the command does not run.
#[derive(Debug)]
pub enum Failure {
    /// A wall could not be put up.
    Wall { stage: &'static str, source: io::Error },
    /// The program could not be executed.
    Exec(io::Error),
}

/// How identities inside relate to those outside.
pub struct IdMaps {
    pub uid: String,
    pub gid: String,
    /// Supplementary groups cannot be changed (needed where the map is not made by root).
    pub deny_setgroups: bool,
}

/// Start. `plan.control` and `plan.report` are filled in here.
pub fn spawn(mut plan: Plan, maps: &IdMaps) -> Result<Started, Failure> {
    let wall = |stage| move |source: io::Error| Failure::Wall { stage, source };
    let (control_in, mut control) = pipe().map_err(wall("making a pipe"))?;
    let (mut report, report_out) = pipe().map_err(wall("making a pipe"))?;
    // Away from 0, 1 and 2, which become the command's streams.
    plan.control = control_in.as_raw_fd();
    plan.report = report_out.as_raw_fd();
    let mut flags = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_PIDFD;
    if plan.own_network {
        flags |= libc::CLONE_NEWNET;
    }
    let mut pidfd = -1;
    let mask = sys::block_signals();
    // SAFETY: the child runs only `init::run`, which uses nothing but `sys` and memory made above.
    let cloned = unsafe { sys::raw_clone(flags as u32 as u64, &mut pidfd) };
    if cloned == Ok(0) {
        init::run(&mut plan);
    }
    sys::set_signal_mask(mask);
    let pid = cloned.map_err(|errno| wall("making namespaces")(errno.into()))?;
    // SAFETY: the kernel has just made this descriptor for us (CLONE_PIDFD).
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    drop((control_in, report_out));
    let begun = map_identities(pid, maps)
        .map_err(wall("mapping the user"))
        .and_then(|()| control.write_all(&[1]).map_err(wall("starting")))
        .and_then(|()| started(&mut report));
    match begun {
        Ok(()) => Ok(Started { pid, pidfd, control, report }),
        Err(failure) => {
            let _ = sys::signal_process(pidfd.as_raw_fd(), libc::SIGKILL);
            let _ = sys::reap(pidfd.as_raw_fd(), true);
            Err(failure)
        }
    }
}

fn started(report: &mut File) -> Result<(), Failure> {
    match read_report(report) {
        Some(Report::Started) => Ok(()),
        Some(Report::Failed { stage, errno }) => Err(Failure::Wall {
            stage: init::STAGES.get(stage as usize).copied().unwrap_or("setting up"),
            source: io::Error::from_raw_os_error(errno),
        }),
        Some(Report::NotExecuted { errno }) => Err(Failure::Exec(io::Error::from_raw_os_error(errno))),
        Some(Report::Ended { .. } | Report::TooMuchMemory | Report::TooMuchTime) | None => {
            let source = io::Error::other("its first process died");
            Err(Failure::Wall { stage: "setting up", source })
        }
    }
}

/// The next report, or nothing at the end of the pipe.
pub fn read_report(report: &mut File) -> Option<Report> {
    let mut bytes = [0; Report::SIZE];
    report.read_exact(&mut bytes).ok()?;
    Report::from_bytes(bytes)
}

fn map_identities(pid: i32, maps: &IdMaps) -> io::Result<()> {
    let write = |name: &str, text: &str| {
        let mut file = File::options().write(true).open(format!("/proc/{pid}/{name}"))?;
        file.write_all(text.as_bytes())
    };
    if maps.deny_setgroups {
        write("setgroups", "deny")?;
    }
    write("uid_map", &maps.uid)?;
    write("gid_map", &maps.gid)
}

/// A pipe whose ends are above the standard streams.
fn pipe() -> io::Result<(File, File)> {
    let (reader, writer) = io::pipe()?;
    let above = |fd: OwnedFd| -> io::Result<File> {
        if fd.as_raw_fd() > 2 {
            return Ok(File::from(fd));
        }
        let copy = sys::dup_above(fd.as_raw_fd(), 3)?;
        // SAFETY: `dup_above` made this descriptor and nobody else knows it.
        Ok(unsafe { File::from_raw_fd(copy) })
    };
    Ok((above(reader.into())?, above(writer.into())?))
}
