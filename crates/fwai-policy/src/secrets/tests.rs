//! The rules against their own samples, and redaction against every way to cut and dress a secret.
//!
//! Secrets are assembled here at run time, so that the repository itself scans clean.

use base64::prelude::*;
use proptest::prelude::*;
use serde_json::json;

use super::{
    Redactor, RuleSet, Scanner, is_sensitive_name,
    rule::{Requirement, Rule},
};

/// Fills `{kind:length}` with random text.
fn fill(template: &str, rng: &mut fastrand::Rng) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let close = rest[open..].find('}').map(|at| open + at);
        let inner = close.map(|close| &rest[open + 1..close]).unwrap_or_default();
        let filled = match inner.split_once(':') {
            Some((kind, length)) => length.parse().ok().and_then(|length| random(kind, length, rng)),
            None if inner == "KEY" => Some("KEY".to_owned()),
            None => None,
        };
        match (filled, close) {
            (Some(text), Some(close)) => {
                out.push_str(&text);
                rest = &rest[close + 1..];
            }
            _ => {
                out.push('{');
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

fn random(kind: &str, length: usize, rng: &mut fastrand::Rng) -> Option<String> {
    let from = |set: &str, rng: &mut fastrand::Rng| {
        let set: Vec<char> = set.chars().collect();
        (0..length).map(|_| set[rng.usize(..set.len())]).collect::<String>()
    };
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let lower = "abcdefghijklmnopqrstuvwxyz";
    let digits = "0123456789";
    Some(match kind {
        "alnum" => from(&[upper, lower, digits].concat(), rng),
        "lower" => from(lower, rng),
        "upper" => from(&[upper, digits].concat(), rng),
        "base32" => from(&[upper, "234567"].concat(), rng),
        "digit" => from(digits, rng),
        "hex" => from("0123456789abcdef", rng),
        "b64" => from(&[upper, lower, digits, "+/"].concat(), rng),
        // A password as people make them: letters, always a digit and another case.
        "pass" => from(&[lower, "GHKMRTZ", digits].concat(), rng).split_at(3).1.to_owned() + "R7q",
        "bytes" => (0..length).map(|_| format!("0x{:02x}", rng.u8(..))).collect::<Vec<_>>().join(", "),
        _ => return None,
    })
}

fn rule(id: &str) -> &'static Rule {
    let set: &'static RuleSet = Box::leak(Box::new(RuleSet::builtin()));
    set.rules().iter().find(|rule| rule.id == id).expect("a rule of that name")
}

fn sample(id: &str) -> String {
    fill(&rule(id).samples[0], &mut fastrand::Rng::with_seed(11))
}

#[test]
fn the_list_is_sound() {
    let set = RuleSet::builtin();
    set.check().unwrap();
    let mut ids: Vec<_> = set.rules().iter().map(|rule| &rule.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), set.rules().len(), "ids are unique");
    for rule in set.rules() {
        assert!(!rule.title.is_empty() && !rule.samples.is_empty(), "{}", rule.id);
        assert!(rule.keywords.iter().all(|keyword| keyword.len() >= 3), "{}", rule.id);
        if rule.require.contains(&Requirement::Bytes) {
            assert!(rule.max_len >= 4096, "{}: arrays are long", rule.id);
        }
    }
}

