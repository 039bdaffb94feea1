//! A log of a run, written while a command runs: redacted on its way, hashed as it lands.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use sha2::{Digest as _, Sha256};

use crate::redact::{RedactStream, Redacted, RedactionCount, Redactor};

/// An open log of a run; `std::io::Write` goes through redaction.
pub struct LogFile {
    name: String,
    file: File,
    hash: Sha256,
    stream: Box<dyn RedactStream>,
    pub(crate) redactions: RedactionCount,
    bytes: u64,
}

/// A log that is complete.
#[derive(Debug, Clone)]
pub struct ClosedLog {
    /// Relative to the run's directory.
    pub name: String,
    pub sha256: String,
    pub bytes: u64,
    pub redactions: RedactionCount,
}

impl LogFile {
    /// `taken` says how many logs of a name this process knows of.
    pub(crate) fn create(
        directory: &Path,
        name: &str,
        taken: &mut HashMap<String, u32>,
        redactor: &dyn Redactor,
    ) -> io::Result<Self> {
        let (name, file) = create_unique(directory, name, taken)?;
        Ok(Self {
            name,
            file,
            hash: Sha256::new(),
            stream: redactor.stream(),
            redactions: RedactionCount::default(),
            bytes: 0,
        })
    }

    /// Relative to the run's directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes what redaction still held, and makes the log durable.
    pub fn close(mut self) -> io::Result<ClosedLog> {
        let rest = self.stream.finish();
        self.land(rest)?;
        self.file.sync_all()?;
        Ok(ClosedLog {
            name: self.name,
            sha256: hex::encode(self.hash.finalize()),
            bytes: self.bytes,
            redactions: self.redactions,
        })
    }

    fn land(&mut self, piece: Redacted) -> io::Result<()> {
        self.redactions.add(&piece.rules);
        self.file.write_all(&piece.text)?;
        self.hash.update(&piece.text);
        self.bytes += piece.text.len() as u64;
        Ok(())
    }
}

impl Write for LogFile {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let redacted = self.stream.push(piece);
        self.land(redacted)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// `build.log`, and `build-2.log` when a tool runs twice.
fn create_unique(
    directory: &Path,
    wanted: &str,
    taken: &mut HashMap<String, u32>,
) -> io::Result<(String, File)> {
    let wanted = plain_name(wanted);
    let (stem, extension) = wanted.rsplit_once('.').unwrap_or((&wanted, "log"));
    let taken = taken.entry(wanted.clone()).or_default();
    while *taken < 10_000 {
        *taken += 1;
        let name = match *taken {
            1 => format!("{stem}.{extension}"),
            serial => format!("{stem}-{serial}.{extension}"),
        };
        match OpenOptions::new().write(true).create_new(true).open(directory.join(&name)) {
            Ok(file) => return Ok((name, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("more than 10000 logs named {wanted}")))
}

/// A file name without a directory, without surprises.
pub(crate) fn plain_name(wanted: &str) -> String {
    let name: String = wanted
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' })
        .take(80)
        .collect();
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "output.log".to_owned() } else { name.to_owned() }
}
