//! The signed statement of a run: every file of its directory and every built image, by SHA-256.

use std::{fs, io, path::Path};

use fwai_schema::evidence::Evidence;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{ATTESTATION_FILE, EVIDENCE_FILE};
use crate::{
    dsse::Envelope,
    durable,
    log::LONGEST_ENTRY,
    signer::Signer,
    statement::{RUN_PREDICATE, RunPredicate, Statement, Subject},
};

/// Lists the files of a run that has too many for its statement.
pub const SUMS_FILE: &str = "SHA256SUMS";
/// Fields that always stay in the predicate.
const ESSENTIAL: [&str; 6] = ["run_id", "skill", "status", "start_time", "end_time", "fwai_version"];

/// Signs what a run's directory holds. `evidence` is the record as it stands in `evidence.json`.
pub fn attest(directory: &Path, evidence: &Evidence, signer: &Signer) -> io::Result<Envelope> {
    let id = &evidence.run_id;
    let mut files = run_files(directory)?
        .into_iter()
        .map(|name| Ok((name.clone(), sha256_of_file(durable::open_plain(&directory.join(&name))?)?)))
        .collect::<io::Result<Vec<_>>>()?;
    let images = evidence.artifacts.iter().map(|artifact| Subject::new(&artifact.path, &artifact.sha256));
    let images: Vec<Subject> = images.collect();

    let mut record = serde_json::to_value(evidence)?;
    if let Some(fields) = record.as_object_mut() {
        fields.shift_remove("signature");
    }
    let mut omitted = Vec::new();
    loop {
        let subject = files.iter().map(|(name, sum)| Subject::new(subject_name(id, name), sum));
        let subject = subject.chain(images.iter().cloned()).collect();
        let predicate =
            RunPredicate { run_id: id.clone(), evidence: record.clone(), omitted: omitted.clone() };
        let statement = Statement::new(RUN_PREDICATE, subject, serde_json::to_value(predicate)?);
        let envelope = statement.seal(&[signer]);
        if envelope.to_bytes().len() <= LONGEST_ENTRY {
            return Ok(envelope);
        }
        if let Some(field) = largest_field(&record) {
            record.as_object_mut().expect("it has a field").shift_remove(&field);
            omitted.push(field);
        } else if files.iter().all(|(name, _)| name != SUMS_FILE) {
            let sums: String = files.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
            durable::replace_file(&directory.join(SUMS_FILE), sums.as_bytes())?;
            files.retain(|(name, _)| name == EVIDENCE_FILE);
            files.push((SUMS_FILE.to_owned(), hex::encode(Sha256::digest(sums.as_bytes()))));
        } else {
            return Err(io::Error::other("the run has more images than one statement can name"));
        }
    }
}

/// `.fwai/runs/<run_id>/<file>`: names in statements are relative to the project.
pub fn subject_name(run_id: &str, file: &str) -> String {
    format!(".fwai/runs/{run_id}/{file}")
}

/// Files of a run that a statement covers, by name: all but the statement itself and torn temporary files.
pub fn run_files(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != ATTESTATION_FILE && !name.starts_with(durable::TEMPORARY_PREFIX) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Of a file that may be reached through a link, as a source may.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    sha256_of_file(durable::open_plain(&fs::canonicalize(path)?)?)
}

pub fn sha256_of_file(mut file: fs::File) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut HashWriter(&mut hash))?;
    Ok(hex::encode(hash.finalize()))
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn largest_field(record: &Value) -> Option<String> {
    let fields = record.as_object()?.iter().filter(|(name, _)| !ESSENTIAL.contains(&name.as_str()));
    fields.max_by_key(|(_, value)| value.to_string().len()).map(|(name, _)| name.clone())
}
