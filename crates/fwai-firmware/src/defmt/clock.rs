//! Counts of micro- and milliseconds as times and dates.

use super::hint::Fraction;

/// `1.500000`.
pub(super) fn seconds(count: u128, fraction: Fraction) -> String {
    let per_second = u128::from(fraction.per_second());
    match fraction.digits() {
        0 => count.to_string(),
        digits => format!("{}.{:0digits$}", count / per_second, count % per_second),
    }
}

/// `23:59:59.999`, with days in front when there are any.
pub(super) fn clock(count: u128, fraction: Fraction) -> String {
    let per_second = u128::from(fraction.per_second());
    let (total, below) = (count / per_second, count % per_second);
    let (days, hours, minutes, seconds) = (total / 86_400, total / 3_600 % 24, total / 60 % 60, total % 60);
    let mut text = if days == 0 { String::new() } else { format!("{days}:") };
    text.push_str(&format!("{hours:02}:{minutes:02}:{seconds:02}"));
    if fraction.digits() > 0 {
        text.push_str(&format!(".{below:0digits$}", digits = fraction.digits()));
    }
    text
}

/// `2022-11-15T08:13:20.123Z`: a count since 1970.
pub(super) fn iso8601(count: u64, fraction: Fraction) -> String {
    let per_second = fraction.per_second();
    let total = count / per_second;
    let (year, month, day) = date(total / 86_400);
    let of_day = total % 86_400;
    let mut text = format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}",
        of_day / 3_600,
        of_day / 60 % 60,
        of_day % 60
    );
    if fraction.digits() > 0 {
        text.push_str(&format!(".{:0digits$}", count % per_second, digits = fraction.digits()));
    }
    text + "Z"
}

/// Year, month and day of a day since 1970, in the Gregorian calendar.
fn date(day: u64) -> (u64, u64, u64) {
    // Counted from 1 March of year 0, so that the leap day is the last of its year.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_around_leap_days() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ];
        for (count, expected) in cases {
            assert_eq!(iso8601(count, Fraction::Seconds), expected);
        }
        // No date is too far away to be written.
        iso8601(u64::MAX, Fraction::Millis);
    }
}
