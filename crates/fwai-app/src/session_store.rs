//! Sessions on disk: `.fwai/sessions/<id>/events.jsonl`, with the plan and long outputs beside it.
//!
//! A log is appended and never rewritten. Each event is one `write` of one line, so that `kill -9` loses
//! nothing that was acknowledged; `sync` makes it survive a power cut. A torn last line is cut off when the
//! log is opened to be written. A log has one writer: the file is locked, and the lock dies with the process.

mod files;
mod log;

use crate::atomic;
use fwai_agent::{
    fork::{self, ForkError},
    host::{EventLog, EventLogs, HostError},
    state::title_of,
};
use fwai_schema::{
    event::{Event, EventBody},
    message::Role,
};
use serde::Serialize;
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    sync::Arc,
};
use thiserror::Error;

/// All sessions of a project.
#[derive(Debug, Clone)]
pub struct SessionStore {
    project: PathBuf,
    root: PathBuf,
}

/// One line of `fwai sessions list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionEntry {
    pub id: String,
    /// RFC 3339.
    pub started: String,
    pub turns: u32,
    pub title: String,
    /// The session that started this one as its agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// What can go wrong with stored sessions.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum SessionError {
    #[error("there is no session here yet; start one with `fwai` or `fwai exec`")]
    NoneYet,
    #[error("there is no session `{wanted}`; `fwai sessions list` shows all")]
    Unknown { wanted: String },
    #[error("`{wanted}` fits several sessions: {}; write more of it", .fitting.join(", "))]
    Ambiguous { wanted: String, fitting: Vec<String> },
    #[error("`{wanted}` is no name of a session")]
    BadName { wanted: String },
    #[error(
        "session {id} is in use by another fwai; leave it there, or go on in a copy: fwai sessions fork {id}"
    )]
    InUse { id: String },
    #[error(transparent)]
    Fork(#[from] ForkError),
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
}

impl From<SessionError> for HostError {
    fn from(error: SessionError) -> Self {
        HostError::new(error.to_string())
    }
}

impl SessionStore {
    /// The store of a project; nothing is made before the first session is.
    pub fn new(project: impl Into<PathBuf>) -> Self {
        let project = project.into();
        Self { root: project.join(".fwai").join("sessions"), project }
    }

    /// Where the session's files lie.
    pub fn directory(&self, id: &str) -> Result<PathBuf, SessionError> {
        if is_name(id) { Ok(self.root.join(id)) } else { Err(SessionError::BadName { wanted: id.into() }) }
    }

    fn log_path(&self, id: &str) -> Result<PathBuf, SessionError> {
        Ok(self.directory(id)?.join("events.jsonl"))
    }

    /// Every session, newest first. One whose log cannot be read is left out with a warning.
    pub fn list(&self) -> Result<Vec<SessionEntry>, SessionError> {
        let mut entries = Vec::new();
        for id in self.ids()? {
            match self.entry(&id) {
                Ok(Some(entry)) => entries.push(entry),
                Ok(None) => {}
                Err(error) => tracing::warn!("{error}"),
            }
        }
        entries.sort_by(|a, b| (&b.started, &b.id).cmp(&(&a.started, &a.id)));
        Ok(entries)
    }

    fn ids(&self) -> Result<Vec<String>, SessionError> {
        let listing = match fs::read_dir(&self.root) {
            Ok(listing) => listing,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(SessionError::Io { path: self.root.clone(), error }),
        };
        let name = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let has_log = |id: &String| is_name(id) && self.root.join(id).join("events.jsonl").is_file();
        Ok(listing.filter_map(name).filter(has_log).collect())
    }

    /// Reads only both ends of the log.
    fn entry(&self, id: &str) -> Result<Option<SessionEntry>, SessionError> {
        let path = self.log_path(id)?;
        let failed = |error| SessionError::Io { path: path.clone(), error };
        let file = File::open(&path).map_err(failed)?;
        let mut entry = SessionEntry {
            id: id.into(),
            started: String::new(),
            turns: 0,
            title: String::new(),
            parent: None,
        };
        for line in BufReader::new(&file).lines().take(24) {
            // A torn or foreign line says nothing here; `log::read` is who reports it.
            let Ok(event) =
                line.map_err(|_| ()).and_then(|line| serde_json::from_str::<Event>(&line).map_err(|_| ()))
            else {
                continue;
            };
            if entry.started.is_empty() {
                entry.started = event.ts.clone();
            }
            match event.body {
                EventBody::SessionStarted { title, parent, .. } => {
                    entry.parent = parent;
                    entry.title = title.unwrap_or_default();
                }
                EventBody::Message { message, injected: false } if message.role == Role::User => {
                    if entry.title.is_empty() {
                        entry.title = title_of(&message.content).unwrap_or_default();
                    }
                    break;
                }
                _ => {}
            }
        }
        entry.turns = log::last_event(&file).map_err(failed)?.map_or(0, |event| event.turn);
        Ok((!entry.started.is_empty()).then_some(entry))
    }

