//! Multiples of one point, laid out so that any multiple is a short sum without a doubling.

use curve25519_dalek::{edwards::EdwardsPoint, scalar::Scalar, traits::Identity as _};

/// Scalars are below the order of the group, which has 253 bits.
const SCALAR_BITS: usize = 253;

/// Row `r` holds the multiples 1 … 2^(window-1) of `2^(window·r) · point`.
pub struct FixedBase {
    window: usize,
    multiples: Vec<EdwardsPoint>,
}

impl FixedBase {
    /// Wider windows make a larger table and shorter sums.
    pub fn new(point: &EdwardsPoint, window: usize) -> Self {
        let row_length = 1 << (window - 1);
        let rows = SCALAR_BITS.div_ceil(window);
        let mut multiples = Vec::with_capacity(rows * row_length);
        let mut unit = *point;
        for _ in 0..rows {
            let mut multiple = unit;
            for _ in 0..row_length {
                multiples.push(multiple);
                multiple += &unit;
            }
            // Half a row's width doubled is the unit of the next row.
            let half = multiples[multiples.len() - 1];
            unit = half + half;
        }
        Self { window, multiples }
    }

    /// `scalar · point`, the scalar taken as the whole number that it is.
    pub fn times(&self, scalar: &Scalar) -> EdwardsPoint {
        let (bytes, row_length) = (scalar.to_bytes(), 1usize << (self.window - 1));
        let rows = self.multiples.chunks_exact(row_length);
        let last = rows.len() - 1;
        let mut sum = EdwardsPoint::identity();
        let mut carry = 0;
        for (row, multiples) in rows.enumerate() {
            let digit = bits(&bytes, row * self.window, self.window) + carry;
            // Digits above half are taken from the next row's unit. The last row has no next one and needs
            // none: what is below the order of the group leaves at most a half there.
            carry = usize::from(digit > row_length && row != last);
            if carry == 1 {
                let short = 2 * row_length - digit;
                if short > 0 {
                    sum -= &multiples[short - 1];
                }
            } else if digit > 0 {
                sum += &multiples[digit - 1];
            }
        }
        sum
    }
}

/// `count` bits from bit `at` on.
fn bits(bytes: &[u8; 32], at: usize, count: usize) -> usize {
    let mut word = [0; 4];
    for (place, byte) in word.iter_mut().enumerate() {
        *byte = bytes.get(at / 8 + place).copied().unwrap_or(0);
    }
    (u32::from_le_bytes(word) >> (at % 8)) as usize & ((1 << count) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    use sha2::{Digest as _, Sha512};

    #[test]
    fn multiples_are_those_of_the_library_also_at_the_ends_and_with_torsion() {
        let mut scalars = vec![Scalar::ZERO, Scalar::ONE, -Scalar::ONE, -Scalar::from(2u8)];
        // Runs of ones and lone bits make every kind of carry.
        scalars.extend((0..252).map(|bit| power_of_two(bit) - Scalar::ONE));
        scalars.extend((0..253).map(power_of_two));
        scalars.extend(
            (0..200u32).map(|number| {
                Scalar::from_bytes_mod_order_wide(&Sha512::digest(number.to_be_bytes()).into())
            }),
        );
        for point in [ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_POINT + EIGHT_TORSION[1]] {
            for window in [4, 7, 11] {
                let table = FixedBase::new(&point, window);
                for scalar in &scalars {
                    assert_eq!(table.times(scalar), point * scalar, "window {window}, {scalar:?}");
                }
            }
        }
    }

    fn power_of_two(exponent: u32) -> Scalar {
        (0..exponent).fold(Scalar::ONE, |power, _| power + power)
    }
}
