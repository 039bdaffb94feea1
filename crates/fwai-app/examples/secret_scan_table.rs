//! fwai's secret scan beside `detect-secrets` and `kingfisher` on one seeded tree; JSON on stdout.
//!
//! `secret_scan_table [PYTHON_BIN_DIRECTORY]`. The tree is the corpus of `fwai-policy/corpus`, which was made from
//! what providers publish and not from fwai's rules, among a lot of ordinary source. A secret counts as found
//! when a finding names its file and a line of it; every finding elsewhere is a false alarm.

#[path = "../../fwai-policy/corpus/corpus.rs"]
mod corpus;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use corpus::Seeded;
use fwai_app::secret_scan::{TreeOptions, scan_tree};
use fwai_policy::secrets::{RuleSet, Scanner};
use serde_json::{Value, json};

/// File and line of a finding.
type Place = (String, u32);

fn main() {
    let bin = std::env::args().nth(1).map_or_else(default_bin, PathBuf::from);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let seeds = write_tree(dir.path());
    let scanner = Scanner::new(RuleSet::builtin());
    let start = Instant::now();
    let report = scan_tree(&scanner, dir.path(), &TreeOptions::default()).expect("the tree was just written");
    let seconds = start.elapsed().as_secs_f64();
    let found = report
        .findings
        .iter()
        .flat_map(|finding| (finding.line..=finding.end_line).map(|line| (finding.file.clone(), line)));
    let mut rows = vec![row("fwai", seconds, &seeds, found.collect())];
    let program = |name: &str| bin.join(name).display().to_string();
    rows.push(foreign(
        "detect-secrets",
        &seeds,
        dir.path(),
        &[&program("detect-secrets"), "scan", "--all-files", "."],
    ));
    rows.push(foreign(
        "kingfisher",
        &seeds,
        dir.path(),
        &[
            &program("kingfisher"),
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
    let seeded: usize = seeds.iter().map(|file| file.secrets.len()).sum();
    println!("{}", json!({"seeded": seeded, "bytes": report.bytes, "files": report.files, "table": rows}));
}

fn default_bin() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::home_dir().unwrap_or_default().join(".cache");
    cache.unwrap_or_else(home).join("fwai-dev/bench-venv/bin")
}

fn row(tool: &str, seconds: f64, seeds: &[Seeded], found: BTreeSet<Place>) -> Value {
    let is_in = |file: &Seeded, place: &Place| {
        let inside = |(first, last): &(u32, u32)| (*first..=*last).contains(&place.1);
        place.0 == file.path && file.secrets.iter().any(inside)
    };
    let hit = seeds.iter().flat_map(|file| file.secrets.iter().map(move |lines| (file, lines))).filter(
        |(file, (first, last))| {
            found.iter().any(|(path, line)| *path == file.path && (*first..=*last).contains(line))
        },
    );
    let seeded: usize = seeds.iter().map(|file| file.secrets.len()).sum();
    let hit = hit.count();
    let alarms = found.iter().filter(|place| !seeds.iter().any(|file| is_in(file, place))).count();
    json!({"tool": tool, "seconds": seconds, "found": hit, "missed": seeded - hit, "false_alarms": alarms})
}

fn foreign(tool: &str, seeds: &[Seeded], directory: &Path, command: &[&str]) -> Value {
    let start = Instant::now();
    let output = Command::new(command[0]).args(&command[1..]).current_dir(directory).output();
    let seconds = start.elapsed().as_secs_f64();
    match output {
        Ok(output) => {
            let mut found = BTreeSet::new();
            for document in
                serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>().flatten()
            {
                places(&document, None, &mut found);
            }
            row(tool, seconds, seeds, found)
        }
        Err(error) => json!({"tool": tool, "error": format!("{error}; `cargo xtask setup` installs it")}),
    }
}

/// Every place that a report names: objects with a path and a line, or a line below the name of a file.
fn places(value: &Value, file: Option<&str>, found: &mut BTreeSet<Place>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| places(item, file, found)),
        Value::Object(map) => {
            let named = ["path", "filename", "file"].iter().find_map(|key| map.get(*key)?.as_str());
            let file = named.or(file);
            let line = ["line", "line_number"].iter().find_map(|key| map.get(*key)?.as_u64());
            if let (Some(file), Some(line)) = (file, line) {
                found.insert((file.trim_start_matches("./").to_owned(), line as u32));
            }
            map.iter().for_each(|(key, below)| places(below, file.or(Some(key)), found));
        }
        _ => {}
    }
}

fn write_tree(root: &Path) -> Vec<Seeded> {
    let line =
        "static int parse_token(const char *token, size_t length) { return token[0] == table[length]; }\n";
    for number in 0..100 {
        write(root, &format!("lib/source{number}.c"), &line.repeat(1_100));
    }
    let seeds = corpus::corpus();
    for file in &seeds {
        write(root, &file.path, &file.text);
    }
    seeds
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("it lies below the root"))
        .expect("the directory can be made");
    std::fs::write(path, text).expect("the file can be written");
}
