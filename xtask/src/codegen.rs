//! `cargo xtask codegen`: what is derived from the types and from the help: JSON Schemas, TypeScript, and the
//! reference pages of `docs/`, which a test of fwai-cli holds to the program.

use crate::{places, shell, typescript};
use anyhow::{Result, bail};
use fwai_schema::families::FAMILIES;
use std::{fs, path::PathBuf};

pub fn run(arguments: &[String]) -> Result<()> {
    let check = arguments.iter().any(|argument| argument == "--check");
    let mut stale = Vec::new();
    let wanted = files();
    for (path, text) in &wanted {
        let before = fs::read_to_string(path).unwrap_or_default();
        if before == *text {
            continue;
        }
        if check {
            stale.push(path.clone());
        } else {
            fs::create_dir_all(path.parent().expect("below the root"))?;
            fs::write(path, text)?;
            eprintln!("wrote {}", path.display());
        }
    }
    for entry in fs::read_dir(places::root().join("schemas"))? {
        let path = entry?.path();
        if !wanted.iter().any(|(wanted, _)| *wanted == path) {
            if check {
                stale.push(path);
            } else {
                fs::remove_file(path)?;
            }
        }
    }
    if !check {
        shell::run(&mut shell::command(
            "cargo",
            &["run", "-q", "-p", "fwai-cli", "--", "man", "--markdown", "docs"],
        ))?;
    }
    if stale.is_empty() {
        return Ok(());
    }
    for path in &stale {
        eprintln!("out of date: {}", path.display());
    }
    bail!("run `cargo xtask codegen`")
}

fn files() -> Vec<(PathBuf, String)> {
    let directory = places::root().join("schemas");
    let mut files: Vec<_> = FAMILIES
        .iter()
        .map(|family| {
            let text = serde_json::to_string_pretty(&family.schema()).expect("plain data");
            (directory.join(format!("{}.schema.json", family.name)), text + "\n")
        })
        .collect();
    let shared: Vec<_> =
        FAMILIES.iter().filter(|family| matches!(family.name, "op" | "event" | "evidence")).collect();
    files.push((directory.join("fwai.d.ts"), typescript::declarations(&shared)));
    files
}
