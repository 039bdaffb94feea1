//! What runs between `clone` and `exec`: the first process of the sandbox puts up the walls, starts the
//! command, and stays as its init, so that orphans are collected and everything dies with it.
//!
//! It is a copy of fwai's process without its threads, or of its keeper. Nothing here allocates or locks, and
//! before the command starts the copy is closed to inspection.

#![allow(
    unsafe_code,
    reason = "a child that shares memory with its parent until it executes has no safe wrapper"
)]

use super::{
    landlock, memory,
    plan::{Descriptors, Plan, Step},
    sys,
};
use std::ffi::CStr;

/// Where the file system in memory stands first; the command's own `/dev` covers it at the end.
pub const SCRATCH_PLACE: &CStr = c"/dev";

/// What the first process tells fwai: a kind, and a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The command runs.
    Started,
    /// A wall could not be put up: which, and why.
    Failed { stage: u8, errno: i32 },
    /// The walls stand but the command could not be executed.
    NotExecuted { errno: i32 },
    /// The command ended with this wait status.
    Ended { status: i32 },
    /// Its processes together had too much memory and were ended.
    TooMuchMemory,
    /// They together had too much processor time.
    TooMuchTime,
}

impl Report {
    pub const SIZE: usize = 8;

    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let (kind, stage, number) = match self {
            Report::Started => (1, 0, 0),
            Report::Failed { stage, errno } => (2, stage, errno),
            Report::NotExecuted { errno } => (3, 0, errno),
            Report::Ended { status } => (4, 0, status),
            Report::TooMuchMemory => (5, 0, 0),
            Report::TooMuchTime => (6, 0, 0),
        };
        let n = number.to_ne_bytes();
        [kind, stage, 0, 0, n[0], n[1], n[2], n[3]]
    }

    pub fn from_bytes(bytes: [u8; Self::SIZE]) -> Option<Self> {
        let number = i32::from_ne_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        match bytes[0] {
            1 => Some(Report::Started),
            2 => Some(Report::Failed { stage: bytes[1], errno: number }),
            3 => Some(Report::NotExecuted { errno: number }),
            4 => Some(Report::Ended { status: number }),
            5 => Some(Report::TooMuchMemory),
            6 => Some(Report::TooMuchTime),
            _ => None,
        }
    }
}

/// Names of the stages in [`Report::Failed`].
pub const STAGES: [&str; 14] = [
    "closing descriptors",
    "making the mounts private",
    "opening a path for its mount",
    "making the file system read-only",
    "mounting",
    "mounting /proc",
    "entering the working directory",
    "switching loopback on",
    "setting limits",
    "dropping capabilities",
    "no_new_privs",
    "Landlock",
    "seccomp",
    "starting the command",
];

/// The first process of a sandbox whose plan is known. Never returns.
pub fn run(plan: &mut Plan) -> ! {
    let mut go = [0u8];
    if close_everything_else(plan).is_err() {
        sys::exit(1);
    }
    // What needs no mapped user is done while fwai maps it.
    let begun = first_walls(plan.own_network);
    // Without the starting signal fwai died, or could not map the user.
    if sys::read(plan.streams.channel, &mut go) != Ok(1) {
        sys::exit(1);
    }
    run_after(plan, begun)
}

/// The same, when the first walls stand already and the user is mapped.
pub fn run_prepared(plan: &mut Plan, begun: Stage<()>) -> ! {
    if close_everything_else(plan).is_err() {
        sys::exit(1);
    }
    run_after(plan, begun)
}

fn run_after(plan: &mut Plan, begun: Stage<()>) -> ! {
    if let Err((stage, errno)) = begun.and_then(|()| put_up_walls(plan)) {
        fail(plan, Report::Failed { stage, errno: errno.0 });
    }
    let children = match sys::child_signal_fd() {
        Ok(fd) => fd,
        Err(errno) => fail(plan, Report::Failed { stage: 13, errno: errno.0 }),
    };
    let command = start_command(plan);
    watch(plan, children, command)
}

