//! The keeper: a small process that makes first processes of sandboxes before their commands are known.
//!
//! Most of what a sandbox costs is its namespaces. The keeper makes them while fwai waits for a model, and it
//! is executed afresh, so that nothing of fwai's memory is copied with each of them: neither its size, which
//! would make them slow, nor its keys. First processes are fwai's own children (`CLONE_PARENT`); each waits
//! on its channel for a plan, and ends when fwai closes it.
//!
//! The keeper lives in a network of its own, with nothing but a loopback, and so do all that it makes: making
//! and unmaking one for each command would cost more than all other walls. So a server that one command of a
//! session left running can be reached by the next.
//!
//! Fwai sends one byte and the inner end of a channel, and gets an [`Answer`]. The keeper ends with fwai.

#![allow(unsafe_code, reason = "a raw clone with namespaces has no safe wrapper")]

use super::{
    identities::{self, IdMaps},
    init,
    plan::{Descriptors, Plan},
    spawn, sys,
};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use std::{
    io::{self, IoSlice, IoSliceMut, Read, Write},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd},
        unix::net::UnixStream,
    },
};

/// As many descriptors as the kernel passes at once.
const MAX_DESCRIPTORS: usize = 253;

/// What the keeper says to a request: a process, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Zero where none was made.
    pub pid: i32,
    /// Zero where all is well; otherwise the process, if there is one, ends by itself.
    pub errno: i32,
}

impl Answer {
    const SIZE: usize = 8;

    fn to_bytes(self) -> [u8; Self::SIZE] {
        (u64::from(self.pid.cast_unsigned()) << 32 | u64::from(self.errno.cast_unsigned())).to_ne_bytes()
    }

    pub fn read(from: &mut UnixStream) -> io::Result<Self> {
        let mut bytes = [0; Self::SIZE];
        from.read_exact(&mut bytes)?;
        let both = u64::from_ne_bytes(bytes);
        Ok(Self { pid: ((both >> 32) as u32).cast_signed(), errno: (both as u32).cast_signed() })
    }
}

/// Ask the keeper for a first process that talks through `inner`.
pub fn ask(keeper: &UnixStream, inner: BorrowedFd<'_>) -> io::Result<()> {
    send(keeper, &[1], &[inner]).map(drop)
}

/// Make the keeper of this process, which has nothing else to do, says who the keeper is, and ends: the keeper
/// is in a network and a user namespace of its own, whose identities are mapped from outside.
pub fn start(mut requests: UnixStream) {
    let Ok((gate, mut opener)) = io::pipe() else { return };
    let maps = IdMaps::of_this_user();
    let flags = (libc::CLONE_NEWUSER | libc::CLONE_NEWNET | libc::CLONE_PARENT) as u32 as u64;
    // SAFETY: no other thread of this process does anything, so that its copy is whole and may do anything.
    match unsafe { sys::raw_clone(flags, &mut -1) } {
        Ok(0) => {
            drop(opener);
            if sys::read(gate.as_raw_fd(), &mut [0]) == Ok(1) && sys::loopback_up().is_ok() {
                drop(gate);
                serve(&requests);
            }
            sys::exit(0)
        }
        Ok(pid) => {
            let mapped = identities::map(pid, &maps);
            let errno = mapped.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0);
            let told = requests.write_all(&Answer { pid, errno }.to_bytes());
            // Without the byte it ends.
            if errno == 0 && told.is_ok() {
                let _ = opener.write_all(&[1]);
            }
        }
        Err(errno) => drop(requests.write_all(&Answer { pid: 0, errno: errno.0 }.to_bytes())),
    }
}

/// Serve until whoever asks is gone.
fn serve(requests: &UnixStream) {
    sys::set_name(c"fwai-keeper");
    sys::setsid();
    sys::block_signals();
    // It is asked while a command runs or has just ended, when fwai itself is in a hurry.
    sys::yield_to_others();
    // What fwai's own parent left open is not the keeper's to hold.
    close_all_but([2, requests.as_raw_fd()]);
    let maps = IdMaps::of_this_user();
    let mut byte = [0u8];
    while let Ok((1, descriptors)) = receive(requests, &mut byte) {
        let Some(inner) = descriptors.into_iter().next() else { return };
        let answer = make(inner, &maps);
        let mut requests = requests;
        if requests.write_all(&answer.to_bytes()).is_err() {
            return;
        }
    }
}

