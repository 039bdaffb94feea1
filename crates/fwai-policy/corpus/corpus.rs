//! Reads `secrets.toml` beside it and fills it in: files with secrets whose lines are known, and files without.

use serde::Deserialize;

const TEXT: &str = include_str!("secrets.toml");

/// One file of the corpus.
#[allow(dead_code, reason = "the test needs no paths")]
pub struct Seeded {
    pub name: String,
    pub path: String,
    pub text: String,
    /// Groups of lines, counted from 1; each group is one secret. None in a clean file.
    pub secrets: Vec<(u32, u32)>,
}

#[derive(Deserialize)]
struct Corpus {
    secret: Vec<Entry>,
    clean: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    path: String,
    text: String,
}

/// Every file, filled the same way each time.
pub fn corpus() -> Vec<Seeded> {
    let corpus: Corpus = toml::from_str(TEXT).expect("the corpus is TOML");
    let mut random = Random(0x5eed);
    let clean = corpus.clean.into_iter().map(|entry| (entry, false));
    corpus
        .secret
        .into_iter()
        .map(|entry| (entry, true))
        .chain(clean)
        .map(|(entry, has)| {
            let seeded = fill_in(entry, &mut random);
            assert_eq!(!seeded.secrets.is_empty(), has, "{}: marks and kind disagree", seeded.name);
            seeded
        })
        .collect()
}

fn fill_in(entry: Entry, random: &mut Random) -> Seeded {
    let (mut text, mut secrets) = (String::new(), Vec::<(u32, u32)>::new());
    // A key goes over many lines; other marked lines are secrets of their own.
    let is_block = entry.text.contains("-----BEGIN")
        || entry.text.contains("PuTTY-User")
        || entry.text.lines().any(|line| line.starts_with("§    <<bytes:"));
    for (number, line) in (1..).zip(entry.text.trim_start_matches('\n').lines()) {
        let plain = line.strip_prefix('§');
        if plain.is_some() {
            match secrets.last_mut() {
                Some((_, last)) if is_block && *last + 1 == number => *last = number,
                _ => secrets.push((number, number)),
            }
        }
        text.push_str(&random.fill(plain.unwrap_or(line)));
        text.push('\n');
    }
    Seeded { name: entry.name, path: entry.path, text, secrets }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn fill(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once("<<") {
            let (inner, behind) = after.split_once(">>").expect("every << has its >>");
            let (kind, count) = inner.split_once(':').expect("kind and length");
            out.push_str(before);
            out.push_str(&if kind == "word" {
                count.to_owned()
            } else {
                self.text(kind, count.parse().expect("a length"))
            });
            rest = behind;
        }
        out + rest
    }

    fn from(&mut self, set: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(set[self.below(set.len())])).collect()
    }

    fn list(&mut self, length: usize, mut one: impl FnMut(&mut Self) -> String) -> String {
        (0..length).map(|_| one(self)).collect::<Vec<_>>().join(", ")
    }

    fn text(&mut self, kind: &str, length: usize) -> String {
        match kind {
            "alnum" => self.from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length),
            "upper" => self.from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", length),
            "lower" => self.from(b"abcdefghijklmnopqrstuvwxyz", length),
            "digit" => self.from(b"0123456789", length),
            "hex" => self.from(b"0123456789abcdef", length),
            "HEX" => self.from(b"0123456789ABCDEF", length),
            "b64" => self.from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length),
            "b64url" => {
                self.from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", length)
            }
            "base32" => self.from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length),
            // As people make them: letters of both cases and digits.
            "pass" => {
                format!("{}K7{}", self.from(b"abcdefghkmnprstuvwxyz", length - 5), self.from(b"abcRTZ456", 3))
            }
            "bytes" => self.list(length, |random| format!("0x{:02x}", random.below(256))),
            "BYTES" => self.list(length, |random| format!("0x{:02X}", random.below(256))),
            "decimal" => self.list(length, |random| random.below(256).to_string()),
            "escaped" => (0..length).map(|_| format!("\\x{:02x}", self.below(256))).collect(),
            "uuid" => [8, 4, 4, 4, 12].map(|part| self.from(b"0123456789abcdef", part)).join("-"),
            "pembytes" => {
                let key = format!("-----BEGIN PRIVATE {}-----\n{}\n", "KEY", self.text("b64", length));
                key.bytes().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ")
            }
            other => panic!("{other} is no kind of text"),
        }
    }
}
