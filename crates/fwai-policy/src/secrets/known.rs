//! Secrets that the program itself holds (API keys in memory), found exactly, in every dress.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::{
    encoding::{Dressed, Form, dress, undress},
    evaluate::Outcome,
};

/// Shorter values would redact ordinary words.
const LEAST: usize = 8;

#[derive(Debug, Clone)]
pub(super) struct Known {
    value: Zeroizing<Vec<u8>>,
}

impl Known {
    /// Nothing for values too short to look for.
    pub fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        (value.len() >= LEAST).then(|| Self { value: Zeroizing::new(value.as_bytes().to_vec()) })
    }

    pub fn is(&self, value: &str) -> bool {
        *self.value == value.trim().as_bytes()
    }

    /// All texts to look for.
    pub fn forms(&self) -> Vec<Dressed> {
        let mut forms = vec![Dressed { form: Form::Plain, text: self.value.to_vec(), fold: false }];
        for escaped in [percent_encoded(&self.value), json_escaped(&self.value)] {
            if let Cow::Owned(text) = escaped {
                forms.push(Dressed { form: Form::Plain, text, fold: false });
            }
        }
        forms.extend(dress(&self.value));
        forms
    }

    /// Whether the form whose first four bytes stand at `start` is really there.
    pub fn check(&self, dressed: &Dressed, text: &[u8], start: usize, complete: bool) -> Outcome {
        match dressed.form {
            Form::Plain => Outcome::Secret { start, end: start + dressed.text.len() },
            Form::CArray => {
                let found = undress(Form::CArray, text, start, self.value.len()).unwrap_or_default();
                if found.bytes == *self.value {
                    Outcome::Secret { start, end: found.ends.last().copied().unwrap_or(start) }
                } else if found.open && !complete && self.value.starts_with(&found.bytes) {
                    Outcome::Undecided
                } else {
                    Outcome::Nothing
                }
            }
            Form::Base64 { .. } | Form::Hex => broken_match(dressed, text, start, complete),
        }
    }
}

/// Compares base64 or hex that may be broken into lines.
fn broken_match(dressed: &Dressed, text: &[u8], start: usize, complete: bool) -> Outcome {
    let mut at = start;
    for expected in &dressed.text {
        let from = at;
        while at - from < 4 && matches!(text.get(at), Some(b'\r' | b'\n')) {
            at += 1;
        }
        match text.get(at) {
            Some(there) if there == expected || (dressed.fold && there.eq_ignore_ascii_case(expected)) => {
                at += 1
            }
            Some(_) => return Outcome::Nothing,
            None if complete => return Outcome::Nothing,
            None => return Outcome::Undecided,
        }
    }
    // The last character may hold the secret's last bits together with foreign ones.
    match text.get(at) {
        None if !complete => Outcome::Undecided,
        Some(byte)
            if dressed.form != Form::Hex && (byte.is_ascii_alphanumeric() || b"+/-_".contains(byte)) =>
        {
            Outcome::Secret { start, end: at + 1 }
        }
        _ => Outcome::Secret { start, end: at },
    }
}

fn percent_encoded(value: &[u8]) -> Cow<'_, [u8]> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    if value.iter().all(plain) {
        return Cow::Borrowed(value);
    }
    let encode = |byte: &u8| if plain(byte) { vec![*byte] } else { format!("%{byte:02X}").into_bytes() };
    Cow::Owned(value.iter().flat_map(encode).collect())
}

fn json_escaped(value: &[u8]) -> Cow<'_, [u8]> {
    let quoted = serde_json::to_string(&String::from_utf8_lossy(value)).unwrap_or_default();
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().as_bytes();
    if inner == value { Cow::Borrowed(value) } else { Cow::Owned(inner.to_vec()) }
}
