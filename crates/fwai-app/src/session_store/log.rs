//! One event log: a file of lines.

use super::{SessionError, lock};
use crate::atomic;
use fwai_agent::host::{EventLog, HostError};
use fwai_schema::event::Event;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The log of one session, held by its one writer.
#[derive(Debug)]
pub(super) struct FileLog {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    /// Reused for every line, so that an append is one `write` and no allocation.
    line: Vec<u8>,
    dirty: bool,
    /// A line that could not be written whole; nothing may follow it.
    broken: bool,
}

impl FileLog {
    pub(super) fn open(id: &str, path: &Path) -> Result<Self, SessionError> {
        let failed = |error| SessionError::Io { path: path.to_owned(), error };
        let directory = path.parent().expect("a log lies in the directory of its session");
        let is_new = !path.exists();
        fs::create_dir_all(directory).map_err(failed)?;
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        lock(&file, id, path)?;
        repair(&file).map_err(failed)?;
        if is_new {
            atomic::sync_directory(directory).map_err(failed)?;
            if let Some(all) = directory.parent() {
                atomic::sync_directory(all).map_err(failed)?;
            }
        }
        let inner = Inner { file, line: Vec::new(), dirty: false, broken: false };
        Ok(Self { path: path.to_owned(), inner: Mutex::new(inner) })
    }

    fn failed(&self, error: io::Error) -> HostError {
        HostError::new(format!("{}: {error}", self.path.display()))
            .with_hint("free some space or check the disk, then resume the session")
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Not left to the descriptor's end: a process that is just being started may have a copy of it.
        let _ = self.file.unlock();
    }
}

impl EventLog for FileLog {
    fn append(&self, event: &Event) -> Result<(), HostError> {
        let mut guard = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let inner = &mut *guard;
        if inner.broken {
            return Err(HostError::new(format!(
                "{}: an earlier event could not be written",
                self.path.display()
            )));
        }
        inner.line.clear();
        serde_json::to_writer(&mut inner.line, event).map_err(|error| self.failed(error.into()))?;
        inner.line.push(b'\n');
        let before = inner.file.metadata().map_err(|error| self.failed(error))?.len();
        if let Err(error) = inner.file.write_all(&inner.line) {
            // A full disk may have taken half of the line; take it back, or stop for good.
            inner.broken = inner.file.set_len(before).is_err();
            return Err(self.failed(error));
        }
        inner.dirty = true;
        Ok(())
    }

    fn sync(&self) -> Result<(), HostError> {
        let mut inner = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if inner.dirty {
            inner.file.sync_data().map_err(|error| self.failed(error))?;
            inner.dirty = false;
        }
        Ok(())
    }

    fn load(&self) -> Result<Vec<Event>, HostError> {
        read(&self.path).map_err(|error| self.failed(error))
    }
}

/// Cuts off a line that a crash left unfinished. A whole event that only lacks its newline gets it.
fn repair(file: &File) -> io::Result<()> {
    let length = file.metadata()?.len();
    let tail = unfinished_line(file, length)?;
    if tail.is_empty() {
        return Ok(());
    }
    if serde_json::from_slice::<Event>(&tail).is_ok() {
        (&mut &*file).write_all(b"\n")?;
    } else {
        file.set_len(length - tail.len() as u64)?;
    }
    file.sync_data()
}

/// What follows the last newline.
fn unfinished_line(file: &File, length: u64) -> io::Result<Vec<u8>> {
    let mut tail = Vec::new();
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(8192);
        let mut chunk = vec![0; usize::try_from(end - start).expect("at most 8192")];
        let mut reader = file;
        reader.seek(SeekFrom::Start(start))?;
        reader.read_exact(&mut chunk)?;
        let found = chunk.iter().rposition(|byte| *byte == b'\n');
        let from = found.map_or(0, |at| at + 1);
        tail.splice(0..0, chunk[from..].iter().copied());
        if found.is_some() {
            break;
        }
        end = start;
    }
    Ok(tail)
}

/// The last whole event, found from the end.
pub(super) fn last_event(file: &File) -> io::Result<Option<Event>> {
    let mut end = file.metadata()?.len();
    let torn = unfinished_line(file, end)?;
    if let Ok(event) = serde_json::from_slice(&torn) {
        return Ok(Some(event));
    }
    end -= torn.len() as u64;
    while end > 0 {
        let line = unfinished_line(file, end - 1)?;
        if let Ok(event) = serde_json::from_slice(&line) {
            return Ok(Some(event));
        }
        end -= 1 + line.len() as u64;
    }
    Ok(None)
}

/// All whole events. A line that is none is left out with a warning; the others still count.
pub(super) fn read(path: &Path) -> io::Result<Vec<Event>> {
    let bytes = fs::read(path)?;
    let mut events = Vec::with_capacity(bytes.len() / 256);
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(event) => events.push(event),
            Err(error) => tracing::warn!("{}:{}: not an event: {error}", path.display(), index + 1),
        }
    }
    Ok(events)
}
