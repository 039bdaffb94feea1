//! PKCS #8 for Ed25519 seeds (RFC 8410), so that `openssl pkey` reads our key files.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use zeroize::Zeroizing;

use crate::signer::Signer;

const PREFIX: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

pub fn private_key_to_pem(signer: &Signer) -> Zeroizing<String> {
    let der = Zeroizing::new([&PREFIX[..], &signer.seed()[..]].concat());
    Zeroizing::new(format!("{BEGIN}\n{}\n{END}\n", STANDARD.encode(&*der)))
}

pub fn private_key_from_pem(text: &str) -> Option<Signer> {
    let body = text.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let joined = Zeroizing::new(body.split_whitespace().collect::<String>());
    let der = Zeroizing::new(STANDARD.decode(&*joined).ok()?);
    let seed = Zeroizing::new(<[u8; 32]>::try_from(der.strip_prefix(&PREFIX)?).ok()?);
    Some(Signer::from_seed(&seed))
}
