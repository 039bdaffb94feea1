//! [`run`]: start a process, hand its output on as it comes, and wait for the end.

use std::{io, time::Duration};

use tokio::io::{AsyncRead, AsyncReadExt};

use super::{CancellationToken, Child, Exit, LaunchError, LaunchSpec, Launcher, Stream};

/// Time that a process which somebody else still holds the pipe of gets to finish writing.
const STRAGGLER_GRACE: Duration = Duration::from_millis(500);
/// Time between a friendly interrupt and the kill when a run is cancelled.
const INTERRUPT_GRACE: Duration = Duration::from_millis(1500);

/// How a process went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Finished {
    pub exit: Exit,
    pub duration: Duration,
}

/// Run to the end with standard output and error merged in order; `output` gets every chunk.
///
/// Cancelling interrupts the tree, and kills it when that does not help.
pub async fn run(
    launcher: &dyn Launcher,
    spec: LaunchSpec,
    output: &mut (dyn FnMut(&[u8]) + Send),
    cancel: &CancellationToken,
) -> Result<Finished, LaunchError> {
    let started = tokio::time::Instant::now();
    let (command, cwd) = (spec.command_line(), spec.cwd.clone());
    let stdin = spec.stdin;
    let mut child = launcher.launch(spec.streams(stdin, Stream::Piped, Stream::WithStdout)).await?;
    let exit = follow(&mut child, output, cancel).await.map_err(|source| LaunchError::Spawn {
        command,
        cwd,
        source,
    })?;
    Ok(Finished { exit, duration: started.elapsed() })
}

async fn follow(
    child: &mut Child,
    output: &mut (dyn FnMut(&[u8]) + Send),
    cancel: &CancellationToken,
) -> io::Result<Exit> {
    let mut pipe = child.stdout.take();
    let mut buffer = vec![0; 64 * 1024];
    let mut cancelled = false;
    let exit = loop {
        tokio::select! {
            // Output comes last: an endless writer must not keep the time limit or a cancel from being seen.
            biased;
            exit = child.wait() => break exit?,
            () = cancel.cancelled(), if !cancelled => {
                cancelled = true;
                child.interrupt()?;
                if let Ok(exit) = tokio::time::timeout(INTERRUPT_GRACE, child.wait()).await {
                    break exit?;
                }
                child.kill_tree()?;
            }
            count = read(&mut pipe, &mut buffer), if pipe.is_some() => match count? {
                0 => pipe = None,
                count => output(&buffer[..count]),
            },
        }
    };
    // A background process may hold the pipe open for ever; what is there now is read, the rest is not ours.
    let deadline = tokio::time::Instant::now() + STRAGGLER_GRACE;
    while pipe.is_some() && tokio::time::Instant::now() < deadline {
        match tokio::time::timeout_at(deadline, read(&mut pipe, &mut buffer)).await {
            Ok(Ok(count)) if count > 0 => output(&buffer[..count]),
            _ => pipe = None,
        }
    }
    Ok(Exit { cancelled, ..exit })
}

async fn read(
    pipe: &mut Option<Box<dyn AsyncRead + Send + Sync + Unpin>>,
    buffer: &mut [u8],
) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.read(buffer).await,
        None => Ok(0),
    }
}
