//! DSSE envelopes: a payload, its type, and signatures over exactly these bytes.
//!
//! What is signed is the pre-authentication encoding of the payload *as bytes*; nothing is parsed or
//! re-encoded before its signature was checked.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use serde::{Deserialize, Serialize};

use crate::{public_key::PublicKey, signer::Signer};

/// An envelope as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    pub payload_type: String,
    /// Base64.
    pub payload: String,
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvelopeSignature {
    /// A hint which key to try; proves nothing.
    #[serde(default)]
    pub keyid: String,
    /// Base64.
    pub sig: String,
}

/// Why bytes are not an envelope.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum EnvelopeError {
    #[error("not a DSSE envelope: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("the payload is not base64")]
    Payload,
    #[error("the envelope has no signature")]
    Unsigned,
}

impl Envelope {
    /// Signs `payload` with every key of `signers`.
    pub fn seal(payload_type: &str, payload: &[u8], signers: &[&Signer]) -> Self {
        let encoded = pae(payload_type, payload);
        let signatures = signers
            .iter()
            .map(|signer| EnvelopeSignature {
                keyid: signer.public_key().id(),
                sig: STANDARD.encode(signer.sign(&encoded)),
            })
            .collect();
        Self { payload_type: payload_type.to_owned(), payload: STANDARD.encode(payload), signatures }
    }

    pub fn parse(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let envelope: Self = serde_json::from_slice(bytes)?;
        if envelope.signatures.is_empty() {
            return Err(EnvelopeError::Unsigned);
        }
        Ok(envelope)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an envelope is plain strings")
    }

    pub fn payload_bytes(&self) -> Result<Vec<u8>, EnvelopeError> {
        decode(&self.payload).ok_or(EnvelopeError::Payload)
    }

    /// Which of `keys` signed this envelope.
    pub fn signers_among<'k>(&self, keys: impl IntoIterator<Item = &'k PublicKey>) -> Vec<PublicKey> {
        let Some(payload) = decode(&self.payload) else { return Vec::new() };
        let message = pae(&self.payload_type, &payload);
        let signatures: Vec<Vec<u8>> =
            self.signatures.iter().filter_map(|signature| decode(&signature.sig)).collect();
        let signed = |key: &PublicKey| signatures.iter().any(|signature| key.verifies(&message, signature));
        keys.into_iter().copied().filter(|key| signed(key)).collect()
    }
}

/// The bytes that are signed: `DSSEv1`, then type and payload with their lengths.
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut encoded = pae_head(payload_type, payload.len());
    encoded.extend_from_slice(payload);
    encoded
}

/// What stands before the payload in the bytes that are signed.
pub(crate) fn pae_head(payload_type: &str, payload_length: usize) -> Vec<u8> {
    format!("DSSEv1 {} {payload_type} {payload_length} ", payload_type.len()).into_bytes()
}

/// DSSE lets writers choose between the standard and the URL-safe alphabet. One text stands for one value: padding
/// and unused bits are as they should be.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_the_one_of_the_protocol() {
        // The example of the DSSE specification.
        assert_eq!(
            pae("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
    }

    #[test]
    fn any_changed_part_loses_the_signature() {
        let signer = Signer::from_seed(&[7; 32]);
        let key = signer.public_key();
        let envelope = Envelope::seal("t", b"payload", &[&signer]);
        assert_eq!(envelope.signers_among([&key]), [key]);
        let other_type = Envelope { payload_type: "u".into(), ..envelope.clone() };
        let other_payload = Envelope { payload: STANDARD.encode("payloae"), ..envelope.clone() };
        let mut other_signature = envelope.clone();
        other_signature.signatures[0].sig = STANDARD.encode([0u8; 64]);
        for changed in [other_type, other_payload, other_signature] {
            assert!(changed.signers_among([&key]).is_empty());
        }
        assert!(envelope.signers_among([&Signer::from_seed(&[8; 32]).public_key()]).is_empty());
    }
}
