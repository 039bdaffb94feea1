//! fwai's secret scan beside `detect-secrets` and `kingfisher` on one seeded tree; JSON on stdout.
//!
//! `secret_scan_table [PYTHON_BIN_DIRECTORY]`. The tree holds every sample of every rule once, filled with
//! random text, among ordinary source; a seed counts as found when a finding names its file and line.

use std::{collections::BTreeSet, path::Path, process::Command, time::Instant};

use fwai_app::secret_scan::{TreeOptions, scan_tree};
use fwai_policy::secrets::{RuleSet, Scanner};
use serde_json::{Value, json};

fn main() {
    let bin = std::env::args().nth(1).map_or_else(default_bin, std::path::PathBuf::from);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let seeds = write_tree(dir.path());
    let mut rows = Vec::new();
    let scanner = Scanner::new(RuleSet::builtin());
    let start = Instant::now();
    let report = scan_tree(&scanner, dir.path(), &TreeOptions::default()).expect("the tree was just written");
    let seconds = start.elapsed().as_secs_f64();
    let found: Vec<String> = report.findings.iter().map(|finding| finding.file.clone()).collect();
    rows.push(row("fwai", seconds, &seeds, &found));
    let detect = bin.join("detect-secrets");
    rows.push(foreign(
        "detect-secrets",
        &seeds,
        dir.path(),
        &[&detect.display().to_string(), "scan", "--all-files", "."],
    ));
    let kingfisher = bin.join("kingfisher");
    rows.push(foreign(
        "kingfisher",
        &seeds,
        dir.path(),
        &[
            &kingfisher.display().to_string(),
            "scan",
            ".",
            "--format",
            "json",
            "--no-validate",
            "--confidence",
            "low",
            "--no-update-check",
        ],
    ));
    println!(
        "{}",
        json!({"seeded": seeds.len(), "bytes": report.bytes, "files": report.files, "table": rows})
    );
}

fn default_bin() -> std::path::PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(std::path::PathBuf::from);
    let home = || std::env::home_dir().unwrap_or_default().join(".cache");
    cache.unwrap_or_else(home).join("fwai-dev/venv/bin")
}

fn row(tool: &str, seconds: f64, seeds: &BTreeSet<String>, found: &[String]) -> Value {
    let hit: BTreeSet<&String> = found.iter().filter(|file| seeds.contains(*file)).collect();
    let alarms = found.iter().filter(|file| file.starts_with("clean")).count();
    json!({"tool": tool, "seconds": seconds, "found": hit.len(), "missed": seeds.len() - hit.len(), "false_alarms": alarms})
}

fn foreign(tool: &str, seeds: &BTreeSet<String>, directory: &Path, command: &[&str]) -> Value {
    let start = Instant::now();
    let output = Command::new(command[0]).args(&command[1..]).current_dir(directory).output();
    let seconds = start.elapsed().as_secs_f64();
    match output {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let files: Vec<String> = names_in(&text);
            row(tool, seconds, seeds, &files)
        }
        Err(error) => json!({"tool": tool, "error": format!("{error}; `cargo xtask setup` installs it")}),
    }
}

/// Every file of the tree that a report names, once for each time that it is named.
fn names_in(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    text.split(|c: char| !is_name(c))
        .filter(|word| (word.starts_with("seed-") || word.starts_with("clean-")) && word.ends_with(".c"))
        .map(str::to_owned)
        .collect()
}

fn write_tree(root: &Path) -> BTreeSet<String> {
    let mut random = Random(7);
    let filler = "static int parse_token(const char *token, size_t token_length) { return token[0] == key_table[1]; }\n".repeat(400);
    let mut seeds = BTreeSet::new();
    for (index, rule) in RuleSet::builtin().rules().iter().enumerate() {
        for (number, sample) in rule.samples.iter().enumerate() {
            let name = format!("seed-{index}-{number}.c");
            let text = format!("{filler}{}\n{filler}", random.fill(sample));
            std::fs::write(root.join(&name), text).expect("the directory can be written");
            seeds.insert(name);
        }
        for (number, clean) in rule.clean.iter().enumerate() {
            let text = format!("{filler}{clean}\n{filler}");
            std::fs::write(root.join(format!("clean-{index}-{number}.c")), text)
                .expect("the directory can be written");
        }
    }
    seeds
}

/// Fills `{kind:length}` of a sample, the same way in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn fill(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let close = rest[open..].find('}').map_or(rest.len(), |at| open + at);
            let inner = rest.get(open + 1..close).unwrap_or_default();
            let text = match inner.split_once(':') {
                Some((kind, length)) => length.parse().ok().map(|length| self.text(kind, length)),
                None if inner == "KEY" => Some("KEY".to_owned()),
                None => None,
            };
            match text {
                Some(text) => {
                    out.push_str(&text);
                    rest = &rest[close + 1..];
                }
                None => {
                    out.push('{');
                    rest = &rest[open + 1..];
                }
            }
        }
        out + rest
    }

    fn text(&mut self, kind: &str, length: usize) -> String {
        if kind == "bytes" {
            return (0..length).map(|_| format!("0x{:02x}", self.next(256))).collect::<Vec<_>>().join(", ");
        }
        let set: &[u8] = match kind {
            "hex" => b"0123456789abcdef",
            "digit" => b"0123456789",
            "lower" => b"abcdefghijklmnopqrstuvwxyz",
            "base32" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            "upper" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            _ => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        };
        let mut text: String = (0..length).map(|_| set[self.next(set.len())] as char).collect();
        if kind == "pass" {
            text.replace_range(..3, "R7q");
        }
        text
    }
}
