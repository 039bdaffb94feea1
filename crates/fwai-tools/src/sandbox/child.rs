//! A running command behind its walls.

use super::{
    appeared::Watch,
    graveyard,
    kernel::{
        init::Report,
        spawn::{FirstProcess, Started, read_report},
        sys,
    },
    placeholders::Placeholder,
};
use fwai_firmware::launch::Bound;
use std::{
    fs::{self, File},
    io,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::PathBuf,
    time::Duration,
};
use tokio::{io::AsyncReadExt, net::unix::pipe};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitStatus {
    pub code: Option<i32>,
    pub signal: Option<i32>,
}

impl ExitStatus {
    pub fn success(self) -> bool {
        self.code == Some(0)
    }

    /// The code that a shell would show: 128 and the signal's number for a killed command.
    pub fn shell_code(self) -> i32 {
        self.code.unwrap_or_else(|| 128 + self.signal.unwrap_or(0))
    }
}

/// A command that was run to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub timed_out: bool,
    /// It wrote more than its limit and was ended.
    pub too_much_output: bool,
    /// Protected paths that the command made in spite of everything; they were removed.
    pub removed: Vec<PathBuf>,
    /// What its processes together had too much of, and were ended for.
    pub overran: Option<Bound>,
}

/// A running command. Dropping it kills everything in the sandbox, unless it was started detached.
#[derive(Debug)]
pub struct Sandboxed {
    pub stdin: Option<File>,
    pub stdout: Option<File>,
    pub stderr: Option<File>,
    pid: i32,
    pidfd: OwnedFd,
    walls: Option<Walls>,
    detached: bool,
    ended: Option<ExitStatus>,
    removed: Vec<PathBuf>,
    overran: Option<Bound>,
}

#[derive(Debug)]
struct Walls {
    channel: UnixStream,
    afterwards: Afterwards,
}

/// What is done when the command has ended.
#[derive(Debug, Default)]
pub struct Afterwards {
    pub placeholders: Vec<Placeholder>,
    /// Single paths that must not exist.
    pub forbidden: Vec<PathBuf>,
    /// Globs that nothing new may match.
    pub watch: Option<Watch>,
}

impl Sandboxed {
    pub(super) fn walled(
        started: Started,
        [stdin, stdout, stderr]: [Option<File>; 3],
        afterwards: Afterwards,
        detached: bool,
    ) -> Self {
        let FirstProcess { pid, pidfd, channel } = started.first;
        let walls = Walls { channel, afterwards };
        Self {
            stdin,
            stdout,
            stderr,
            pid,
            pidfd,
            walls: Some(walls),
            detached,
            ended: None,
            removed: Vec::new(),
            overran: None,
        }
    }

    /// A process without walls, alone in its process group.
    pub(super) fn bare(
        pid: i32,
        pidfd: OwnedFd,
        [stdin, stdout, stderr]: [Option<File>; 3],
        detached: bool,
    ) -> Self {
        Self {
            stdin,
            stdout,
            stderr,
            pid,
            pidfd,
            walls: None,
            detached,
            ended: None,
            removed: Vec::new(),
            overran: None,
        }
    }

