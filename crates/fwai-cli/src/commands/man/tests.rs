//! The guide is true: its reference pages are up to date, every command line in it is understood, and every
//! link leads somewhere.

use super::markdown;
use crate::cli::Cli;
use clap::{Parser, error::ErrorKind};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page that users read, with its path below the repository.
fn guide() -> Vec<(PathBuf, String)> {
    let mut found: Vec<PathBuf> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("README")))
        .collect();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "md"));
    assert!(found.len() > 30, "{found:?}");
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_reference_pages_are_up_to_date() {
    let docs = root().join("docs");
    let pages = markdown::pages(&|name| fs::read_to_string(docs.join(name)).ok());
    for (name, text) in &pages {
        let before = fs::read_to_string(docs.join(name)).unwrap_or_default();
        assert!(before == *text, "docs/{name} is out of date: run `cargo xtask codegen`");
    }
    for entry in fs::read_dir(docs.join("commands")).unwrap() {
        let name = format!("commands/{}", entry.unwrap().file_name().to_string_lossy());
        assert!(pages.iter().any(|(known, _)| *known == name), "docs/{name} is of a command that is gone");
    }
}

/// Command lines of shell blocks (true), and of words in code marks.
fn command_lines(text: &str) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    let mut fence: Option<bool> = None;
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                Some(_) => None,
                None => Some(matches!(language, "sh" | "bash" | "console")),
            };
            continue;
        }
        match fence {
            Some(true) => lines.push((true, line.trim().trim_start_matches("$ ").to_owned())),
            Some(false) => {}
            None => lines.extend(line.split('`').skip(1).step_by(2).map(|words| (false, words.to_owned()))),
        }
    }
    lines
}

/// The calls of fwai in a shell's line, as words.
fn calls(line: &str) -> Vec<Vec<String>> {
    let ends = ["|", "&&", "||", ";", ">", ">>", "<", "2>&1", "#", "&"];
    let Some(words) = shlex::split(line) else { return Vec::new() };
    let mut found = Vec::new();
    for part in words.split(|word| ends.contains(&word.as_str())) {
        let start = part.iter().position(|word| !word.contains('=') || word.starts_with('-'));
        if let Some(words) = start.map(|start| &part[start..]).filter(|words| words[0] == "fwai") {
            found.push(words.to_vec());
        }
    }
    found
}

#[test]
fn every_command_line_of_the_guide_is_understood() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for (path, text) in guide() {
        for (in_block, line) in command_lines(&text).iter().filter(|(_, line)| line.contains("fwai")) {
            for words in calls(line) {
                seen += 1;
                // Inside a sentence a command may be named without its arguments.
                let fine = |error: &clap::Error| match error.kind() {
                    ErrorKind::MissingRequiredArgument => !in_block,
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
                    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
                    _ => false,
                };
                if let Some(error) = Cli::try_parse_from(&words).err().filter(|error| !fine(error)) {
                    let why = error.to_string();
                    wrong.push(format!(
                        "{}: {line}\n    {}",
                        path.display(),
                        why.lines().next().unwrap_or_default()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 150, "only {seen} command lines were found");
}

#[test]
fn every_link_of_the_guide_leads_somewhere() {
    let mut wrong = Vec::new();
    for (path, text) in guide() {
        for piece in text.split("](").skip(1) {
            let target = piece.split(')').next().unwrap_or_default().split('#').next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://");
            if !outside && !path.parent().unwrap().join(target).exists() {
                wrong.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