#[test]
fn every_sample_is_found_by_its_rule() {
    let scanner = Scanner::new(RuleSet::builtin());
    let mut missed = Vec::new();
    for seed in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed);
        for rule in scanner.rules().rules() {
            for template in &rule.samples {
                let text = format!("// before\n{}\nafter\n", fill(template, &mut rng));
                let found = scanner.scan(text.as_bytes());
                // A more specific rule may name it, but something must.
                if found.is_empty() || (seed == 0 && !found.iter().any(|finding| finding.rule == rule.id)) {
                    missed.push(format!("{} (seed {seed}): {text} -> {found:?}", rule.id));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    let redactor = Redactor::builtin();
    let mut wrong = Vec::new();
    for rule in RuleSet::builtin().rules() {
        for clean in &rule.clean {
            let redacted = redactor.redact(clean);
            if redacted != clean.as_str() {
                wrong.push(format!("{}: {clean} -> {redacted}", rule.id));
            }
        }
    }
    let sha = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for text in [
        format!("checksum = \"{sha}\""),
        format!("commit {}", &sha[..40]),
        format!("\"integrity\": \"sha512-{sha}{sha}==\""),
        "let next_token = self.tokens.get(self.position + 1);".into(),
        "static int parse_token(const char *token, size_t token_len)".into(),
        "if (strcmp(password, expected_password) == 0) return PASS;".into(),
        "CONFIG_MBEDTLS_KEY_EXCHANGE_PSK=y\nCONFIG_BOOT_SIGNATURE_KEY_FILE=\"root-rsa-2048.pem\"".into(),
        "uint8_t key_map[4][4] = {{1,2,3,4},{5,6,7,8}};".into(),
        "secrets: { title: \"A secret of the past\" }".into(),
        "0x30, 0x31, 0x32, 0x33, 0x34".into(),
        "const NAMES: [&str; 3] = [\"password\", \"passphrase\", \"wifi_pass\", \"wlan_key_2\"];".into(),
        "FUNCTION_PASS(\"block-placement\", BlockPlacementPass, ())".into(),
        "#define TLS1_TXT_PSK_WITH_AES_256_CBC_SHA \"PSK-AES256-CBC-SHA\"".into(),
        "pub const ERROR_NULL_LM_PASSWORD: WIN32_ERROR = 1304u32;".into(),
        "pub const MsV1_0LookupToken: MSV1_0_PROTOCOL_MESSAGE_TYPE = 15i32;".into(),
        "Url::parse(\"http://user:pass@example.net/\")".into(),
        "let key = format!(\"#define PASSWORD \\\"{secret:9}\\\"\");".into(),
        "password: [REDACTED:password]".into(),
        "#define WIFI_PASS \"[REDACTED:wifi-password]\"".into(),
    ] {
        let redacted = redactor.redact(&text);
        if redacted != text.as_str() {
            wrong.push(format!("{text} -> {redacted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dressed_tokens_are_found() {
    let redactor = Redactor::builtin();
    let token = sample("github-token");
    let pem = sample("private-key-pem");
    for secret in [&token, &pem] {
        for before in ["", "x", "xy", "user:"] {
            let plain = format!("{before}{secret}");
            for encoded in [
                BASE64_STANDARD.encode(&plain),
                BASE64_URL_SAFE_NO_PAD.encode(&plain),
                plain.bytes().map(|byte| format!("{byte:02x}")).collect(),
                plain.bytes().map(|byte| format!("{byte:02X}")).collect(),
                plain.bytes().map(|byte| format!("0x{byte:02x}, ")).collect(),
            ] {
                let text = format!("log: {encoded} end");
                let redacted = redactor.redact(&text);
                assert!(redacted.contains("[REDACTED:"), "{text}");
                assert!(redacted.ends_with(" end"), "{redacted}");
            }
        }
    }
}

#[test]
fn known_secrets_go_in_every_dress() {
    let redactor = Redactor::builtin();
    let secret = "correct horse/battery+staple";
    assert!(redactor.redact(secret) == secret);
    assert!(redactor.add_known(secret));
    assert!(!redactor.add_known("short"));
    let wrapped = BASE64_STANDARD
        .encode(format!("user:{secret}"))
        .as_bytes()
        .chunks(16)
        .map(String::from_utf8_lossy)
        .collect::<Vec<_>>()
        .join("\n");
    for text in [
        secret.to_owned(),
        BASE64_STANDARD.encode(secret),
        BASE64_STANDARD.encode(format!("a{secret}")),
        BASE64_URL_SAFE.encode(format!("ab{secret}")),
        wrapped,
        secret.bytes().map(|byte| format!("{byte:02x}")).collect(),
        secret.bytes().map(|byte| format!("{byte:02X}")).collect(),
        secret.bytes().map(|byte| format!("0x{byte:02x}, ")).collect(),
        "correct%20horse%2Fbattery%2Bstaple".to_owned(),
    ] {
        let redacted = redactor.redact(&text);
        assert!(redacted.contains("[REDACTED:known-secret]"), "{text} -> {redacted}");
    }
    let clone = redactor.clone();
    assert_eq!(clone.redact(secret), "[REDACTED:known-secret]", "clones share what is known");
}

#[test]
fn json_is_redacted_by_name_and_by_content() {
    let redactor = Redactor::builtin();
    let token = sample("github-token");
    let mut value = json!({
        "path": "src/main.c", "max_tokens": 100, "token_count": "seven", "WIFI_PASSWORD": "x",
        "nested": [{"apiKey": "abc"}, format!("echo {token}")], token.clone(): 1,
    });
    redactor.redact_json(&mut value);
    let text = value.to_string();
    assert!(!text.contains(&token), "{text}");
    assert_eq!(value["WIFI_PASSWORD"], "[REDACTED:sensitive-field]");
    assert_eq!(value["nested"][0]["apiKey"], "[REDACTED:sensitive-field]");
    assert_eq!(value["nested"][1], "echo [REDACTED:github-token]");
    assert_eq!(value["token_count"], "seven");
    let before = value.clone();
    redactor.redact_json(&mut value);
    assert_eq!(value, before, "redacting twice changes nothing");
    assert!(
        is_sensitive_name("x-api-key") && !is_sensitive_name("max_tokens") && !is_sensitive_name("keyboard")
    );
}

#[test]
fn configuration_adds_and_allows() {
    let rules = RuleSet::with_config(&["ACME-[0-9]{6}".into()], &["^hunter2hunter$".into()]).unwrap();
    let redactor = Redactor::new(rules);
    assert_eq!(redactor.redact("id ACME-123456."), "id [REDACTED:custom-pattern].");
    assert_eq!(redactor.redact("#define PASSWORD \"hunter2hunter\""), "#define PASSWORD \"hunter2hunter\"");
    assert_eq!(
        redactor.redact("#define PASSWORD \"hunter3hunter\""),
        "#define PASSWORD \"[REDACTED:password-literal]\""
    );
    let error = RuleSet::with_config(&["ok".into(), "(".into()], &[]).unwrap_err().to_string();
    assert!(error.starts_with("security.patterns[1]: `(`"), "{error}");
    assert!(RuleSet::with_config(&["x*".into()], &[]).unwrap_err().to_string().contains("empty text"));
}

#[test]
fn findings_say_where() {
    let scanner = Scanner::new(RuleSet::builtin());
    let token = sample("github-token");
    let text = format!("zeile eins\n// grüße {token}\n{token} // gitleaks:allow\n");
    let found = scanner.scan(text.as_bytes());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].rule.as_str(), found[0].line, found[0].column), ("github-token", 2, 10));
    assert_eq!((found[0].end_line, found[0].end_column), (2, 50));
    assert_eq!(found[0].redacted, "ghp_…[36 bytes redacted]");
}

/// What stands behind a key, in a log say, is told; and a finding ends where the secret does.
#[test]
fn a_secret_of_many_lines_ends_with_itself() {
    let (redactor, scanner) = (Redactor::builtin(), Scanner::new(RuleSet::builtin()));
    let key = sample("private-key-pem");
    let text =
        format!("found:\n{}\nThe board boots now: all is well, and nothing else failed.\n", key.trim_end());
    assert_eq!(
        redactor.redact(&text),
        "found:\n[REDACTED:private-key-pem]\nThe board boots now: all is well, and nothing else failed.\n"
    );
    let found = scanner.scan(text.as_bytes());
    assert_eq!(
        (found.len(), found[0].line, found[0].end_line),
        (1, 2, 1 + key.trim_end().lines().count() as u32)
    );
    // A key that is cut off has no end, and goes as far as it looks like one.
    let cut = &key[..key.find("-----END").unwrap()];
    assert_eq!(redactor.redact(cut.trim_end()), "[REDACTED:private-key-pem]");
    let mut rng = fastrand::Rng::with_seed(9);
    let bytes: Vec<String> = (0..32).map(|_| format!("0x{:02x}", rng.u8(..))).collect();
    let array = format!(
        "const uint8_t aes_key[32] = {{\n{},\n{}\n}};\n",
        bytes[..16].join(", "),
        bytes[16..].join(", ")
    );
    let found = scanner.scan(array.as_bytes());
    assert_eq!((found.len(), found[0].line, found[0].end_line), (1, 2, 3), "{found:?}");
}

#[test]
fn binary_and_huge_input_is_only_input() {
    let redactor = Redactor::builtin();
    let mut rng = fastrand::Rng::with_seed(3);
    let junk: Vec<u8> = (0..200_000).map(|_| rng.u8(..)).collect();
    let _ = redactor.redact_bytes(&junk);
    let mut stream = redactor.stream();
    let endless = b"-----BEGIN RSA PRIVATE KEY-----".iter().chain(std::iter::repeat_n(&b'A', 400_000));
    let endless: Vec<u8> = endless.copied().collect();
    for piece in endless.chunks(1000) {
        stream.push(piece);
        assert!(stream.waiting() <= 40_000, "a stream never waits without bound");
    }
}

#[test]
fn ordinary_talk_is_not_held_back() {
    let redactor = Redactor::builtin();
    let mut stream = redactor.stream();
    let out = stream.push(b"The password and the token are checked first. ");
    assert_eq!(out, b"The password and the token are checked first. ");
    let out = stream.push(b"ghp_");
    assert_eq!((out.len(), stream.waiting()), (0, 4));
    assert_eq!(stream.push(b" is a prefix."), b"ghp_ is a prefix.");
}

/// Text with secrets, plain and dressed, between ordinary words.
fn salted_text(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let set = RuleSet::builtin();
    let mut text = String::new();
    for _ in 0..rng.usize(1..6) {
        let rule = &set.rules()[rng.usize(..set.rules().len())];
        let secret = fill(&rule.samples[rng.usize(..rule.samples.len())], &mut rng);
        match rng.u8(..8) {
            0 => text.push_str(&BASE64_STANDARD.encode(&secret)),
            1 => secret.bytes().for_each(|byte| text.push_str(&format!("{byte:02x}"))),
            2 => text.push_str("a password is key: token ghp_ -----BEGIN grüße 0x30, 0x82"),
            _ => text.push_str(&secret),
        }
        text.push_str(["\n", " ", "", "\";\n", "known-secret-value-1", "\r\n"][rng.usize(..6)]);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn pieces_give_what_the_whole_gives(seed in any::<u64>(), cuts in prop::collection::vec(0usize..1000, 0..12), with_patterns: bool) {
        let patterns = if with_patterns { vec!["grü[a-z]+".to_owned()] } else { vec![] };
        let redactor = Redactor::new(RuleSet::with_config(&patterns, &[]).unwrap());
        redactor.add_known("known-secret-value-1");
        let text = salted_text(seed);
        let whole = redactor.redact_bytes(text.as_bytes()).into_owned();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort();
        let mut stream = redactor.stream();
        let mut pieces = Vec::new();
        for pair in cuts.windows(2) {
            pieces.extend(stream.push(&text.as_bytes()[pair[0]..pair[1]]));
        }
        pieces.extend(stream.finish());
        prop_assert_eq!(String::from_utf8_lossy(&pieces), String::from_utf8_lossy(&whole));
    }

    #[test]
    fn byte_by_byte_gives_what_the_whole_gives(seed in any::<u64>()) {
        let redactor = Redactor::builtin();
        let text = salted_text(seed);
        let mut stream = redactor.stream();
        let mut pieces: Vec<u8> = text.bytes().flat_map(|byte| stream.push(&[byte])).collect();
        pieces.extend(stream.finish());
        prop_assert_eq!(String::from_utf8_lossy(&pieces), redactor.redact(&text));
    }

    #[test]
    fn any_text_stays_text(text in "\\PC{0,200}") {
        let redactor = Redactor::builtin();
        let once = redactor.redact(&text).into_owned();
        prop_assert_eq!(redactor.redact(&once), once.as_str());
    }
}
