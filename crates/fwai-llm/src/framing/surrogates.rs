//! Characters that a server has torn in two.
//!
//! A server that cuts its text by UTF-16 units, as JavaScript does, may send the first half of an emoji as
//! `\ud83e` in one event and the second as `\udd80` in the next. Each is no JSON by itself; together they
//! are a character. The first half is held back until the second arrives.

/// Remembers the half that waits.
#[derive(Debug, Default)]
pub struct SurrogateMender {
    high: Option<[u8; 4]>,
}

impl SurrogateMender {
    /// `data` with its halves put right; `None` where there is none in it.
    pub fn mend(&mut self, data: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(data.len() + 8);
        let mut changed = false;
        let mut at = 0;
        while at < data.len() {
            if data[at] != b'\\' {
                out.push(data[at]);
                at += 1;
                continue;
            }
            match (escape(data, at), escape(data, at + 6)) {
                (Some(high), Some(low)) if is_high(&high) && is_low(&low) => {
                    out.extend_from_slice(&data[at..at + 12]);
                    at += 12;
                }
                (Some(high), _) if is_high(&high) => {
                    self.high = Some(high);
                    changed = true;
                    at += 6;
                }
                (Some(low), _) if is_low(&low) => {
                    changed = true;
                    at += 6;
                    match self.high.take() {
                        Some(high) => {
                            for half in [high, low] {
                                out.extend_from_slice(b"\\u");
                                out.extend_from_slice(&half);
                            }
                        }
                        None => out.extend_from_slice(b"\\ufffd"),
                    }
                }
                // Any other escape is two bytes or begins with two; a second backslash must not start one.
                _ => {
                    let end = (at + 2).min(data.len());
                    out.extend_from_slice(&data[at..end]);
                    at = end;
                }
            }
        }
        changed.then_some(out)
    }
}

/// The four digits of a `\uXXXX` that stands at `at`.
fn escape(data: &[u8], at: usize) -> Option<[u8; 4]> {
    let digits = data.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits: [u8; 4] = digits.try_into().ok()?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)
}

fn is_high(digits: &[u8; 4]) -> bool {
    digits[0].eq_ignore_ascii_case(&b'd') && matches!(digits[1], b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
}

fn is_low(digits: &[u8; 4]) -> bool {
    digits[0].eq_ignore_ascii_case(&b'd') && matches!(digits[1], b'c'..=b'f' | b'C'..=b'F')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], expect: &str) {
        let mut mender = SurrogateMender::default();
        let mut text = String::new();
        for piece in pieces {
            let mended = mender.mend(piece.as_bytes()).unwrap_or_else(|| piece.as_bytes().to_vec());
            text.push_str(&serde_json::from_slice::<String>(&mended).unwrap());
        }
        assert_eq!(text, expect);
    }

    #[test]
    fn halves_in_two_events_are_one_character() {
        check(&[r#""a\ud83e""#, r#""\udd80b""#], "a🦀b");
        check(&[r#""\uD83E""#, r#""\uDD80\ud83e""#, r#""\udd80""#], "🦀🦀");
    }

    #[test]
    fn whole_characters_and_escaped_backslashes_stay() {
        check(&[r#""\ud83e\udd80 \\ud83e \n \u00e9""#], "🦀 \\ud83e \n é");
    }

    #[test]
    fn a_second_half_alone_is_shown_as_lost() {
        check(&[r#""x\udd80y""#], "x\u{fffd}y");
    }
}
