//! Floating-point numbers as defmt's own decoder writes them: shortest digits, exponents at both ends.

/// A number of 32 bits.
pub(super) fn f32_text(value: f32) -> String {
    text(value.is_finite(), format!("{value:e}"), format!("{value}"), -6..=13)
}

/// A number of 64 bits.
pub(super) fn f64_text(value: f64) -> String {
    text(value.is_finite(), format!("{value:e}"), format!("{value}"), -5..=16)
}

/// `scientific` has the shortest digits; `plain` places of the point are written without exponent.
fn text(finite: bool, scientific: String, usual: String, plain: std::ops::RangeInclusive<i32>) -> String {
    let Some((mantissa, exponent)) = scientific.split_once('e').filter(|_| finite) else { return usual };
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let whole = point == 1 && mantissa.trim_start_matches('-') == "0";
    if !whole && !(plain.start() + 1..=*plain.end()).contains(&point) {
        return scientific;
    }
    if usual.contains('.') { usual } else { format!("{usual}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (1e16, "1e16"),
            (1e15, "1000000000000000.0"),
            (1e-6, "1e-6"),
            (1e-5, "0.00001"),
            (-1.25e-9, "-1.25e-9"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ];
        for (value, expected) in cases {
            assert_eq!(f64_text(value), expected);
        }
        assert_eq!(f32_text(1e13), "1e13");
        assert_eq!(f32_text(1e12), "1000000000000.0");
        assert_eq!(f32_text(0.1), "0.1");
    }
}