    /// The id that `wanted` means: `last`, an id, or the beginning of just one.
    pub fn resolve(&self, wanted: &str) -> Result<String, SessionError> {
        if wanted == "last" {
            let newest = self.list()?.into_iter().find(|entry| entry.parent.is_none());
            return newest.map(|entry| entry.id).ok_or(SessionError::NoneYet);
        }
        let ids = self.ids()?;
        if ids.iter().any(|id| id == wanted) {
            return Ok(wanted.to_owned());
        }
        let mut fitting: Vec<String> = match wanted.is_empty() {
            true => Vec::new(),
            false => ids.into_iter().filter(|id| id.starts_with(wanted)).collect(),
        };
        // The agents of a session share its name's beginning; the session itself is meant.
        fitting.sort_by_key(String::len);
        if fitting.len() > 1 && fitting[1..].iter().all(|id| id.starts_with(&format!("{}-", fitting[0]))) {
            fitting.truncate(1);
        }
        match fitting.len() {
            0 => Err(SessionError::Unknown { wanted: wanted.into() }),
            1 => Ok(fitting.remove(0)),
            _ => Err(SessionError::Ambiguous { wanted: wanted.into(), fitting }),
        }
    }

    /// All whole events of a session; does not disturb one that is running.
    pub fn load(&self, id: &str) -> Result<Vec<Event>, SessionError> {
        let path = self.log_path(id)?;
        log::read(&path).map_err(|error| SessionError::Io { path, error })
    }

    /// A copy of a session up to and with `turn`, under a new id.
    pub fn fork(&self, id: &str, turn: Option<u32>, new_id: &str, now: &str) -> Result<(), SessionError> {
        let forked = fork::fork(&self.load(id)?, turn, new_id, now)?;
        let mut text = String::new();
        for event in &forked {
            text.push_str(&serde_json::to_string(event).expect("events are plain data"));
            text.push('\n');
        }
        let path = self.log_path(new_id)?;
        let (from, to) = (self.directory(id)?.join("plan.md"), self.directory(new_id)?.join("plan.md"));
        atomic::write(&path, text.as_bytes()).map_err(|error| SessionError::Io { path, error })?;
        match fs::copy(&from, &to) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(SessionError::Io { path: to, error }),
        }
    }

    /// Says so where another fwai writes to the session.
    pub fn check_free(&self, id: &str) -> Result<(), SessionError> {
        let path = self.log_path(id)?;
        let file = File::open(&path).map_err(|error| SessionError::Io { path: path.clone(), error })?;
        lock(&file, id, &path)?;
        file.unlock().map_err(|error| SessionError::Io { path, error })
    }

    /// Removes a session and those of its agents. One in use is left alone.
    pub fn remove(&self, id: &str) -> Result<(), SessionError> {
        let path = self.log_path(id)?;
        let file = File::open(&path).map_err(|error| SessionError::Io { path: path.clone(), error })?;
        lock(&file, id, &path)?;
        let agents = format!("{id}-");
        let is_agent = |other: &String| other.starts_with(&agents);
        for other in self.ids()?.into_iter().filter(is_agent).chain([id.to_owned()]) {
            let directory = self.directory(&other)?;
            fs::remove_dir_all(&directory).map_err(|error| SessionError::Io { path: directory, error })?;
        }
        Ok(())
    }
}

impl EventLogs for SessionStore {
    fn open(&self, session: &str) -> Result<Arc<dyn EventLog>, HostError> {
        let path = self.log_path(session)?;
        Ok(Arc::new(log::FileLog::open(session, &path)?))
    }
}

/// Takes the one writer's lock, or says that somebody has it.
fn lock(file: &File, id: &str, path: &Path) -> Result<(), SessionError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(fs::TryLockError::WouldBlock) => Err(SessionError::InUse { id: id.into() }),
        Err(fs::TryLockError::Error(error)) => Err(SessionError::Io { path: path.to_owned(), error }),
    }
}

/// A name that stays one directory, whatever a user or a log says.
fn is_name(id: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !id.is_empty() && id.len() <= 120 && !id.starts_with('.') && id.chars().all(allowed)
}

#[cfg(test)]
mod tests;
