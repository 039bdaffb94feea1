//! Lines of earlier sessions: a file that only its owner can read, without secrets.

use crate::context::Context;
use fwai_policy::secrets::{Redactor, RuleSet};
use reedline::{
    FileBackedHistory, History, HistoryItem, HistoryItemId, HistorySessionId, Result, SearchQuery,
};
use std::{cell::OnceCell, fs, os::unix::fs::OpenOptionsExt, os::unix::fs::PermissionsExt, path::Path};

const LINES: usize = 2_000;

/// The history of all sessions of this user, if it can be kept.
pub fn open(context: &Context) -> Option<Box<dyn History>> {
    let file = context.paths.user.join("history");
    make_private(&file).ok()?;
    let inner = FileBackedHistory::with_file(LINES, file).ok()?;
    let known = context.config().ok().map(|layered| {
        let security = &layered.config.security;
        let keys = fwai_app::provider::keys_in_environment(&layered.config.provider);
        (security.patterns.clone(), security.allow.clone(), keys)
    });
    let make = move || {
        let (patterns, allow, keys) = known.clone().unwrap_or_default();
        let redactor = Redactor::new(RuleSet::with_config(&patterns, &allow).unwrap_or_default());
        for key in &keys {
            redactor.add_known(key);
        }
        redactor
    };
    Some(Box::new(Private { inner, redactor: OnceCell::new(), make: Box::new(make) }))
}

fn make_private(file: &Path) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(file)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600))
}

/// A history that takes secrets out before it keeps a line.
struct Private {
    inner: FileBackedHistory,
    /// Made with the first line: it has many rules, and the prompt should not wait for them.
    redactor: OnceCell<Redactor>,
    make: Box<dyn Fn() -> Redactor + Send>,
}

impl History for Private {
    fn save(&mut self, mut item: HistoryItem) -> Result<HistoryItem> {
        let redactor = self.redactor.get_or_init(&self.make);
        item.command_line = redactor.redact(&item.command_line).into_owned();
        self.inner.save(item)
    }

    fn load(&self, id: HistoryItemId) -> Result<HistoryItem> {
        self.inner.load(id)
    }

    fn count(&self, query: SearchQuery) -> Result<i64> {
        self.inner.count(query)
    }

    fn search(&self, query: SearchQuery) -> Result<Vec<HistoryItem>> {
        self.inner.search(query)
    }

    fn update(&mut self, id: HistoryItemId, change: &dyn Fn(HistoryItem) -> HistoryItem) -> Result<()> {
        self.inner.update(id, change)
    }

    fn clear(&mut self) -> Result<()> {
        self.inner.clear()
    }

    fn delete(&mut self, id: HistoryItemId) -> Result<()> {
        self.inner.delete(id)
    }

    fn sync(&mut self) -> std::io::Result<()> {
        self.inner.sync()
    }

    fn session(&self) -> Option<HistorySessionId> {
        self.inner.session()
    }
}
