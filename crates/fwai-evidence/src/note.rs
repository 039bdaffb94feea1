//! Signed notes and checkpoints in the C2SP forms.
//!
//! A checkpoint is three lines (who, how many leaves, which root) and signatures below an empty line.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{merkle::Hash, public_key::PublicKey, signer::Signer};

const ED25519: u8 = 1;
/// Signature line marker: em dash, space.
const MARK: &str = "\u{2014} ";

/// What a log says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which log.
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

/// A checkpoint with its signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    pub checkpoint: Checkpoint,
    /// The signed text, up to and including the newline before the empty line.
    text: String,
    signatures: Vec<NoteSignature>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteSignature {
    name: String,
    key_hash: [u8; 4],
    signature: Vec<u8>,
}

/// Why a text is not a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum NoteError {
    #[error("not a signed note: no empty line before signatures")]
    NoSignatures,
    #[error("not a signed note: a signature line is malformed")]
    SignatureLine,
    #[error("not a checkpoint: expected origin, size and root, each on its own line")]
    Body,
}

impl Checkpoint {
    pub fn sign(&self, signer: &Signer) -> String {
        let text = self.text();
        let line = signature_line(&self.origin, signer, text.as_bytes());
        format!("{text}\n{line}")
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, STANDARD.encode(self.root))
    }
}

impl SignedCheckpoint {
    pub fn parse(note: &str) -> Result<Self, NoteError> {
        let at = note.rfind("\n\n").ok_or(NoteError::NoSignatures)?;
        let (text, lines) = (&note[..=at], &note[at + 2..]);
        if !lines.ends_with('\n') {
            return Err(NoteError::SignatureLine);
        }
        let signatures = lines.split_terminator('\n').map(parse_signature);
        let signatures = signatures.collect::<Option<Vec<_>>>().ok_or(NoteError::SignatureLine)?;
        if signatures.is_empty() {
            return Err(NoteError::NoSignatures);
        }
        let checkpoint = parse_body(text).ok_or(NoteError::Body)?;
        Ok(Self { checkpoint, text: text.to_owned(), signatures })
    }

    /// The first of `keys` that signed this checkpoint as its log.
    pub fn signer_among<'k>(&self, keys: impl IntoIterator<Item = &'k PublicKey>) -> Option<PublicKey> {
        let signed = |key: &PublicKey| {
            let hash = key_hash(&self.checkpoint.origin, key);
            self.signatures.iter().any(|line| {
                line.name == self.checkpoint.origin
                    && line.key_hash == hash
                    && key.verifies(self.text.as_bytes(), &line.signature)
            })
        };
        keys.into_iter().copied().find(|key| signed(key))
    }

    /// The signed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands on the signature lines of one name and key, unchecked.
    pub fn signatures_of(&self, name: &str, key_hash: [u8; 4]) -> impl Iterator<Item = &[u8]> {
        let lines = self.signatures.iter().filter(move |line| line.name == name && line.key_hash == key_hash);
        lines.map(|line| line.signature.as_slice())
    }

    /// Whether somebody called `name` signed this checkpoint with `key` (plain Ed25519 notes).
    pub fn is_signed_by(&self, name: &str, key: &PublicKey) -> bool {
        let hash = key_hash(name, key);
        self.signatures.iter().any(|line| {
            line.name == name && line.key_hash == hash && key.verifies(self.text.as_bytes(), &line.signature)
        })
    }
}

/// The name under which verifiers know a key: `name+hash+base64`.
pub fn verifier_key(name: &str, key: &PublicKey) -> String {
    let encoded = STANDARD.encode([&[ED25519][..], key.as_bytes()].concat());
    format!("{name}+{}+{encoded}", hex::encode(key_hash(name, key)))
}

fn signature_line(name: &str, signer: &Signer, text: &[u8]) -> String {
    let bytes = [&key_hash(name, &signer.public_key())[..], &signer.sign(text)].concat();
    format!("{MARK}{name} {}\n", STANDARD.encode(bytes))
}

fn parse_signature(line: &str) -> Option<NoteSignature> {
    let (name, encoded) = line.strip_prefix(MARK)?.split_once(' ')?;
    let bytes = STANDARD.decode(encoded).ok()?;
    if name.is_empty() || name.contains('+') || bytes.len() < 5 {
        return None;
    }
    let (hash, signature) = bytes.split_first_chunk::<4>()?;
    Some(NoteSignature { name: name.to_owned(), key_hash: *hash, signature: signature.to_vec() })
}

fn parse_body(text: &str) -> Option<Checkpoint> {
    let mut lines = text.split('\n');
    let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
    let canonical_size =
        size == "0" || (!size.starts_with('0') && size.bytes().all(|byte| byte.is_ascii_digit()));
    if origin.is_empty() || !canonical_size {
        return None;
    }
    let root = STANDARD.decode(root).ok()?.try_into().ok()?;
    Some(Checkpoint { origin: origin.to_owned(), size: size.parse().ok()?, root })
}

fn key_hash(name: &str, key: &PublicKey) -> [u8; 4] {
    let hash = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', ED25519])
        .chain_update(key.as_bytes())
        .finalize();
    [hash[0], hash[1], hash[2], hash[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example key and note of Go's `golang.org/x/mod/sumdb/note` documentation.
    #[test]
    fn key_hashes_agree_with_go_notes() {
        let key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let raw = STANDARD.decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").unwrap();
        let public = PublicKey::from_bytes(raw[1..].try_into().unwrap()).unwrap();
        assert_eq!(verifier_key("PeterNeumann", &public), key);
        let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let signature =
            "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
        let line = parse_signature(&format!("{MARK}PeterNeumann {signature}")).unwrap();
        assert_eq!(line.key_hash, key_hash("PeterNeumann", &public));
        assert!(public.verifies(text.as_bytes(), &line.signature));
    }

    #[test]
    fn a_checkpoint_survives_its_text_and_no_byte_of_it_may_change() {
        let signer = Signer::from_seed(&[3; 32]);
        let key = signer.public_key();
        let checkpoint = Checkpoint { origin: "fwai.dev/log/1".into(), size: 20852163, root: [9; 32] };
        let note = checkpoint.sign(&signer);
        let parsed = SignedCheckpoint::parse(&note).unwrap();
        assert_eq!(parsed.checkpoint, checkpoint);
        assert_eq!(parsed.signer_among([&key]), Some(key));
        for position in 0..note.len() {
            let mut bytes = note.clone().into_bytes();
            bytes[position] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let accepted =
                SignedCheckpoint::parse(&changed).is_ok_and(|parsed| parsed.signer_among([&key]).is_some());
            assert!(!accepted, "byte {position} changed unseen");
        }
    }
}
