//! The signature inside `evidence.json`: over the canonical form of the record without it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use fwai_schema::evidence::{Evidence, EvidenceSignature};
use serde_json::Value;

use crate::{canonical::canonical_json, dsse, public_key::PublicKey, signer::Signer};

/// Makes every number one that readers give back. Some readers of JSON, ours among them, miss the last bit of some
/// fractions, and the signature would not hold for what they read; a near number that is read as it is written does.
pub fn settle(evidence: &mut Evidence) {
    let mut value = serde_json::to_value(&*evidence).expect("evidence is plain data");
    if settle_numbers(&mut value)
        && let Ok(settled) = serde_json::from_value(value)
    {
        *evidence = settled;
    }
}

/// Whether a number had to change.
fn settle_numbers(value: &mut Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => {
            let Some(float) = number.as_f64().filter(|float| !is_read_as_written(*float)) else {
                return false;
            };
            *value = near_number(float).into();
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |changed, item| settle_numbers(item) | changed),
        Value::Object(map) => map.values_mut().fold(false, |changed, item| settle_numbers(item) | changed),
        _ => false,
    }
}

fn near_number(float: f64) -> f64 {
    let bits = float.to_bits();
    let beside = (1..64).flat_map(|steps| [bits.wrapping_sub(steps), bits.wrapping_add(steps)]);
    let beside = beside.map(f64::from_bits).filter(|near| near.is_finite());
    let shorter = (0..16).rev().filter_map(|digits| format!("{float:.digits$e}").parse::<f64>().ok());
    beside.chain(shorter).find(|near| is_read_as_written(*near)).unwrap_or(0.0)
}

fn is_read_as_written(float: f64) -> bool {
    let text = serde_json::to_string(&float).unwrap_or_default();
    serde_json::from_str::<f64>(&text).is_ok_and(|read| read.to_bits() == float.to_bits())
}

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