fn fail(plan: &Plan, report: Report) -> ! {
    let _ = sys::write(plan.streams.channel, &report.to_bytes());
    sys::exit(1)
}

fn close_everything_else(plan: &mut Plan) -> sys::Result<()> {
    let mut keep = [0i32; 64];
    let mut count = 0;
    let Descriptors { stdio, channel, locks } = &plan.streams;
    for fd in stdio.iter().chain([channel]).chain(locks) {
        if count == keep.len() {
            return Err(sys::Errno(libc::EMFILE));
        }
        keep[count] = *fd;
        count += 1;
    }
    let keep = &mut keep[..count];
    keep.sort_unstable();
    let mut first = 0u32;
    for fd in keep.iter() {
        let fd = *fd as u32;
        if fd > first {
            sys::close_range(first, fd - 1)?;
        }
        first = first.max(fd + 1);
    }
    sys::close_range(first, u32::MAX)
}

/// Which stage failed, and why.
pub type Stage<T> = Result<T, (u8, sys::Errno)>;

/// What is the same for every command, and needs no mapped user.
pub fn first_walls(new_network: bool) -> Stage<()> {
    sys::set_name(c"fwai-sandbox");
    sys::setsid();
    sys::make_private(c"/").map_err(|errno| (1, errno))?;
    if new_network {
        sys::loopback_up().map_err(|errno| (7, errno))?;
    }
    Ok(())
}

/// One file system in memory serves `/tmp`, `/dev` and everything that is hidden: making one costs as much
/// as many mounts of it, and its size bounds them all together.
fn make_scratch(plan: &mut Plan) -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    sys::mount(c"tmpfs", SCRATCH_PLACE, c"tmpfs", flags, &plan.scratch_options)?;
    for scratch in &mut plan.scratch {
        sys::mkdir(&scratch.path, 0o700)?;
        // Not by `mkdir`, whose mode the user's mask cuts.
        sys::chmod(&scratch.path, scratch.mode)?;
        scratch.fd = sys::open_path(&scratch.path)?;
    }
    Ok(())
}

fn put_up_walls(plan: &mut Plan) -> Stage<()> {
    for (resource, limit) in &plan.limits {
        sys::set_limit(*resource, *limit).map_err(|errno| (8, errno))?;
    }
    for index in 0..plan.sources.len() {
        let path = sys::open_path(&plan.sources[index]).map_err(|errno| (2, errno))?;
        plan.trees[index] = sys::clone_tree(path).map_err(|errno| (2, errno))?;
        sys::close(path);
    }
    let root = sys::open_path(c"/").map_err(|errno| (3, errno))?;
    let bare = sys::MOUNT_ATTR_RDONLY | sys::MOUNT_ATTR_NOSUID | sys::MOUNT_ATTR_NODEV;
    sys::set_mount_attributes(root, bare, true).map_err(|errno| (3, errno))?;
    sys::close(root);
    make_scratch(plan).map_err(|errno| (4, errno))?;
    for index in 0..plan.steps.len() {
        take_step(plan, index)?;
    }
    for scratch in &plan.scratch {
        sys::close(scratch.fd);
    }
    sys::chdir(&plan.cwd).map_err(|errno| (6, errno))?;
    sys::drop_capabilities(plan.keep_capabilities).map_err(|errno| (9, errno))?;
    sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1).map_err(|errno| (10, errno))?;
    // This process is a copy of fwai, keys included; nobody may look into it.
    sys::prctl(libc::PR_SET_DUMPABLE, 0).map_err(|errno| (10, errno))?;
    landlock::restrict(plan.landlock_abi, &plan.landlock_rules, plan.ports.as_deref())
        .map_err(|errno| (11, errno))?;
    sys::install_seccomp(&plan.seccomp).map_err(|errno| (12, errno))
}

