//! in-toto statements: which files, by SHA-256, and what is said about them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    dsse::{Envelope, EnvelopeError},
    public_key::PublicKey,
    signer::Signer,
};

pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// What a statement about a run says.
pub const RUN_PREDICATE: &str = "https://fwai.dev/attestation/run/v1";
/// What a statement about a change of keys says.
pub const ROTATION_PREDICATE: &str = "https://fwai.dev/attestation/key-rotation/v1";

/// A statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    #[serde(rename = "_type")]
    pub kind: String,
    pub subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    pub predicate_type: String,
    pub predicate: Value,
}

/// A file and its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Path relative to the project.
    pub name: String,
    pub digest: BTreeMap<String, String>,
}

impl Subject {
    pub fn new(name: impl Into<String>, sha256: impl Into<String>) -> Self {
        Self { name: name.into(), digest: BTreeMap::from([("sha256".to_owned(), sha256.into())]) }
    }

    pub fn sha256(&self) -> Option<&str> {
        self.digest.get("sha256").map(String::as_str)
    }
}

/// The predicate of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPredicate {
    pub run_id: String,
    /// `evidence.json` without its own signature.
    pub evidence: Value,
    /// Fields that are left out of `evidence` here because the statement would outgrow a log entry;
    /// `evidence.json` has them, and is a subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<String>,
}

/// The predicate of a change of keys; the envelope carries the signatures of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RotationPredicate {
    /// Base64.
    pub old_key: String,
    /// Base64.
    pub new_key: String,
    /// RFC 3339.
    pub at: String,
}

/// Why an envelope does not hold a usable statement.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum StatementError {
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    #[error("the payload is of type {0}, not an in-toto statement")]
    PayloadType(String),
    #[error("the payload is not an in-toto statement: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("the statement is of type {0}, not {STATEMENT_TYPE}")]
    Type(String),
    #[error("the change of keys is not signed by both keys")]
    RotationUnsigned,
}

impl Statement {
    pub fn new(predicate_type: &str, subject: Vec<Subject>, predicate: Value) -> Self {
        Self {
            kind: STATEMENT_TYPE.to_owned(),
            subject,
            predicate_type: predicate_type.to_owned(),
            predicate,
        }
    }

    pub fn seal(&self, signers: &[&Signer]) -> Envelope {
        let payload = serde_json::to_vec(self).expect("a statement is plain data");
        Envelope::seal(PAYLOAD_TYPE, &payload, signers)
    }

    /// The statement inside an envelope. Says nothing about who signed it.
    pub fn open(envelope: &Envelope) -> Result<Self, StatementError> {
        if envelope.payload_type != PAYLOAD_TYPE {
            return Err(StatementError::PayloadType(envelope.payload_type.clone()));
        }
        let statement: Self = serde_json::from_slice(&envelope.payload_bytes()?)?;
        if statement.kind != STATEMENT_TYPE {
            return Err(StatementError::Type(statement.kind));
        }
        Ok(statement)
    }
}

/// A change of keys, signed by both.
pub fn seal_rotation(old: &Signer, new: &Signer, at: &str) -> Envelope {
    let (old_key, new_key) = (old.public_key(), new.public_key());
    let subject = vec![Subject::new("old-key", old_key.id()), Subject::new("new-key", new_key.id())];
    let predicate =
        RotationPredicate { old_key: old_key.to_base64(), new_key: new_key.to_base64(), at: at.to_owned() };
    let predicate = serde_json::to_value(predicate).expect("a predicate is plain data");
    Statement::new(ROTATION_PREDICATE, subject, predicate).seal(&[old, new])
}

/// The old and the new key of a rotation, after checking that both signed it.
pub fn open_rotation(envelope: &Envelope) -> Result<(PublicKey, PublicKey), StatementError> {
    let statement = Statement::open(envelope)?;
    let predicate: RotationPredicate = serde_json::from_value(statement.predicate)?;
    let keys = (predicate.old_key.parse::<PublicKey>(), predicate.new_key.parse::<PublicKey>());
    let (Ok(old), Ok(new)) = keys else { return Err(StatementError::RotationUnsigned) };
    if old == new || envelope.signers_among([&old, &new]).len() != 2 {
        return Err(StatementError::RotationUnsigned);
    }
    Ok((old, new))
}
