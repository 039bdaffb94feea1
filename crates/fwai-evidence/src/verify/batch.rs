//! Many signatures of one key at once.
//!
//! One signature holds when `s·B = R + h·A`. For many, each equation is multiplied by a random number of 128
//! bits and all are added: the sum holds when every equation does, and hardly ever otherwise. Canonical `s` and
//! an `R` of full order are demanded as in the strict check of a single signature. What a batch refuses is
//! looked at one by one, so a batch decides only how fast an answer comes, never which.

use curve25519_dalek::{
    constants::ED25519_BASEPOINT_POINT,
    edwards::{CompressedEdwardsY, EdwardsPoint},
    scalar::Scalar,
    traits::{IsIdentity as _, VartimeMultiscalarMul as _},
};
use sha2::{Digest as _, Sha512};

use crate::public_key::PublicKey;

/// A message and what is said to be its signature.
pub struct Signed<'m> {
    pub message: &'m [u8],
    pub signature: &'m [u8],
}

/// Whether all signatures are those of `key`. `false` also where that could not be found out.
pub fn all_signed(key: &PublicKey, signed: &[Signed<'_>]) -> bool {
    sum_is_zero(key, signed).unwrap_or(false)
}

fn sum_is_zero(key: &PublicKey, signed: &[Signed<'_>]) -> Option<bool> {
    let a = CompressedEdwardsY(*key.as_bytes()).decompress()?;
    let mut random = vec![0; signed.len() * 16];
    getrandom::fill(&mut random).ok()?;
    let mut points = Vec::with_capacity(signed.len() + 2);
    let mut scalars = Vec::with_capacity(signed.len() + 2);
    let (mut of_base, mut of_key) = (Scalar::ZERO, Scalar::ZERO);
    for (one, z) in signed.iter().zip(random.as_chunks::<16>().0) {
        let (r, s) = one.signature.split_at_checked(32)?;
        let r: [u8; 32] = r.try_into().ok()?;
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let point = CompressedEdwardsY(r).decompress()?;
        if point.is_small_order() {
            return Some(false);
        }
        let hash =
            Sha512::new().chain_update(r).chain_update(key.as_bytes()).chain_update(one.message).finalize();
        let h = Scalar::from_bytes_mod_order_wide(&hash.into());
        let z = Scalar::from(u128::from_le_bytes(*z));
        of_base -= z * s;
        of_key += z * h;
        points.push(point);
        scalars.push(z);
    }
    points.extend([ED25519_BASEPOINT_POINT, a]);
    scalars.extend([of_base, of_key]);
    Some(EdwardsPoint::vartime_multiscalar_mul(scalars, points).is_identity())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signer::Signer;

    #[test]
    fn a_batch_holds_only_when_every_signature_does() {
        let signer = Signer::from_seed(&[6; 32]);
        let messages: Vec<Vec<u8>> = (0..40u8).map(|number| vec![number; usize::from(number)]).collect();
        let signatures: Vec<[u8; 64]> = messages.iter().map(|message| signer.sign(message)).collect();
        let holds = |key: &PublicKey, signatures: &[[u8; 64]]| {
            let signed = messages.iter().zip(signatures);
            let signed: Vec<_> = signed.map(|(message, signature)| Signed { message, signature }).collect();
            all_signed(key, &signed)
        };
        assert!(holds(&signer.public_key(), &signatures));
        assert!(!holds(&Signer::from_seed(&[7; 32]).public_key(), &signatures));
        for position in 0..signatures.len() {
            for byte in [0, 31, 32, 63] {
                let mut changed = signatures.clone();
                changed[position][byte] ^= 1;
                assert!(!holds(&signer.public_key(), &changed), "signature {position}, byte {byte}");
            }
        }
        let mut swapped = signatures.clone();
        swapped.swap(3, 4);
        assert!(!holds(&signer.public_key(), &swapped));
    }
}
