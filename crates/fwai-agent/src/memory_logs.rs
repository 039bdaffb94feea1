//! Event logs in memory: for the browser, where a page is the session, and for tests.

use crate::host::{EventLog, EventLogs, HostError};
use fwai_schema::event::Event;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

/// All logs of one place.
#[derive(Debug, Clone, Default)]
pub struct MemoryLogs {
    logs: Arc<Mutex<HashMap<String, Arc<MemoryLog>>>>,
}

#[derive(Debug, Default)]
struct MemoryLog {
    events: Mutex<Vec<Event>>,
}

/// The one writer of a log.
struct Writer(Arc<MemoryLog>);

impl MemoryLogs {
    /// What a session has written so far.
    pub fn events(&self, session: &str) -> Vec<Event> {
        let logs = self.logs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let log = logs.get(session);
        log.map(|log| log.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone())
            .unwrap_or_default()
    }

    /// Names of all sessions, sorted.
    pub fn sessions(&self) -> Vec<String> {
        let logs = self.logs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut names: Vec<String> = logs.keys().cloned().collect();
        names.sort();
        names
    }

    /// Puts a log there, as if a session had written it.
    pub fn insert(&self, session: &str, events: Vec<Event>) {
        let log = Arc::new(MemoryLog { events: Mutex::new(events) });
        self.logs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(session.to_owned(), log);
    }
}

impl EventLogs for MemoryLogs {
    fn open(&self, session: &str) -> Result<Arc<dyn EventLog>, HostError> {
        let mut logs = self.logs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let log = logs.entry(session.to_owned()).or_default();
        // The map holds one reference; another one is a writer that still lives.
        if Arc::strong_count(log) > 1 {
            return Err(HostError::new(format!("session {session} is in use")));
        }
        Ok(Arc::new(Writer(log.clone())))
    }
}

impl EventLog for Writer {
    fn append(&self, event: &Event) -> Result<(), HostError> {
        self.0.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(event.clone());
        Ok(())
    }

    fn sync(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn load(&self) -> Result<Vec<Event>, HostError> {
        Ok(self.0.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone())
    }
}
