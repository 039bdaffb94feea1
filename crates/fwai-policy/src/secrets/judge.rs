//! Whether a text that has the shape of a secret is one: entropy, kinds of characters, placeholders.

use regex_automata::meta::Regex;

use super::{encoding::array_bytes, rule::Requirement, rule::Rule};

/// Words that make a value an example rather than a secret.
const PLACEHOLDER_WORDS: [&str; 34] = [
    "example",
    "changeme",
    "change_me",
    "change-me",
    "changethis",
    "placeholder",
    "your_",
    "your-",
    "yourp",
    "yourt",
    "yourk",
    "yours",
    "yourw",
    "xxxx",
    "****",
    "....",
    "____",
    "dummy",
    "redacted",
    "sample",
    "insert",
    "replace",
    "mypass",
    "my_pass",
    "my-pass",
    "mysecret",
    "my_secret",
    "notreal",
    "not_real",
    "not-a-",
    "fake",
    "undefined",
    "foobar",
    "todo",
];

/// Values that nobody uses to protect anything, or that name the thing itself.
const PLACEHOLDER_VALUES: [&str; 23] = [
    "pass",
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "secret",
    "token",
    "apikey",
    "api_key",
    "none",
    "null",
    "true",
    "false",
    "string",
    "optional",
    "required",
    "default",
    "ssid",
    "username",
    "user",
    "test",
    "wifi_password",
    "password:",
];

/// Beginnings that mark a reference instead of a value.
const REFERENCES: [&str; 12] = [
    "${",
    "$(",
    "{{",
    "<%",
    "%(",
    "[redacted",
    "env:",
    "env(",
    "vault:",
    "process.env",
    "os.environ",
    "config_",
];

/// True when `secret` satisfies the rule's conditions; `before` is the part of the match that leads to it.
pub(super) fn is_secret(rule: &Rule, before: &[u8], secret: &[u8]) -> bool {
    let bytes_rule = rule.require.contains(&Requirement::Bytes);
    if bytes_rule && !looks_like_key_bytes(&array_bytes(secret)) {
        return false;
    }
    if !bytes_rule && is_published_key(secret) {
        return false;
    }
    let is_block = bytes_rule || rule.max_len > 8192;
    if !is_block && is_placeholder(secret) {
        return false;
    }
    if rule.entropy.is_some_and(|least| entropy(secret) < least) {
        return false;
    }
    if rule.require.contains(&Requirement::Digit) && !secret.iter().any(u8::is_ascii_digit) {
        return false;
    }
    if rule.require.contains(&Requirement::Mixed) && kinds(secret) < 2 {
        return false;
    }
    let compiled = rule.compiled();
    let harmless =
        |regex: &Option<Regex>, text: &[u8]| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    !harmless(&compiled.allow, before) && !harmless(&compiled.allow_value, secret)
}

/// Shannon entropy in bits a character.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let total = text.len().max(1) as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

/// How many of lower case, upper case, digits and the rest occur.
fn kinds(text: &[u8]) -> usize {
    let has = |test: fn(&u8) -> bool| usize::from(text.iter().any(test));
    has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_digit)
        + has(|byte| !byte.is_ascii_alphanumeric())
}

/// True for examples, references and values that stand for "fill me in".
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    let trimmed = lower.trim_matches(|c: char| c.is_whitespace() || "\"'`".contains(c));
    PLACEHOLDER_VALUES.contains(&trimmed)
        || PLACEHOLDER_WORDS.iter().any(|word| trimmed.contains(word))
        || REFERENCES.iter().any(|beginning| trimmed.starts_with(beginning))
        || (trimmed.starts_with('<') && trimmed.ends_with('>'))
        || (trimmed.starts_with('%') && trimmed.len() <= 6)
        || is_shell_variable(value)
        || (trimmed.contains('{') && trimmed.contains('}'))
        || is_monotonous(trimmed.as_bytes())
}

/// `$WIFI_PASSWORD`.
fn is_shell_variable(value: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    matches!(value, [b'$', first, rest @ ..] if first.is_ascii_uppercase() && rest.iter().all(is_name))
}

/// One character repeated, or a run such as `0123456789abcdef`.
fn is_monotonous(text: &[u8]) -> bool {
    let mut distinct = [false; 256];
    text.iter().for_each(|byte| distinct[usize::from(*byte)] = true);
    let distinct = distinct.iter().filter(|seen| **seen).count();
    let steps_by_one = text.windows(2).filter(|pair| pair[1] == pair[0].wrapping_add(1)).count();
    distinct <= 2 || (text.len() >= 16 && steps_by_one * 10 >= text.len() * 8)
}

/// Keys that standards print with their test vectors (FIPS 197, SP 800-38A, RFC 3686, RFC 8032), in hex.
const PUBLISHED_KEYS: [&str; 5] = [
    "2b7e151628aed2a6abf7158809cf4f3c",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
    "ae6852f8121067cc4bf7a5765577f39e",
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
];

/// Whether a hex string is a key that everybody knows.
fn is_published_key(text: &[u8]) -> bool {
    text.len() >= 32 && PUBLISHED_KEYS.iter().any(|key| text.eq_ignore_ascii_case(key.as_bytes()))
}

/// Key material spreads over its range; tables, zeroes and counting test keys do not.
fn looks_like_key_bytes(bytes: &[u8]) -> bool {
    let hex: String = bytes.iter().take(33).map(|byte| format!("{byte:02x}")).collect();
    if bytes.len() < 16 || is_published_key(hex.as_bytes()) {
        return false;
    }
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let distinct = seen.iter().filter(|seen| **seen).count();
    let steady = bytes.windows(3).filter(|w| w[2].wrapping_sub(w[1]) == w[1].wrapping_sub(w[0])).count();
    distinct * 2 >= bytes.len().min(64) && steady * 2 < bytes.len()
}