    /// The process that carries the sandbox; killing it ends everything inside.
    pub fn pid(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// Wait for the end. Safe to cancel and to call again.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.try_wait()? {
            return Ok(status);
        }
        match &self.walls {
            Some(walls) => sys::readable(walls.channel.as_fd()).await?,
            None => sys::readable(self.pidfd.as_fd()).await?,
        }
        self.wait_blocking()
    }

    pub fn wait_blocking(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended {
            return Ok(status);
        }
        match self.walls.is_some() {
            true => self.conclude(),
            false => self.reap(true)?.ok_or_else(|| io::Error::other("the process has not ended")),
        }
    }

    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_some() {
            return Ok(self.ended);
        }
        let Some(walls) = &self.walls else { return self.reap(false) };
        let mut fds = [libc::pollfd { fd: walls.channel.as_raw_fd(), events: libc::POLLIN, revents: 0 }];
        sys::poll(&mut fds, 0)?;
        if fds[0].revents == 0 { Ok(None) } else { self.conclude().map(Some) }
    }

    /// A process without walls.
    fn reap(&mut self, block: bool) -> io::Result<Option<ExitStatus>> {
        if let Some((code, signal)) = sys::reap(self.pidfd.as_raw_fd(), block)? {
            self.ended = Some(ExitStatus { code, signal });
        }
        Ok(self.ended)
    }

    /// The first process says how the command ended, when nothing of it lives any more. Without that word it
    /// was killed, and everything dies with it.
    fn conclude(&mut self) -> io::Result<ExitStatus> {
        let report = self.walls.as_mut().and_then(|walls| read_report(&mut walls.channel));
        let status = match report {
            Some(Report::Ended { status }) => {
                graveyard::bury(&self.pidfd);
                match libc::WIFEXITED(status) {
                    true => ExitStatus { code: Some(libc::WEXITSTATUS(status)), signal: None },
                    false => ExitStatus { code: None, signal: Some(libc::WTERMSIG(status)) },
                }
            }
            other => {
                let signal = sys::reap(self.pidfd.as_raw_fd(), true)?.and_then(|(_, signal)| signal);
                self.overran = match other {
                    Some(Report::TooMuchMemory) => Some(Bound::Memory),
                    Some(Report::TooMuchTime) => Some(Bound::Processor),
                    _ => None,
                };
                ExitStatus { code: None, signal: Some(signal.unwrap_or(libc::SIGKILL)) }
            }
        };
        self.ended = Some(status);
        self.clear_up();
        Ok(status)
    }

    fn clear_up(&mut self) {
        let Some(walls) = self.walls.take() else { return };
        for placeholder in walls.afterwards.placeholders {
            placeholder.release();
        }
        if let Some(watch) = walls.afterwards.watch {
            self.removed.extend(watch.take_away());
        }
        for path in walls.afterwards.forbidden {
            let gone = match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path).is_ok(),
                Ok(_) => fs::remove_file(&path).is_ok(),
                Err(_) => continue,
            };
            if gone {
                self.removed.push(path);
            }
        }
    }

    /// Send a signal to every process of the command.
    pub fn signal(&mut self, signal: i32) -> io::Result<()> {
        match &mut self.walls {
            _ if self.ended.is_some() => Ok(()),
            Some(walls) => io::Write::write_all(
                &mut walls.channel,
                &[u8::try_from(signal).unwrap_or(libc::SIGTERM as u8)],
            ),
            None => Ok(sys::kill_group(self.pid, signal)?),
        }
    }

    /// End every process of the command at once.
    pub fn kill(&mut self) -> io::Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        if self.walls.is_none() {
            let _ = sys::kill_group(self.pid, libc::SIGKILL);
        }
        match sys::signal_process(self.pidfd.as_raw_fd(), libc::SIGKILL) {
            Err(sys::Errno(libc::ESRCH)) | Ok(()) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Protected paths that the command made and that were removed when it ended.
    pub fn removed(&self) -> &[PathBuf] {
        &self.removed
    }

    /// What its processes together had too much of, and were ended for.
    pub fn overran(&self) -> Option<Bound> {
        self.overran
    }

    /// Standard output as a stream of the async runtime.
    pub fn async_stdout(&mut self) -> io::Result<Option<pipe::Receiver>> {
        self.stdout.take().map(pipe::Receiver::from_file).transpose()
    }

    pub fn async_stderr(&mut self) -> io::Result<Option<pipe::Receiver>> {
        self.stderr.take().map(pipe::Receiver::from_file).transpose()
    }

    pub fn async_stdin(&mut self) -> io::Result<Option<pipe::Sender>> {
        self.stdin.take().map(pipe::Sender::from_file).transpose()
    }

    /// Run to the end, keeping at most `max_output` bytes of both streams together. A command that writes more
    /// or takes longer than `time_limit` is killed with everything that it started.
    pub async fn finish(mut self, max_output: usize, time_limit: Option<Duration>) -> io::Result<Finished> {
        drop(self.stdin.take());
        let mut stdout = self.async_stdout()?;
        let mut stderr = self.async_stderr()?;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut out_buffer = vec![0; 64 * 1024];
        let mut err_buffer = vec![0; 64 * 1024];
        let deadline = time_limit.map(|limit| tokio::time::Instant::now() + limit);
        let (mut timed_out, mut too_much_output) = (false, false);
        while stdout.is_some() || stderr.is_some() {
            tokio::select! {
                read = read_some(&mut stdout, &mut out_buffer), if stdout.is_some() => match read? {
                    0 => stdout = None,
                    count => out.extend_from_slice(&out_buffer[..count]),
                },
                read = read_some(&mut stderr, &mut err_buffer), if stderr.is_some() => match read? {
                    0 => stderr = None,
                    count => err.extend_from_slice(&err_buffer[..count]),
                },
                () = until(deadline), if !timed_out => {
                    timed_out = true;
                    self.kill()?;
                }
            }
            if out.len() + err.len() > max_output {
                too_much_output = true;
                self.kill()?;
                let over = out.len() + err.len() - max_output;
                let longer = if out.len() >= err.len() { &mut out } else { &mut err };
                longer.truncate(longer.len().saturating_sub(over));
                break;
            }
        }
        let status = match deadline.filter(|_| !timed_out && !too_much_output) {
            None => self.wait().await?,
            // Its streams may be closed long before it ends.
            Some(deadline) => match tokio::time::timeout_at(deadline, self.wait()).await {
                Ok(status) => status?,
                Err(_) => {
                    timed_out = true;
                    self.kill()?;
                    self.wait().await?
                }
            },
        };
        Ok(Finished {
            status,
            stdout: out,
            stderr: err,
            timed_out,
            too_much_output,
            removed: std::mem::take(&mut self.removed),
            overran: self.overran,
        })
    }
}

async fn read_some(stream: &mut Option<pipe::Receiver>, buffer: &mut [u8]) -> io::Result<usize> {
    match stream {
        Some(stream) => stream.read(buffer).await,
        None => std::future::pending().await,
    }
}

async fn until(deadline: Option<tokio::time::Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

impl Drop for Sandboxed {
    fn drop(&mut self) {
        if self.detached || self.ended.is_some() {
            return;
        }
        // Killed processes end within moments, and only then may the placeholders go.
        if self.kill().is_ok() {
            let _ = self.wait_blocking();
        }
    }
}
