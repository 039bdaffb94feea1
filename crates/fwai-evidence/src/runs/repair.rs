//! Finishing what dead processes left: every marker that nobody holds is worked off.
//!
//! A run that had begun becomes an *interrupted* record with all that its journal says; one that was complete
//! but not in the log gets its leaf. It happens on the way to the next run, without a word or a manual step.

use std::{fs, path::Path};

use fwai_schema::evidence::{Evidence, RunStatus};

use super::{
    ATTESTATION_FILE, EVIDENCE_FILE, JOURNAL_FILE, RunError, RunStore, journal,
    open_marker::{OpenMarker, marked_runs},
    seal,
};
use crate::{dsse::Envelope, durable, keys::UserKeys, public_key::PublicKey, signed_record::open_record};

impl RunStore {
    /// Completes the runs of dead processes and returns their ids.
    pub fn repair(&self) -> Result<Vec<String>, RunError> {
        let runs = self.runs_directory();
        let mut repaired = Vec::new();
        for run_id in marked_runs(&runs) {
            let Some((marker, text)) = OpenMarker::take_over(&runs, &run_id) else { continue };
            self.repair_run(&runs.join(&run_id), text.log_size)?;
            marker.remove().map_err(RunError::write(&runs))?;
            repaired.push(run_id);
        }
        Ok(repaired)
    }

    fn repair_run(&self, directory: &Path, log_size: u64) -> Result<(), RunError> {
        // A link is not what a process of ours left, and leads to what is not ours to complete.
        if directory.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
            return Ok(());
        }
        remove_torn_files(directory);
        let record_path = directory.join(EVIDENCE_FILE);
        let Ok(bytes) = durable::read_plain(&record_path, durable::LARGEST_RECORD) else {
            // Nothing had begun. Only an empty directory goes; anything else is left for a person to see.
            let _ = fs::remove_dir(directory);
            return Ok(());
        };
        let Ok(mut evidence) = serde_json::from_slice::<Evidence>(&bytes) else {
            return Ok(());
        };
        // Nor is a record that speaks of another run.
        if directory.file_name().is_none_or(|name| name != evidence.run_id.as_str()) {
            return Ok(());
        }
        if !self.options.sign {
            if evidence.status == RunStatus::Running {
                evidence = journal::fold(evidence, journal::read(&directory.join(JOURNAL_FILE)));
                seal::seal(self, directory, &mut evidence)?;
            }
            return Ok(());
        }
        let user = UserKeys::of(&self.options.user_directory);
        let signer = user.signer()?;
        let current = [signer.public_key()];
        if statement_signed_by(directory, &user.retired()) && seal::is_logged(self, directory, log_size)? {
            return Ok(());
        }
        if statement_signed_by(directory, &current) {
            return seal::append_once(self, directory, log_size, &signer);
        }
        let is_own_record = open_record(&bytes).is_some_and(|(_, key)| current.contains(&key));
        if evidence.status != RunStatus::Running && is_own_record {
            seal::write_statement(directory, &evidence, &signer)?;
            return seal::append_once(self, directory, log_size, &signer);
        }
        let mut evidence = journal::fold(evidence, journal::read(&directory.join(JOURNAL_FILE)));
        seal::seal(self, directory, &mut evidence).map(drop)
    }
}

fn statement_signed_by(directory: &Path, keys: &[PublicKey]) -> bool {
    let Ok(bytes) = durable::read_plain(&directory.join(ATTESTATION_FILE), durable::LARGEST_RECORD) else {
        return false;
    };
    Envelope::parse(&bytes).is_ok_and(|envelope| !envelope.signers_among(keys).is_empty())
}

/// Temporary files of the dead process; nothing in them was acknowledged.
fn remove_torn_files(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(durable::TEMPORARY_PREFIX) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
