//! The signature inside `evidence.json`: over the canonical form of the record without it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use fwai_schema::evidence::{Evidence, EvidenceSignature};
use serde_json::Value;

use crate::{canonical::canonical_json, dsse, public_key::PublicKey, signer::Signer};

/// Puts the signer's signature into a record, in place of any other.
pub fn sign_record(evidence: &mut Evidence, signer: &Signer) {
    evidence.signature = None;
    let value = serde_json::to_value(&*evidence).expect("evidence is plain data");
    evidence.signature = Some(EvidenceSignature {
        algorithm: "ed25519".to_owned(),
        public_key: signer.public_key().to_base64(),
        signature: STANDARD.encode(signer.sign(&canonical_json(&value))),
    });
}

/// The record without its signature, and the key that signed it; `None` when the signature does not hold.
pub fn open_record(bytes: &[u8]) -> Option<(Value, PublicKey)> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    let signature = value.as_object_mut()?.shift_remove("signature")?;
    let signature: EvidenceSignature = serde_json::from_value(signature).ok()?;
    if signature.algorithm != "ed25519" {
        return None;
    }
    let key: PublicKey = signature.public_key.parse().ok()?;
    let bytes = dsse::decode(&signature.signature)?;
    key.verifies(&canonical_json(&value), &bytes).then_some((value, key))
}
