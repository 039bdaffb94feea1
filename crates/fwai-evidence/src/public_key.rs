//! Ed25519 public keys, in the three spellings that people use: base64, hex and PEM.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// What comes before the key in its DER form (RFC 8410).
const SPKI_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A key that signatures are checked with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// Why a text is not a usable key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum PublicKeyError {
    #[error("not a public key: expected 32 bytes as base64 or hex, or a PEM block `PUBLIC KEY`")]
    Spelling,
    #[error("not a point of the curve, so no signature can belong to it")]
    NotAPoint,
    #[error("a key of small order: it would accept signatures that nobody made")]
    Weak,
}

impl PublicKey {
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, PublicKeyError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| PublicKeyError::NotAPoint)?;
        if key.is_weak() {
            return Err(PublicKeyError::Weak);
        }
        Ok(Self(key))
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// SHA-256 of the key, in hex: what statements call `keyid`.
    pub fn id(&self) -> String {
        hex::encode(Sha256::digest(self.as_bytes()))
    }

    /// Checks a signature strictly: no malleable and no small-order forms.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }

    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.as_bytes())
    }

    /// What `openssl pkey -pubin` reads.
    pub fn to_pem(&self) -> String {
        let der = [&SPKI_PREFIX[..], self.as_bytes()].concat();
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", STANDARD.encode(der))
    }
}

impl FromStr for PublicKey {
    type Err = PublicKeyError;

    fn from_str(text: &str) -> Result<Self, PublicKeyError> {
        let text = text.trim();
        let bytes = match text.strip_prefix("-----BEGIN PUBLIC KEY-----") {
            Some(rest) => {
                let body = rest.split("-----").next().unwrap_or_default();
                let der = STANDARD.decode(body.split_whitespace().collect::<String>());
                let der = der.map_err(|_| PublicKeyError::Spelling)?;
                der.strip_prefix(&SPKI_PREFIX).ok_or(PublicKeyError::Spelling)?.to_vec()
            }
            None if text.len() == 64 => hex::decode(text).map_err(|_| PublicKeyError::Spelling)?,
            None => STANDARD.decode(text).map_err(|_| PublicKeyError::Spelling)?,
        };
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| PublicKeyError::Spelling)?;
        Self::from_bytes(&bytes)
    }
}

impl PartialOrd for PublicKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PublicKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_base64())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_base64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_spellings_name_the_same_key() {
        // RFC 8032, section 7.1, test 1.
        let hex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let key: PublicKey = hex.parse().unwrap();
        assert_eq!(key.to_base64().parse(), Ok(key));
        assert_eq!(key.to_pem().parse(), Ok(key));
        assert!("".parse::<PublicKey>().is_err());
        assert_eq!("AQ==".parse::<PublicKey>(), Err(PublicKeyError::Spelling));
    }

    #[test]
    fn keys_of_small_order_are_refused() {
        let identity = format!("01{}", "00".repeat(31));
        assert_eq!(identity.parse::<PublicKey>(), Err(PublicKeyError::Weak));
        let order_eight = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
        assert_eq!(order_eight.parse::<PublicKey>(), Err(PublicKeyError::Weak));
    }
}
