//! A proof that needs nothing but itself and a trusted key: statement, place in the tree, checkpoint.
//!
//! Everything here works on bytes, so a browser can run it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use crate::{
    dsse::{Envelope, EnvelopeError},
    merkle::{Hash, ProofError, leaf_hash, verify_inclusion},
    note::{NoteError, SignedCheckpoint},
    public_key::PublicKey,
    statement::{RUN_PREDICATE, RunPredicate, Statement, StatementError, open_rotation},
    trust::{LoggedRotation, Standing, Trust},
};

/// `bundle.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleIndex {
    /// 1.
    pub version: u32,
    pub run_id: String,
    pub leaf_index: u64,
    pub tree_size: u64,
    /// Base64, from the leaf upwards.
    pub inclusion_proof: Vec<String>,
    /// Base64; for comparison with a key got by another way, not to be trusted because it is here.
    pub public_keys: Vec<String>,
}

/// The parts of a proof.
#[derive(Debug, Clone)]
pub struct Proof<'b> {
    pub index: &'b BundleIndex,
    /// `attestation.dsse.json`, which is the leaf.
    pub attestation: &'b [u8],
    pub checkpoint: &'b str,
    /// Statements about changes of keys, each with its leaf.
    pub rotations: &'b [(u64, Vec<u8>)],
}

/// What a proof showed.
#[derive(Debug, Clone)]
pub struct ProvenRun {
    pub statement: Statement,
    pub predicate: RunPredicate,
    pub signer: PublicKey,
    pub checkpoint_signer: PublicKey,
}

/// Why a proof does not hold.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum BundleError {
    #[error("bundle: version {0} is not known; a newer fwai may know it")]
    Version(u32),
    #[error("rotations: one of them lies outside the log")]
    RotationOutside,
    #[error("attestation: {0}")]
    Envelope(#[from] EnvelopeError),
    #[error("attestation: {0}")]
    Statement(#[from] StatementError),
    #[error("attestation: no trusted key signed it")]
    Untrusted,
    #[error("attestation: it is about another run")]
    OtherRun,
    #[error("checkpoint: {0}")]
    Checkpoint(#[from] NoteError),
    #[error("checkpoint: no trusted key that is still in use signed it")]
    UntrustedCheckpoint,
    #[error("checkpoint: it is of another size than the proof")]
    OtherSize,
    #[error("inclusion: {0}")]
    Inclusion(#[from] ProofError),
    #[error("inclusion: a hash is not 32 bytes of base64")]
    Hash,
}

impl Proof<'_> {
    /// Checks the proof against keys that the caller trusts.
    pub fn verify(&self, trust: &Trust) -> Result<ProvenRun, BundleError> {
        if self.index.version != 1 {
            return Err(BundleError::Version(self.index.version));
        }
        let mut rotations = Vec::new();
        for (index, bytes) in self.rotations {
            if *index >= self.index.tree_size {
                return Err(BundleError::RotationOutside);
            }
            let (old, new) = open_rotation(&Envelope::parse(bytes)?)?;
            rotations.push(LoggedRotation { index: *index, old, new });
        }
        let trust = trust.within(&rotations);
        let envelope = Envelope::parse(self.attestation)?;
        let leaf = self.index.leaf_index;
        let signers = envelope.signers_among(trust.keys());
        let signer = signers.into_iter().find(|key| trust.standing(key, leaf) == Standing::Trusted);
        let signer = signer.ok_or(BundleError::Untrusted)?;
        let statement = Statement::open(&envelope)?;
        let predicate: RunPredicate =
            serde_json::from_value(statement.predicate.clone()).map_err(StatementError::Shape)?;
        if statement.predicate_type != RUN_PREDICATE || predicate.run_id != self.index.run_id {
            return Err(BundleError::OtherRun);
        }
        let signed = SignedCheckpoint::parse(self.checkpoint)?;
        let signers = trust.signers_of(self.index.tree_size);
        let checkpoint_signer = signed.signer_among(signers).ok_or(BundleError::UntrustedCheckpoint)?;
        if signed.checkpoint.size != self.index.tree_size {
            return Err(BundleError::OtherSize);
        }
        let proof =
            self.index.inclusion_proof.iter().map(|text| decode_hash(text)).collect::<Option<Vec<Hash>>>();
        let proof = proof.ok_or(BundleError::Hash)?;
        let size = self.index.tree_size;
        verify_inclusion(&leaf_hash(self.attestation), leaf, size, &proof, &signed.checkpoint.root)?;
        Ok(ProvenRun { statement, predicate, signer, checkpoint_signer })
    }
}

#[cfg(feature = "store")]
pub(crate) fn encode_hash(hash: &Hash) -> String {
    STANDARD.encode(hash)
}

fn decode_hash(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}
