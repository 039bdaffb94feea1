//! An API key in memory: shown nowhere, wiped when dropped.

use std::fmt;
use zeroize::Zeroizing;

/// A secret that authenticates fwai to a model server.
///
/// It has no `Display`, its `Debug` hides it, and the bytes are overwritten when the last copy goes.
#[derive(Clone)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// Takes a key as it came from a variable, a file or a command: white space around it is no part of it.
    /// `None` for a key that is empty, or that cannot stand in an HTTP header.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = Zeroizing::new(text.into());
        let key = text.trim();
        let fits = !key.is_empty() && key.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        fits.then(|| Self(Zeroizing::new(key.to_owned())))
    }

    /// The key itself, for the one header that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The value of an `Authorization` header.
    pub(crate) fn bearer(&self) -> ApiKey {
        ApiKey(Zeroizing::new(format!("Bearer {}", self.expose())))
    }

    /// `text` with every occurrence of the key taken out; servers like to repeat keys in their errors.
    pub fn scrub(&self, text: &str) -> String {
        // A key of a few characters would tear holes into ordinary words.
        if self.0.len() < 6 { text.to_owned() } else { text.replace(self.0.as_str(), "[key]") }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([hidden])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_trimmed_and_hidden() {
        let key = ApiKey::new("  sk-secret-1\n").unwrap();
        assert_eq!(key.expose(), "sk-secret-1");
        assert_eq!(format!("{key:?}"), "ApiKey([hidden])");
        assert_eq!(key.scrub("bad key sk-secret-1!"), "bad key [key]!");
    }

    #[test]
    fn what_cannot_be_a_header_is_no_key() {
        for text in ["", " \n", "two words", "line\nbreak", "schlüssel"] {
            assert!(ApiKey::new(text).is_none(), "{text:?}");
        }
    }
}
