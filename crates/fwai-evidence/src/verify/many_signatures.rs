//! Many signatures of one key, each judged exactly as the strict check of a single one judges it.
//!
//! A signature `(R, s)` holds when `R` is the encoding of `s·B − h·A`. For many, each equation is multiplied by
//! a random number of 128 bits and all are added: in a group of prime order the sum is zero when every equation
//! holds, and hardly ever otherwise. The curve has a few points outside that group, and a sum lets pass, one
//! time in two, what differs by one of them. So the points themselves are looked at first: sums of 64 random
//! choices among all `R` must lie in the group, which one stray point spoils with a chance of a half each. What
//! the sum refuses is looked at one by one, so it decides only how fast an answer comes, never which.

use std::sync::OnceLock;

use curve25519_dalek::{
    constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION},
    edwards::{CompressedEdwardsY, EdwardsPoint},
    scalar::Scalar,
    traits::{Identity as _, IsIdentity as _, VartimeMultiscalarMul as _},
};
use sha2::{Digest as _, Sha512};

use crate::public_key::PublicKey;

/// A message in two parts, and what is said to be its signature.
pub struct Signed<'m> {
    pub message: [&'m [u8]; 2],
    pub signature: &'m [u8],
}

/// What is left of a signature of the right shape once its message was hashed.
pub struct OpenedSignature {
    r: CompressedEdwardsY,
    s: Scalar,
    h: Scalar,
}

/// A key about to be asked about many signatures.
pub struct ManySignatures {
    pub key: PublicKey,
    /// Where the key is of use at all.
    point: Option<EdwardsPoint>,
    in_group: bool,
}

/// Fewer signatures than this are checked faster one by one.
const WORTH_A_SUM: usize = 256;

impl ManySignatures {
    pub fn of(key: PublicKey) -> Self {
        let point = CompressedEdwardsY(*key.as_bytes()).decompress();
        let point = point.filter(|point| !point.is_small_order());
        Self { key, point, in_group: point.is_some_and(|point| point.is_torsion_free()) }
    }

    /// Takes a signature apart; `None` where its shape is wrong.
    pub fn open(&self, one: &Signed<'_>) -> Option<OpenedSignature> {
        let (r, s) = one.signature.split_at_checked(32)?;
        let r: [u8; 32] = r.try_into().ok()?;
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let mut hash = Sha512::new().chain_update(r).chain_update(self.key.as_bytes());
        one.message.iter().for_each(|part| hash.update(part));
        let h = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
        Some(OpenedSignature { r: CompressedEdwardsY(r), s, h })
    }

    /// Which of the signatures are this key's.
    pub fn verify(&self, opened: &[&OpenedSignature]) -> Vec<bool> {
        let Some(point) = self.point else { return vec![false; opened.len()] };
        if opened.len() >= WORTH_A_SUM && self.in_group && all_hold(&point, opened).unwrap_or(false) {
            return vec![true; opened.len()];
        }
        opened.iter().map(|one| holds(&point, one)).collect()
    }
}

/// The equation of one signature, computed by itself.
fn holds(key: &EdwardsPoint, one: &OpenedSignature) -> bool {
    let expected = EdwardsPoint::vartime_double_scalar_mul_basepoint(&one.h, &-key, &one.s).compress();
    expected == one.r && !is_small_order(&one.r)
}

/// Whether all hold; `None` where that could not be found out. The key must lie in the group.
fn all_hold(key: &EdwardsPoint, opened: &[&OpenedSignature]) -> Option<bool> {
    let mut random = vec![0; opened.len() * 24];
    getrandom::fill(&mut random).ok()?;
    let (factors, choices) = random.split_at(opened.len() * 16);
    let mut points = Vec::with_capacity(opened.len() + 2);
    let mut scalars = Vec::with_capacity(opened.len() + 2);
    let (mut of_base, mut of_key) = (Scalar::ZERO, Scalar::ZERO);
    for (one, factor) in opened.iter().zip(factors.as_chunks::<16>().0) {
        if !is_canonical(&one.r) || is_small_order(&one.r) {
            return Some(false);
        }
        let factor = Scalar::from(u128::from_le_bytes(*factor));
        of_base -= factor * one.s;
        of_key += factor * one.h;
        points.push(one.r.decompress()?);
        scalars.push(factor);
    }
    let choices: Vec<u64> =
        choices.as_chunks::<8>().0.iter().map(|choice| u64::from_le_bytes(*choice)).collect();
    if !all_in_group(&points, &choices) {
        return Some(false);
    }
    points.extend([ED25519_BASEPOINT_POINT, *key]);
    scalars.extend([of_base, of_key]);
    Some(EdwardsPoint::vartime_multiscalar_mul(scalars, points).is_identity())
}

/// Whether the sum of the points that bit `b` of their choices picks lies in the group, for each of the 64
/// bits. Points with the same eight bits are added once for all eight sums.
fn all_in_group(points: &[EdwardsPoint], choices: &[u64]) -> bool {
    (0..64).step_by(8).all(|first_bit| {
        let mut sums = [EdwardsPoint::identity(); 256];
        for (point, choice) in points.iter().zip(choices) {
            sums[(choice >> first_bit) as usize & 0xff] += point;
        }
        (0..8).all(|bit| {
            let chosen = sums.iter().enumerate().filter(|(bits, _)| bits >> bit & 1 == 1);
            chosen.map(|(_, sum)| sum).sum::<EdwardsPoint>().is_torsion_free()
        })
    })
}

/// Whether this is the only spelling of its point that the strict check accepts: `y` below 2²⁵⁵ − 19. The
/// other doubtful spelling, a sign without an `x`, is one of a point of small order.
fn is_canonical(point: &CompressedEdwardsY) -> bool {
    let bytes = point.as_bytes();
    bytes[0] < 0xed || bytes[31] & 0x7f != 0x7f || bytes[1..31].iter().any(|byte| *byte != 0xff)
}

/// Whether this spells one of the eight points that the strict check refuses as `R`.
fn is_small_order(point: &CompressedEdwardsY) -> bool {
    static SMALL: OnceLock<[[u8; 32]; 8]> = OnceLock::new();
    let without_sign = |bytes: &[u8; 32]| {
        let mut bytes = *bytes;
        bytes[31] &= 0x7f;
        bytes
    };
    let small = SMALL.get_or_init(|| EIGHT_TORSION.map(|point| without_sign(point.compress().as_bytes())));
    small.contains(&without_sign(point.as_bytes()))
}

#[cfg(test)]
mod tests;
