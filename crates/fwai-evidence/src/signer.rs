//! The half of a key that signs. Its bytes are wiped when it goes away.

use ed25519_dalek::{Signer as _, SigningKey};
use zeroize::Zeroizing;

use crate::public_key::PublicKey;

/// A private Ed25519 key.
#[derive(Clone)]
pub struct Signer(SigningKey);

impl Signer {
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey::from_bytes(self.0.verifying_key().as_bytes())
            .expect("a key made from a seed is never weak")
    }

    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }

    /// The seed, for the one place that stores it.
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.to_bytes())
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Signer({})", self.public_key())
    }
}
