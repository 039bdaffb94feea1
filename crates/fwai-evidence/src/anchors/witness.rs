//! Witnesses in the sense of C2SP tlog-witness: they remember the last checkpoint of a log, accept only one
//! that continues it, and countersign that with the time.
//!
//! A witness is named as `URL#NAME+HASH+KEY`, its address and its verifier key; without the key nobody could
//! tell its signature from any other.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{
    log::LogSnapshot,
    merkle::consistency_proof,
    note::{NoteError, SignedCheckpoint},
    public_key::{PublicKey, PublicKeyError},
};

/// Type of key in verifier keys and key hashes: Ed25519 cosignature with time.
const COSIGNATURE: u8 = 4;

/// Somebody who countersigns checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Where checkpoints are sent, `…/add-checkpoint` included.
    pub url: String,
    pub name: String,
    pub key: PublicKey,
}

/// Why a witness cannot be used, or its answer not be kept.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum WitnessError {
    #[error(
        "evidence.witness_url: write URL#NAME+HASH+KEY, with the verifier key that the witness publishes"
    )]
    Spelling,
    #[error("evidence.witness_url: the witness's key: {0}")]
    Key(#[from] PublicKeyError),
    #[error("evidence.witness_url: the hash does not belong to name and key; copy the verifier key again")]
    KeyHash,
    #[error("the answer of the witness is not a signature of this checkpoint by its key")]
    Unsigned,
    #[error("the checkpoint: {0}")]
    Note(#[from] NoteError),
}

impl Witness {
    pub fn parse(text: &str) -> Result<Self, WitnessError> {
        let (address, verifier) = text.split_once('#').ok_or(WitnessError::Spelling)?;
        let mut parts = verifier.splitn(3, '+');
        let (Some(name), Some(hash), Some(encoded)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(WitnessError::Spelling);
        };
        let bytes = STANDARD.decode(encoded).map_err(|_| WitnessError::Spelling)?;
        let (&COSIGNATURE, key) = bytes.split_first().ok_or(WitnessError::Spelling)? else {
            return Err(WitnessError::Spelling);
        };
        let key = PublicKey::from_bytes(key.try_into().map_err(|_| WitnessError::Spelling)?)?;
        let witness = Self {
            url: format!("{}/add-checkpoint", address.trim_end_matches('/')),
            name: name.to_owned(),
            key,
        };
        if hex::encode(witness.key_hash()) != hash {
            return Err(WitnessError::KeyHash);
        }
        Ok(witness)
    }

    /// What is sent: the size that the witness saw last, the proof that the log continues it, the checkpoint.
    pub fn request(&self, log: &LogSnapshot, seen: u64) -> std::io::Result<String> {
        let mut body = format!("old {seen}\n");
        for hash in consistency_proof(log, seen, log.size())? {
            body.push_str(&STANDARD.encode(hash));
            body.push('\n');
        }
        body.push('\n');
        body.push_str(&log.note);
        Ok(body)
    }

    /// The checkpoint with the witness's signature below it.
    pub fn countersigned(&self, note: &str, answer: &str) -> Result<String, WitnessError> {
        let lines = answer.lines().filter(|line| line.contains(&format!(" {} ", self.name)));
        let together = lines.fold(note.to_owned(), |note, line| format!("{note}{line}\n"));
        match self.witnessed_at(&SignedCheckpoint::parse(&together)?) {
            Some(_) => Ok(together),
            None => Err(WitnessError::Unsigned),
        }
    }

    /// When the witness signed a checkpoint, in seconds since 1970; `None` when it did not.
    pub fn witnessed_at(&self, signed: &SignedCheckpoint) -> Option<u64> {
        signed.signatures_of(&self.name, self.key_hash()).find_map(|bytes| {
            let (time, signature) = bytes.split_first_chunk::<8>()?;
            let time = u64::from_be_bytes(*time);
            let message = format!("cosignature/v1\ntime {time}\n{}", signed.text());
            self.key.verifies(message.as_bytes(), signature).then_some(time)
        })
    }

    fn key_hash(&self) -> [u8; 4] {
        let hash = Sha256::new().chain_update(&self.name).chain_update([b'\n', COSIGNATURE]);
        let hash = hash.chain_update(self.key.as_bytes()).finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }
}
