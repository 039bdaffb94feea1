//! Evidence as this project and this user configure it: where runs are written, what redacts them, whose
//! signatures count.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::StreamExt as _;
use fwai_evidence::{
    anchors::{Witness, WitnessError, keep_witnessed, last_witnessed},
    keys::KeyError,
    log::Log,
    public_key::PublicKey,
    redact::{RedactStream, Redacted, Redactor},
    runs::{ChangeBudget, RunError, RunOptions, RunStore},
    verify::Verification,
};
use fwai_llm::{
    http::{HttpRequest, HttpResponse, Method, Transport as _},
    native::ReqwestTransport,
};
use fwai_policy::secrets;
use fwai_schema::{
    config::{Config, SandboxWalls},
    evidence::ProjectRef,
    policy::Policy,
};
use serde_json::Value;

use crate::{
    config::{ConfigError, load_policy_file},
    paths::Paths,
};

/// Why evidence cannot be set up.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum EvidenceSetupError {
    #[error(transparent)]
    Rules(#[from] secrets::RulesError),
    #[error("policy.trusted_keys: `{key}`: {error}")]
    TrustedKey { key: String, error: fwai_evidence::public_key::PublicKeyError },
    #[error(transparent)]
    Witness(#[from] WitnessError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The runs of the project, with redaction, budget and signing as configured.
pub fn run_store(
    paths: &Paths,
    config: &Config,
    project: Option<ProjectRef>,
) -> Result<RunStore, EvidenceSetupError> {
    Ok(RunStore::open(&paths.project, run_options(paths, config, project)?)?)
}

/// What [`run_store`] opens the store with, for callers that change something.
pub fn run_options(
    paths: &Paths,
    config: &Config,
    project: Option<ProjectRef>,
) -> Result<RunOptions, EvidenceSetupError> {
    let mut options = RunOptions::new(&paths.user);
    options.sign = config.evidence.sign;
    options.git_notes = config.evidence.git_notes;
    options.project = project;
    let policies = policies(paths, config)?;
    options.budget = ChangeBudget {
        max_files: policies.iter().filter_map(|policy| policy.max_files_changed).min(),
        max_lines: policies.iter().filter_map(|policy| policy.max_lines_changed).min(),
    };
    if config.sandbox.walls == SandboxWalls::Off {
        options.waivers.push("sandbox: off".to_owned());
    }
    if config.security.redact {
        let rules = secrets::RuleSet::with_config(&config.security.patterns, &config.security.allow)?;
        options.redactor = redactor(secrets::Redactor::new(rules));
    } else {
        options.waivers.push("security.redact: off".to_owned());
    }
    Ok(options)
}

/// Puts the secret rules before everything that evidence writes.
pub fn redactor(rules: secrets::Redactor) -> Arc<dyn Redactor> {
    Arc::new(SecretRules(rules))
}

/// What verification trusts here: keys that policy names, and the user's own.
pub fn verification(paths: &Paths, config: &Config) -> Result<Verification, EvidenceSetupError> {
    let mut keys: Vec<PublicKey> = Vec::new();
    let policies = policies(paths, config)?;
    for text in policies.iter().flat_map(|policy| &policy.trusted_keys) {
        let key =
            text.parse().map_err(|error| EvidenceSetupError::TrustedKey { key: text.clone(), error })?;
        keys.push(key);
    }
    let mut verification = Verification::new(&paths.project, &paths.user, &keys)?;
    verification.witness = witness(config)?;
    Ok(verification)
}

/// The witness that the configuration names.
pub fn witness(config: &Config) -> Result<Option<Witness>, WitnessError> {
    config.evidence.witness_url.as_deref().map(Witness::parse).transpose()
}

/// Has the witness countersign the log of the project, and keeps what it says; returns the log's size.
pub async fn ask_witness(paths: &Paths, witness: &Witness) -> Result<u64, String> {
    let log = Log::of(&paths.project).snapshot().map_err(|error| error.to_string())?;
    let log = log.ok_or("nothing was logged here yet")?;
    let transport = ReqwestTransport::new(Duration::from_secs(10));
    let mut seen = last_witnessed(&paths.project, witness);
    // The witness may have seen more or less than is known here; it says so once.
    for _ in 0..2 {
        let body = witness.request(&log, seen).map_err(|error| error.to_string())?;
        let mut request = HttpRequest::get(&witness.url).header("content-type", "text/plain; charset=utf-8");
        request.method = Method::Post;
        request.body = body.into();
        let response = transport.send(request).await.map_err(|error| error.to_string())?;
        let status = response.status;
        let answer = text_of(response).await?;
        match status {
            200 => {
                let note = witness.countersigned(&log.note, &answer).map_err(|error| error.to_string())?;
                keep_witnessed(&paths.project, log.size(), &note).map_err(|error| error.to_string())?;
                return Ok(log.size());
            }
            409 => match answer.trim().parse() {
                Ok(size) if size <= log.size() => seen = size,
                Ok(size) => {
                    return Err(format!(
                        "it has seen {size} records of this log, which now has {}",
                        log.size()
                    ));
                }
                Err(_) => return Err(format!("it refuses: {}", answer.trim())),
            },
            status => return Err(format!("it answers {status}: {}", answer.trim())),
        }
    }
    Err("it does not agree on what it has seen".to_owned())
}

/// A short text; a witness that sends more is none.
async fn text_of(mut response: HttpResponse) -> Result<String, String> {
    let mut bytes = Vec::new();
    while let Some(piece) = response.body.next().await {
        bytes.extend_from_slice(&piece.map_err(|error| error.to_string())?);
        if bytes.len() > 64 * 1024 {
            return Err("its answer is too long".to_owned());
        }
    }
    String::from_utf8(bytes).map_err(|_| "its answer is not text".to_owned())
}

/// The policy of the configuration and the project's own `policy.yaml`; the tighter number holds.
fn policies(paths: &Paths, config: &Config) -> Result<Vec<Policy>, ConfigError> {
    let own = load_policy_file(&paths.policy_file(), paths)?;
    Ok(own.into_iter().chain([config.policy.clone()]).collect())
}

struct SecretRules(secrets::Redactor);

impl Redactor for SecretRules {
    fn redact(&self, text: &[u8]) -> Redacted {
        let mut tally = Counts::new();
        let text = self.0.redact_bytes_counting(text, &mut tally).into_owned();
        Redacted { text, rules: repeated(&tally) }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        Box::new(SecretStream { stream: self.0.stream(), told: Counts::new() })
    }

    fn redact_json(&self, value: &mut Value) -> Vec<String> {
        let mut tally = Counts::new();
        self.0.redact_json_counting(value, &mut tally);
        repeated(&tally)
    }
}

/// Replacements by rule.
type Counts = BTreeMap<String, u64>;

struct SecretStream {
    stream: secrets::RedactStream,
    /// What was counted before, so that each replacement is told once.
    told: Counts,
}

impl SecretStream {
    fn new_rules(&mut self) -> Vec<String> {
        let now = self.stream.tally().clone();
        let before = std::mem::replace(&mut self.told, now.clone());
        let since = |(rule, count): (String, u64)| {
            let known = before.get(&rule).copied().unwrap_or(0);
            (rule, count - known)
        };
        repeated(&now.into_iter().map(since).collect())
    }
}

fn repeated(counts: &Counts) -> Vec<String> {
    counts.iter().flat_map(|(rule, count)| std::iter::repeat_n(rule.clone(), *count as usize)).collect()
}

impl RedactStream for SecretStream {
    fn push(&mut self, piece: &[u8]) -> Redacted {
        let text = self.stream.push(piece);
        Redacted { text, rules: self.new_rules() }
    }

    fn finish(&mut self) -> Redacted {
        let text = self.stream.finish();
        Redacted { text, rules: self.new_rules() }
    }
}
