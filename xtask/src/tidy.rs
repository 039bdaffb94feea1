//! `cargo xtask tidy`: the rules of the house that a machine can check.
//!
//! Dependencies point one way; every file says what lives in it; nothing is left half done; the
//! repository names no machine but the reader's.

use crate::{places, shell};
use anyhow::{Result, bail};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// Crates without files, sockets and clocks; they also run in the browser.
pub const CLEAN_CRATES: &[&str] = &["fwai-schema", "fwai-llm", "fwai-policy", "fwai-agent", "fwai-evidence"];

/// What each crate may depend on. A crate that is not listed may not exist.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("fwai-derive", &[]),
    ("fwai-schema", &["fwai-derive"]),
    ("fwai-llm", &["fwai-schema"]),
    ("fwai-policy", &["fwai-schema"]),
    ("fwai-agent", &["fwai-schema", "fwai-llm", "fwai-policy"]),
    ("fwai-evidence", &["fwai-schema", "fwai-policy"]),
    ("fwai-firmware", &["fwai-schema"]),
    ("fwai-tools", &["fwai-schema", "fwai-policy", "fwai-llm", "fwai-agent", "fwai-firmware"]),
    (
        "fwai-app",
        &[
            "fwai-schema",
            "fwai-llm",
            "fwai-policy",
            "fwai-agent",
            "fwai-evidence",
            "fwai-firmware",
            "fwai-tools",
        ],
    ),
    (
        "fwai-cli",
        &[
            "fwai-schema",
            "fwai-llm",
            "fwai-policy",
            "fwai-agent",
            "fwai-evidence",
            "fwai-firmware",
            "fwai-tools",
            "fwai-app",
        ],
    ),
    ("fwai-testkit", &["fwai-schema", "fwai-llm"]),
    ("xtask", &["fwai-schema"]),
];

/// Marks of unfinished work, put together here so that this file does not hold them.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ig", "nore"), concat!("todo", "!(")];

pub fn run(_arguments: &[String]) -> Result<()> {
    let mut problems = Vec::new();
    directions(&mut problems)?;
    files(&mut problems)?;
    if problems.is_empty() {
        eprintln!("tidy: clean");
        return Ok(());
    }
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    bail!("{} problems", problems.len())
}

fn directions(problems: &mut Vec<String>) -> Result<()> {
    let text = shell::output(Command::new("cargo").current_dir(places::root()).args([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let allowed: BTreeMap<_, _> = DIRECTIONS.iter().copied().collect();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(allowed) = allowed.get(name) else {
            problems.push(format!("{name} is not in the plan of the house; add it to xtask/src/tidy.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let on = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"] == "dev";
            if (on.starts_with("fwai-") || on == "xtask") && !for_tests && !allowed.contains(&on) {
                problems.push(format!("{name} must not depend on {on}: that arrow turns round"));
            }
        }
    }
    Ok(())
}

fn files(problems: &mut Vec<String>) -> Result<()> {
    let listed = shell::output(Command::new("git").current_dir(places::root()).args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    for name in listed.lines() {
        let Ok(text) = fs::read_to_string(places::root().join(name)) else { continue };
        if name.ends_with(".rs") && !name.contains("/fixtures/") {
            if !text.starts_with("//!") {
                problems.push(format!("{name} does not open with a //! line that says what lives there"));
            }
            for mark in UNFINISHED {
                if let Some(line) = text.lines().position(|line| line.contains(mark)) {
                    problems.push(format!("{name}:{}: {mark} is unfinished work", line + 1));
                }
            }
        }
        if name.ends_with("package-lock.json") && text.contains("\"resolved\"") {
            problems.push(format!("{name} holds download addresses"));
        }
        let here = places::root();
        let machine =
            [Some(here.clone()), here.parent().map(Path::to_owned).filter(|path| path != Path::new("/"))];
        for (number, line) in text.lines().enumerate() {
            if machine.iter().flatten().any(|path| line.contains(&format!("{}/", path.display()))) {
                problems.push(format!("{name}:{}: a path of this machine", number + 1));
            }
        }
    }
    Ok(())
}