fn make(inner: OwnedFd, maps: &IdMaps) -> Answer {
    let failed =
        |pid: i32, error: &io::Error| Answer { pid, errno: error.raw_os_error().unwrap_or(libc::EIO) };
    let (gate, mut opener) = match io::pipe() {
        Ok(both) => both,
        Err(error) => return failed(0, &error),
    };
    let flags = spawn::namespaces(false) | libc::CLONE_PARENT as u32 as u64;
    // SAFETY: this process has one thread, so that its copy is whole and may do anything.
    match unsafe { sys::raw_clone(flags, &mut -1) } {
        Ok(0) => wait_for_plan(gate.into_raw_fd(), inner.into_raw_fd()),
        Ok(pid) => match identities::map(pid, maps).and_then(|()| opener.write_all(&[1])) {
            Ok(()) => Answer { pid, errno: 0 },
            // Without the byte it ends.
            Err(error) => failed(pid, &error),
        },
        Err(errno) => failed(0, &errno.into()),
    }
}

/// The first process of a sandbox that has no command yet.
fn wait_for_plan(gate: i32, channel: i32) -> ! {
    // Not even the keeper's own socket, so that fwai sees its end.
    close_all_but([gate, channel]);
    let begun = init::first_walls(false);
    let mut open = [0u8];
    if sys::read(gate, &mut open) != Ok(1) {
        sys::exit(1);
    }
    sys::close(gate);
    // SAFETY: this process owns the descriptor, whose number was passed in.
    let stream = unsafe { UnixStream::from_raw_fd(channel) };
    match receive_plan(&stream) {
        Ok(Some(mut plan)) => {
            plan.streams.channel = stream.into_raw_fd();
            init::run_prepared(&mut plan, begun)
        }
        // Fwai is gone, or needed it no more.
        _ => sys::exit(0),
    }
}

/// Close every descriptor but these two; with 2 among them, the standard streams stay.
fn close_all_but([one, other]: [i32; 2]) {
    let (low, high) = (one.min(other) as u32, one.max(other) as u32);
    let start = if low == 2 { 2 } else { 0 };
    // An empty range is refused, and harmless.
    for (first, last) in [(start, low.saturating_sub(1)), (low + 1, high - 1), (high + 1, u32::MAX)] {
        if first <= last {
            let _ = sys::close_range(first, last);
        }
    }
}

/// Tell a waiting first process what to do.
pub fn send_plan(channel: &mut UnixStream, plan: &Plan, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let bytes = plan.to_bytes();
    let message = [&(bytes.len() as u64).to_ne_bytes()[..], &bytes].concat();
    let sent = send(channel, &message, descriptors)?;
    channel.write_all(&message[sent..])
}

fn receive_plan(mut channel: &UnixStream) -> io::Result<Option<Plan>> {
    let mut message = vec![0; 64 * 1024];
    let (mut filled, descriptors) = receive(channel, &mut message)?;
    let Some(length) = message[..filled].first_chunk() else { return Ok(None) };
    let whole = 8 + u64::from_ne_bytes(*length) as usize;
    message.resize(whole.max(filled), 0);
    while filled < whole {
        match channel.read(&mut message[filled..whole])? {
            0 => return Ok(None),
            count => filled += count,
        }
    }
    let mut numbers = descriptors.into_iter().map(IntoRawFd::into_raw_fd);
    let (Some(stdin), Some(stdout), Some(stderr)) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Ok(None);
    };
    let streams = Descriptors { stdio: [stdin, stdout, stderr], channel: -1, locks: numbers.collect() };
    Ok(Plan::from_bytes(&message[8..whole], streams))
}

/// Send bytes with descriptors; how many bytes went.
fn send(socket: &UnixStream, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<usize> {
    if descriptors.len() > MAX_DESCRIPTORS {
        return Err(io::Error::from_raw_os_error(libc::EMFILE));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut passed = SendAncillaryBuffer::new(&mut space);
    passed.push(SendAncillaryMessage::ScmRights(descriptors));
    Ok(rustix::net::sendmsg(socket, &[IoSlice::new(bytes)], &mut passed, SendFlags::NOSIGNAL)?)
}

/// Receive bytes and the descriptors that came with them.
fn receive(socket: &UnixStream, bytes: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut passed = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let mut slices = [IoSliceMut::new(bytes)];
        match rustix::net::recvmsg(socket.as_fd(), &mut slices, &mut passed, RecvFlags::CMSG_CLOEXEC) {
            Err(rustix::io::Errno::INTR) => {}
            outcome => break outcome?,
        }
    };
    let mut descriptors = Vec::new();
    for message in passed.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            descriptors.extend(fds);
        }
    }
    Ok((received.bytes, descriptors))
}