fn take_step(plan: &Plan, index: usize) -> Stage<()> {
    let mounting = |errno| (4, errno);
    match &plan.steps[index] {
        Step::Attach { source, target, attributes } => {
            let tree = plan.trees[*source];
            if *attributes != 0 {
                sys::set_mount_attributes(tree, *attributes, true).map_err(mounting)?;
            }
            let point = sys::open_path(target).map_err(mounting)?;
            sys::attach_tree(tree, point).map_err(mounting)?;
            sys::close(point);
            sys::close(tree);
        }
        Step::Scratch { scratch, target, attributes } => {
            let tree = sys::clone_tree(plan.scratch[*scratch].fd).map_err(mounting)?;
            if *attributes != 0 {
                sys::set_mount_attributes(tree, *attributes, false).map_err(mounting)?;
            }
            let point = sys::open_path(target).map_err(mounting)?;
            sys::attach_tree(tree, point).map_err(mounting)?;
            sys::close(point);
            sys::close(tree);
        }
        Step::MakeDirectory(path) => sys::mkdir(path, 0o755).map_err(mounting)?,
        Step::MakeFile(path) => sys::make_file(path).map_err(mounting)?,
        Step::Symlink { target, path } => sys::symlink(target, path).map_err(mounting)?,
        Step::Proc => mount_proc(plan).map_err(|errno| (5, errno))?,
        Step::Terminals => {
            let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
            sys::mount(c"devpts", c"/dev/pts", c"devpts", flags, c"newinstance,ptmxmode=0666,mode=0620")
                .map_err(mounting)?;
        }
        Step::ReadOnly(target) => {
            let fd = sys::open_path(target).map_err(mounting)?;
            sys::set_mount_attributes(fd, sys::MOUNT_ATTR_RDONLY, false).map_err(mounting)?;
            sys::close(fd);
        }
    }
    Ok(())
}

fn mount_proc(plan: &Plan) -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(c"proc", c"/proc", c"proc", flags, c"")?;
    // Older kernels have one value for the whole machine and refuse; then RLIMIT_NPROC is the bound.
    let _ = sys::write_file(c"/proc/sys/kernel/pid_max", plan.pid_max.to_bytes());
    // Messages that nobody fetched belong to no process; only root may say so.
    let _ = sys::write_file(c"/proc/sys/kernel/msgmni", b"64");
    let fd = sys::open_path(c"/proc")?;
    let outcome = sys::set_mount_attributes(fd, sys::MOUNT_ATTR_RDONLY, false);
    sys::close(fd);
    outcome
}

struct Start {
    plan: *const Plan,
    errno: i32,
}

fn start_command(plan: &mut Plan) -> i32 {
    let mut start = Start { plan: std::ptr::from_ref(plan), errno: 0 };
    let argument = std::ptr::from_mut(&mut start).cast();
    // SAFETY: `execute` ends in exec or exit, needs a few kilobytes of the 64 that `stack` has, and reads the
    // plan only while this process sleeps.
    let outcome = unsafe { sys::vfork_with(execute, argument, &mut plan.stack) };
    let errno = match outcome {
        Ok(pid) if start.errno == 0 => {
            let _ = sys::write(plan.streams.channel, &Report::Started.to_bytes());
            return pid;
        }
        Ok(_) => start.errno,
        Err(errno) => fail(plan, Report::Failed { stage: 13, errno: errno.0 }),
    };
    fail(plan, Report::NotExecuted { errno })
}

/// Runs on a stack of its own, in memory shared with init, until it executes the command.
extern "C" fn execute(argument: *mut libc::c_void) -> i32 {
    // SAFETY: `start_command` passes a `Start` that outlives this call and that nobody else touches meanwhile.
    let start = unsafe { &mut *argument.cast::<Start>() };
    // SAFETY: as above; the plan is only read.
    let plan = unsafe { &*start.plan };
    start.errno = match prepare_and_exec(plan) {
        Ok(()) => 0,
        Err(errno) => errno.0,
    };
    sys::exit(127)
}

