//! A cassette as a file of the project: without secrets, and without the project's own path, so that it
//! plays in any copy of it.

use fwai_llm::cassette::{CassetteSink, Tape};
use fwai_policy::secrets::Redactor;
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Stands for the project's path.
const PROJECT: &str = "⟦project⟧";

/// Takes out secrets and the project's path.
pub struct ProjectTape {
    project: String,
    redactor: Redactor,
}

impl ProjectTape {
    pub fn new(project: &Path, redactor: Redactor) -> Self {
        Self { project: project.to_string_lossy().into_owned(), redactor }
    }
}

impl Tape for ProjectTape {
    fn tape_text(&self, text: &str) -> String {
        let text = self.redactor.redact(text);
        // A project in `/` would tear every path apart.
        if self.project.len() > 1 { text.replace(&self.project, PROJECT) } else { text.into_owned() }
    }

    fn play_text(&self, text: &str) -> String {
        text.replace(PROJECT, &self.project)
    }
}

/// Appends lines to a file that only its owner can read.
pub struct CassetteFile {
    path: PathBuf,
    file: Mutex<Option<File>>,
}

impl CassetteFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path, file: Mutex::new(None) }
    }

    fn open(&self) -> std::io::Result<File> {
        if let Some(directory) = self.path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options.open(&self.path)
    }
}

impl CassetteSink for CassetteFile {
    fn write_line(&self, line: &str) -> Result<(), String> {
        let mut held = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let result = (|| {
            let file = match held.as_mut() {
                Some(file) => file,
                None => held.insert(self.open()?),
            };
            // One write, so that two sessions on one cassette do not mix their lines.
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_data()
        })();
        result.map_err(|error: std::io::Error| format!("{}: {error}", self.path.display()))
    }
}
