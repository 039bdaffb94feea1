//! One sandbox that waits for its command, so that starting one costs little: fwai's side of the
//! [keeper](super::kernel::keeper).

use super::kernel::{
    keeper::{self, Answer},
    spawn::{self, FirstProcess},
    sys,
};
use std::{
    fs::File,
    io,
    net::Shutdown,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::{net::UnixStream, process::CommandExt},
    },
    process::{Child, Command, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

/// Under this name the program is a keeper and nothing else.
const NAME: &str = "fwai-keeper";

/// Longer than the kernel ever takes; then sandboxes are made without a keeper.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a keeper is started: the running program under another name, if it offers that.
static PROGRAM: OnceLock<fn() -> Command> = OnceLock::new();

/// To be called first in a program's `main`: true where this process was started as a keeper, has done its
/// work, and is to end. From then on the program's sandboxes can be kept ready.
pub fn serve_as_keeper() -> bool {
    if std::env::args_os().next().is_some_and(|name| name == NAME) {
        serve();
        return true;
    }
    offer_keeper(|| {
        let mut command = Command::new("/proc/self/exe");
        command.arg0(NAME);
        command
    });
    false
}

/// Whether a keeper can be had.
pub(super) fn is_offered() -> bool {
    PROGRAM.get().is_some()
}

/// Serve on standard input, in a new process; this one may end.
pub fn serve() {
    if let Ok(requests) = rustix::io::dup(io::stdin()) {
        keeper::start(requests.into());
    }
}

/// For a program whose `main` is not its own: this command starts a process that calls [`serve`].
pub fn offer_keeper(program: fn() -> Command) {
    let _ = PROGRAM.set(program);
}

/// The keeper and the first process that it made last.
#[derive(Default)]
pub struct Ready {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keeper: Option<Keeper>,
    waiting: Option<Waiting>,
    /// A keeper failed once, and will not be tried again.
    failed: bool,
}

/// It ends when `requests` is closed.
struct Keeper {
    requests: UnixStream,
    /// What makes it and then ends.
    maker: Child,
    /// It is a child of this process, too; known once its maker has told.
    process: Option<OwnedFd>,
}

/// Asked for; its answer may still be on the way.
struct Waiting {
    channel: UnixStream,
    /// Says whether anything was mounted since, which it would not see.
    mounts: File,
}

impl Ready {
    /// Have one made, if none waits. Does not wait for it.
    pub fn prepare(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_none() {
            state.attempt(State::ask);
        }
    }

    /// The one that waits, or one made now; nothing where there is no keeper.
    pub fn take(&self) -> Option<FirstProcess> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match state.waiting.take() {
                Some(waiting) => {
                    let is_stale = waiting.is_stale();
                    let first = state.attempt(|state| state.answer(waiting))?;
                    if !is_stale {
                        return Some(first);
                    }
                    // Closing its channel ends it; it is collected with the other ends.
                    super::graveyard::bury(&first.pidfd);
                }
                None => state.attempt(State::ask)?,
            }
        }
    }
}

impl State {
    fn attempt<T>(&mut self, act: impl FnOnce(&mut Self) -> io::Result<T>) -> Option<T> {
        if self.failed {
            return None;
        }
        match act(self) {
            Ok(done) => Some(done),
            Err(error) => {
                tracing::warn!("sandboxes are made one by one from now on, which is slower: {error}");
                self.failed = true;
                self.waiting = None;
                self.keeper = None;
                None
            }
        }
    }

    fn ask(&mut self) -> io::Result<()> {
        let keeper = match &mut self.keeper {
            Some(keeper) => keeper,
            none => none.insert(Keeper::start()?),
        };
        // Before the request, so that no change falls between.
        let mounts = File::open("/proc/self/mountinfo")?;
        let (channel, inner) = spawn::channel()?;
        keeper::ask(&keeper.requests, inner.as_fd())?;
        self.waiting = Some(Waiting { channel, mounts });
        Ok(())
    }

    fn answer(&mut self, waiting: Waiting) -> io::Result<FirstProcess> {
        let keeper = self.keeper.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        keeper.meet()?;
        let answer = Answer::read(&mut keeper.requests)?;
        let pidfd = pidfd(answer.pid);
        if answer.errno != 0 {
            if let Ok(pidfd) = pidfd {
                let _ = sys::reap(pidfd.as_raw_fd(), true);
            }
            return Err(io::Error::from_raw_os_error(answer.errno));
        }
        Ok(FirstProcess { pid: answer.pid, pidfd: pidfd?, channel: waiting.channel })
    }
}

/// It is our child, so its number is its own until we collect it.
fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    let pid = rustix::process::Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
    Ok(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?)
}

impl Waiting {
    fn is_stale(&self) -> bool {
        let mut fds = [libc::pollfd { fd: self.mounts.as_raw_fd(), events: libc::POLLPRI, revents: 0 }];
        sys::poll(&mut fds, 0).is_err() || fds[0].revents != 0
    }
}

impl Keeper {
    fn start() -> io::Result<Self> {
        let program = PROGRAM.get().ok_or(io::ErrorKind::Unsupported)?;
        let (requests, its) = UnixStream::pair()?;
        requests.set_read_timeout(Some(PATIENCE))?;
        let maker = program()
            .env_clear()
            .current_dir("/")
            .stdin(OwnedFd::from(its))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { requests, maker, process: None })
    }

    /// The first word on the socket is who the keeper is.
    fn meet(&mut self) -> io::Result<()> {
        if self.process.is_none() {
            let answer = Answer::read(&mut self.requests)?;
            if answer.errno != 0 {
                return Err(io::Error::from_raw_os_error(answer.errno));
            }
            self.process = Some(pidfd(answer.pid)?);
            let _ = self.maker.wait();
        }
        Ok(())
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // It would stay as a dead child until fwai ends, if nobody asked who it was.
        if let Some(waiting) = self.waiting.take()
            && let Ok(first) = self.answer(waiting)
        {
            super::graveyard::bury(&first.pidfd);
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.meet();
        let _ = self.requests.shutdown(Shutdown::Both);
        match &self.process {
            Some(process) => super::graveyard::bury(process),
            // It could not make the keeper.
            None => {
                let _ = self.maker.kill();
                let _ = self.maker.wait();
            }
        }
    }
}