fn prepare_and_exec(plan: &Plan) -> sys::Result<()> {
    sys::setsid();
    // Above 2 first, so that no stream is overwritten before it is moved.
    let mut streams = [0i32; 3];
    for (stream, fd) in streams.iter_mut().zip(plan.streams.stdio) {
        *stream = sys::dup_above(fd, 3)?;
    }
    for (onto, fd) in streams.iter().enumerate() {
        sys::dup_to(*fd, onto as i32)?;
    }
    sys::close_on_exec_from(3)?;
    sys::default_sigpipe();
    sys::set_signal_mask(0);
    let errno = sys::exec(&plan.program, &plan.words.argv, &plan.words.envp);
    if errno == sys::Errno(libc::ENOEXEC) {
        // As bash would: a script that names no interpreter is its own.
        sys::exec(c"/bin/bash", &plan.words.shell_argv, &plan.words.envp);
        return Err(sys::exec(c"/bin/sh", &plan.words.shell_argv, &plan.words.envp));
    }
    Err(errno)
}

/// How often the memory of all processes together is looked at.
const LOOK_AT_MEMORY_MS: i64 = 200;
/// Every how many of these looks counts their processor time, too.
const LOOKS_FOR_TIME: u64 = 4;

/// Collect orphans, pass signals on, and end when the command ends or fwai does.
fn watch(plan: &Plan, children: i32, command: i32) -> ! {
    // The command's streams must reach their end when the command closes them.
    for fd in plan.streams.stdio {
        if fd != plan.streams.channel {
            sys::close(fd);
        }
    }
    let processes = sys::open_read(libc::AT_FDCWD, c"/proc").unwrap_or(-1);
    let (mut wakeups, mut looks) = (0u64, 0u64);
    loop {
        let poll_on = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds = [poll_on(children), poll_on(plan.streams.channel)];
        let watched = if plan.outlives_fwai { 1 } else { 2 };
        if sys::poll(&mut fds[..watched], LOOK_AT_MEMORY_MS).is_err() {
            sys::exit(1);
        }
        // Limits hold for one process each; a tree of them is bounded by looking at it, also while it keeps
        // this process busy.
        wakeups += 1;
        let quiet = fds.iter().all(|fd| fd.revents == 0);
        if quiet || wakeups.is_multiple_of(64) {
            looks += 1;
            let over = if memory::is_above(processes, plan.memory_pages) {
                Some(Report::TooMuchMemory)
            } else if looks.is_multiple_of(LOOKS_FOR_TIME)
                && plan.cpu_ticks < u64::MAX
                && memory::processor_ticks(processes) > plan.cpu_ticks
            {
                Some(Report::TooMuchTime)
            } else {
                None
            };
            if let Some(report) = over {
                let _ = sys::write(plan.streams.channel, &report.to_bytes());
                sys::exit(1);
            }
        }
        if fds[0].revents != 0 {
            let mut signals = [0u8; 1024];
            let _ = sys::read(children, &mut signals);
            while let Ok(Some((pid, status))) = sys::reap_any() {
                if pid == command {
                    // Whatever it left behind ends before its end is told. The end of this process itself takes
                    // the kernel a while (namespaces, mounts), and nobody need wait for that.
                    sys::kill_all(libc::SIGKILL);
                    sys::reap_all();
                    let _ = sys::write(plan.streams.channel, &Report::Ended { status }.to_bytes());
                    // Fwai was last on this processor, too, as often as not.
                    sys::step_aside();
                    sys::exit(0);
                }
            }
        }
        if fds[1].revents != 0 {
            let mut signal = [0u8];
            match sys::read(plan.streams.channel, &mut signal) {
                Ok(1) => sys::kill_all(i32::from(signal[0])),
                _ => sys::exit(1),
            }
        }
    }
}
