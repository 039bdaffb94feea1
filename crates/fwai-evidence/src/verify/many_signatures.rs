//! Many signatures of one key, each judged exactly as the strict check of a single one judges it.
//!
//! A signature `(R, s)` holds when `R` is the encoding of `s·B − h·A`. Adding up random multiples of many such
//! equations would be the usual way to be fast, but such a sum lets pass, one time in two, what differs by a
//! point of small order and what `verify_strict` refuses. So every equation is computed by itself; it is fast
//! because both points are the same each time and their multiples are kept in tables, and because the points
//! of many signatures are encoded together.

use std::sync::OnceLock;

use curve25519_dalek::{
    constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION},
    edwards::{CompressedEdwardsY, EdwardsPoint},
    scalar::Scalar,
};
use sha2::{Digest as _, Sha512};

use super::fixed_base::FixedBase;
use crate::public_key::PublicKey;

/// A message in two parts, and what is said to be its signature.
pub struct Signed<'m> {
    pub message: [&'m [u8]; 2],
    pub signature: &'m [u8],
}

/// A key about to be asked about many signatures.
pub struct ManySignatures {
    pub key: PublicKey,
    window: usize,
    tables: OnceLock<Option<Tables>>,
}

struct Tables {
    base: FixedBase,
    minus_key: FixedBase,
}

impl ManySignatures {
    /// Gets ready for about `count` signatures; tables are made when the first comes.
    pub fn of(key: PublicKey, count: u64) -> Self {
        // What a table costs must come back.
        let window = if count < 16_384 { 7 } else { 11 };
        Self { key, window, tables: OnceLock::new() }
    }

    /// Which of the signatures are this key's.
    pub fn verify(&self, signed: &[Signed<'_>]) -> Vec<bool> {
        let tables = (signed.len() >= WORTH_A_TABLE).then(|| self.tables()).flatten();
        let Some(tables) = tables else {
            return signed
                .iter()
                .map(|one| self.key.verifies(&one.message.concat(), one.signature))
                .collect();
        };
        let mut expected = Vec::with_capacity(signed.len());
        let mut stated = Vec::with_capacity(signed.len());
        for one in signed {
            let opened = self.open(one);
            let point = opened.as_ref().map(|(_, s, h)| tables.base.times(s) + tables.minus_key.times(h));
            expected.push(point.unwrap_or(ED25519_BASEPOINT_POINT));
            stated.push(opened.map(|(r, ..)| r));
        }
        let expected = EdwardsPoint::compress_batch_alloc(&expected);
        let holds = |(expected, stated): (&CompressedEdwardsY, Option<CompressedEdwardsY>)| {
            stated.is_some_and(|stated| stated == *expected && !is_small_order(expected))
        };
        expected.iter().zip(stated).map(holds).collect()
    }

    /// `R`, `s` and `h` of a signature that has the right shape.
    fn open(&self, one: &Signed<'_>) -> Option<(CompressedEdwardsY, Scalar, Scalar)> {
        let (r, s) = one.signature.split_at_checked(32)?;
        let r: [u8; 32] = r.try_into().ok()?;
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let mut hash = Sha512::new().chain_update(r).chain_update(self.key.as_bytes());
        one.message.iter().for_each(|part| hash.update(part));
        Some((CompressedEdwardsY(r), s, Scalar::from_bytes_mod_order_wide(&hash.finalize().into())))
    }

    fn tables(&self) -> Option<&Tables> {
        let make = || {
            let point = CompressedEdwardsY(*self.key.as_bytes()).decompress()?;
            Some(Tables {
                base: FixedBase::new(&ED25519_BASEPOINT_POINT, self.window),
                minus_key: FixedBase::new(&-point, self.window),
            })
        };
        self.tables.get_or_init(make).as_ref()
    }
}

/// Fewer signatures than this are checked faster one by one.
const WORTH_A_TABLE: usize = 32;

/// Whether this is the encoding of one of the eight points that the strict check refuses as `R`.
fn is_small_order(point: &CompressedEdwardsY) -> bool {
    static SMALL: OnceLock<[CompressedEdwardsY; 8]> = OnceLock::new();
    SMALL.get_or_init(|| EIGHT_TORSION.map(|point| point.compress())).contains(point)
}

#[cfg(test)]
mod tests;
