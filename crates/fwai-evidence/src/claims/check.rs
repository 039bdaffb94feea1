//! Whether a claim still stands.

use std::{io, path::Path};

use fwai_schema::evidence::{Claim, RunStatus};
use serde::Serialize;

use crate::runs::{attest::sha256_of, listing::run_ids, load_evidence};

/// A claim and how it stands now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedClaim {
    /// The run that made the claim.
    pub run_id: String,
    #[serde(flatten)]
    pub claim: Claim,
    pub state: ClaimState,
    /// What makes it stale or unsupported.
    pub reasons: Vec<String>,
}

/// How a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimState {
    /// Every covered file is as it was, and every cited run shows success.
    Fresh,
    /// A covered file changed since.
    Stale,
    /// A cited run is missing or did not succeed.
    Unsupported,
}

/// The claims of all runs, newest first.
pub fn check_claims(root: &Path) -> io::Result<Vec<CheckedClaim>> {
    let mut checked = Vec::new();
    for run_id in run_ids(root)?.into_iter().rev() {
        // What cannot be read is a matter of `audit verify`.
        let Ok(evidence) = load_evidence(root, &run_id) else { continue };
        let own = (evidence.run_id.clone(), evidence.status);
        for claim in evidence.claims {
            checked.push(check_claim(root, run_id.clone(), claim, &own));
        }
    }
    Ok(checked)
}

fn check_claim(root: &Path, run_id: String, claim: Claim, own: &(String, RunStatus)) -> CheckedClaim {
    let mut reasons = Vec::new();
    let mut state = ClaimState::Fresh;
    for (file, then) in &claim.covers {
        let now = sha256_of(&root.join(file));
        match now {
            Ok(now) if now == *then => continue,
            Ok(_) => reasons.push(format!("{file} changed")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => reasons.push(format!("{file} is gone")),
            Err(error) => reasons.push(format!("{file} cannot be read: {error}")),
        }
        state = ClaimState::Stale;
    }
    let cited = if claim.runs.is_empty() { std::slice::from_ref(&run_id) } else { &claim.runs };
    for cited in cited {
        let status = match cited == &own.0 {
            true => Some(own.1),
            false => load_evidence(root, cited).ok().map(|evidence| evidence.status),
        };
        let reason = match status {
            Some(RunStatus::Success) => continue,
            Some(status) => format!("run {cited} ended with {}", status_name(status)),
            None => format!("run {cited} is not here"),
        };
        reasons.push(reason);
        state = ClaimState::Unsupported;
    }
    CheckedClaim { run_id, claim, state, reasons }
}

fn status_name(status: RunStatus) -> String {
    serde_json::to_value(status).ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
}
