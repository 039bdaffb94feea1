//! A command's process with its output gathered while it runs, bounded and shown live.

use fwai_firmware::launch::{Child, Exit, LaunchSpec, Launcher, Stream};
use std::sync::{Arc, Mutex};
use tokio::io::AsyncReadExt;

/// Output so far: the beginning and the newest end; what lies between is counted.
#[derive(Debug, Default)]
pub struct Gathered {
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    dropped: u64,
    /// Bytes that a reader of the job has already seen, counted over everything.
    pub seen: u64,
}

const HEAD: usize = 256 << 10;
const TAIL: usize = 256 << 10;

impl Gathered {
    pub fn push(&mut self, bytes: &[u8]) {
        let free = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..free]);
        self.tail.extend(&bytes[free..]);
        if self.tail.len() > TAIL {
            let excess = self.tail.len() - TAIL;
            self.tail.drain(..excess);
            self.dropped += excess as u64;
        }
    }

    pub fn total(&self) -> u64 {
        self.head.len() as u64 + self.dropped + self.tail.len() as u64
    }

    /// Everything that is kept, as text.
    pub fn text(&self) -> String {
        self.text_from(0)
    }

    /// What came after the first `offset` bytes.
    pub fn text_from(&self, offset: u64) -> String {
        let head = &self.head[(offset as usize).min(self.head.len())..];
        let tail_start = self.head.len() as u64 + self.dropped;
        let skip = offset.saturating_sub(tail_start) as usize;
        let (front, back) = self.tail.as_slices();
        let tail: Vec<u8> = front.iter().chain(back).skip(skip).copied().collect();
        let mut text = String::from_utf8_lossy(head).into_owned();
        if self.dropped > 0 && offset < tail_start {
            text.push_str(&format!("\n… {} bytes left out …\n", self.dropped));
        }
        text.push_str(&String::from_utf8_lossy(&tail));
        text
    }
}

/// Starts a shell line with both streams in one pipe.
pub async fn start(launcher: &dyn Launcher, spec: LaunchSpec) -> Result<Child, String> {
    let spec = spec.streams(Stream::Null, Stream::Piped, Stream::WithStdout);
    launcher.launch(spec).await.map_err(|error| error.to_string())
}

/// Reads the output until the end of the process; kills it when it says more than `limit` bytes.
pub async fn gather(
    child: &mut Child,
    gathered: &Arc<Mutex<Gathered>>,
    limit: u64,
    mut show: impl FnMut(&str),
) -> Result<(Exit, bool), String> {
    let mut stdout = child.stdout.take();
    let mut buffer = vec![0; 16 << 10];
    let mut flooded = false;
    if let Some(stdout) = &mut stdout {
        loop {
            let count = tokio::select! {
                count = stdout.read(&mut buffer) => count.unwrap_or(0),
                // A background process may hold the pipe open after the shell has ended.
                exit = child.wait() => {
                    let exit = exit.map_err(|error| error.to_string())?;
                    drain(stdout, gathered, &mut buffer).await;
                    return Ok((exit, flooded));
                }
            };
            if count == 0 {
                break;
            }
            let total = {
                let mut gathered = gathered.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                gathered.push(&buffer[..count]);
                gathered.total()
            };
            show(&String::from_utf8_lossy(&buffer[..count]));
            if total > limit && !flooded {
                flooded = true;
                child.kill_tree().map_err(|error| error.to_string())?;
            }
        }
    }
    let exit = child.wait().await.map_err(|error| error.to_string())?;
    Ok((exit, flooded))
}

/// Takes what is already in the pipe, and waits for no more.
async fn drain(
    stdout: &mut (impl tokio::io::AsyncRead + Unpin),
    gathered: &Arc<Mutex<Gathered>>,
    buffer: &mut [u8],
) {
    while let Ok(Ok(count)) =
        tokio::time::timeout(std::time::Duration::from_millis(5), stdout.read(buffer)).await
    {
        if count == 0 {
            break;
        }
        gathered.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(&buffer[..count]);
    }
}
