//! Nothing for people is left in English: every help, the common failures, and what commands print in a project
//! are read in both kinds of Chinese, and lines of English words are found.

use super::{command, fwai, stderr, stdout};
use std::{io::Write, path::Path, process::Stdio};

const LOCALES: [&str; 2] = ["zh_TW.UTF-8", "zh_CN.UTF-8"];

/// What is for people in spite of being English: names of products and what other programs print.
const NAMES: &[&str] = &[
    "Open On-Chip Debugger",
    "No symbol table is loaded",
    "QEMU emulator version",
    "git version",
    "cmake version",
];

/// Lines of English words. A run of words is a sentence; code, quotes, flags, paths and names are none.
fn english(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let mut words = without_code(line);
        NAMES.iter().for_each(|name| words = words.replace(name, ""));
        let is_han = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
        let most = if line.chars().any(is_han) { 3 } else { 2 };
        if longest_run(&words) > most && !is_command(line) {
            found.push(line.to_owned());
        }
    }
    found
}

/// Without what stands in quotes of any kind, and without what follows `fwai ` or `$ `.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (None, '`' | '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            (None, letter) => out.push(letter),
            (Some(_), _) => {}
        }
    }
    let end = ["fwai ", "sudo ", "curl ", "pipx ", "cargo "].iter().filter_map(|start| out.find(start)).min();
    out.truncate(end.unwrap_or(out.len()));
    out
}

/// How many plain words of letters follow each other.
fn longest_run(text: &str) -> usize {
    let is_word = |word: &str| {
        let word = word.trim_matches([',', '.', ';', ':', '(', ')']);
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let (mut longest, mut run) = (0, 0);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        run = if is_word(word) { run + 1 } else { 0 };
        longest = longest.max(run);
        // Words with commas between them are a list of names.
        if word.ends_with(',') {
            run = 0;
        }
    }
    longest
}

/// A line that a person would type, or that a compiler wrote.
fn is_command(line: &str) -> bool {
    ["fwai ", "printf ", "git ", "cd ", "ls ", "make ", "-", "$ ", "openocd "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// The help of a command and of everything below it.
fn helps(home: &Path, locale: &str, path: &[String], found: &mut Vec<(String, String)>) {
    let arguments: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let output = fwai(home, home, &[("LANG", locale)], &arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let text = stdout(&output);
    let below = text.lines().skip_while(|line| !matches!(*line, "指令：" | "命令：")).skip(1);
    let below: Vec<String> = below
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    found.push((path.join(" "), text));
    for name in below {
        helps(home, locale, &[path, &[name]].concat(), found);
    }
}

#[test]
fn the_help_of_every_command_is_translated() {
    let scratch = tempfile::tempdir().unwrap();
    for locale in LOCALES {
        let mut found = Vec::new();
        helps(scratch.path(), locale, &[], &mut found);
        assert!(found.len() > 60, "only {} commands", found.len());
        let left: Vec<String> = found
            .iter()
            .flat_map(|(path, text)| english(text).into_iter().map(move |line| format!("{path}: {line}")))
            .collect();
        assert!(left.is_empty(), "{locale}:\n{}", left.join("\n"));
    }
}

/// What goes wrong most often, without a project.
const FAILURES: &[&str] = &[
    "build",
    "flash",
    "monitor",
    "debug -c bt",
    "memory",
    "memory nope.elf",
    "memory .",
    "board info nope",
    "board info stm32vldiscover",
    "evidence show nope",
    "evidence list",
    "audit verify nope",
    "audit verify",
    "audit prove nope",
    "audit anchor",
    "audit claims",
    "export nope",
    "sbom",
    "sbom nope",
    "security scan nope",
    "config get nope",
    "config set nope 1",
    "config set agent.mode nope",
    "config set agent.max_iterations abc",
    "config set agent.max_iterations -1",
    "config set agent 1",
    "config validate nope.yaml",
    "exec hi",
    "exec",
    "exec --mode nope hi",
    "exec --max-cost x hi",
    "exec --output-schema nope hi",
    "ask hi",
    "run",
    "run nope",
    "run size_report --explain",
    "run build_flash_monitor --dry-run",
    "run size_report --input nope=1",
    "sessions list",
    "sessions show nope",
    "sessions fork nope",
    "provider list",
    "provider use nope",
    "provider test",
    "policy rules",
    "policy check ls",
    "policy check",
    "policy rules remove 9",
    "trust",
    "undo",
    "undo --list",
    "diff",
    "sandbox",
    "sandbox -- nope",
    "completions nope",
    "init --template nope",
    "init --template bare-metal 2fast",
    "monitor --for abc",
    "monitor --for",
    "monitor --until (",
    "demo --dir /proc/nope",
    "man /proc/nope",
    "nope",
    "--nope",
    "--set nope build",
    "--lang nope",
    "-C /nope build",
    "init --yes",
    "doctor",
];

#[test]
fn what_goes_wrong_is_told_in_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path().join("here"), scratch.path().join("home"));
    for locale in LOCALES {
        let mut left = Vec::new();
        for line in FAILURES {
            let _ = std::fs::remove_dir_all(&here);
            std::fs::create_dir(&here).unwrap();
            let words: Vec<&str> = line.split(' ').collect();
            let output = fwai(&here, &home, &[("LANG", locale)], &words);
            let said = stdout(&output) + &stderr(&output);
            assert!(!said.trim().is_empty(), "{line} says nothing");
            left.extend(english(&said).into_iter().map(|english| format!("fwai {line}: {english}")));
        }
        assert!(left.is_empty(), "{locale}:\n{}", left.join("\n"));
    }
}

/// The usual work, in a project that builds.
const WORK: &[&str] = &[
    "init",
    "build",
    "flash --yes",
    "monitor --until boot.ok --for 20s",
    "memory --top 3 --budget flash=1 --budget nope=1",
    "board list",
    "board info",
    "board reset",
    "board power off",
    "monitor --for 1s",
    "evidence list",
    "evidence show build",
    "evidence show flash",
    "audit verify --all",
    "audit log",
    "audit key show",
    "run --list",
    "run size_report --quiet",
    "policy show",
    "security scan",
    "config validate",
    "sessions list",
];

#[test]
fn a_day_of_work_is_told_in_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (project, home) = (scratch.path().join("day"), scratch.path().join("home"));
    std::fs::create_dir(&project).unwrap();
    let locale = [("LANG", LOCALES[0])];
    let made = fwai(&project, &home, &locale, &["init", "--template", "bare-metal"]);
    let mut left = english(&(stdout(&made) + &stderr(&made)));
    for line in WORK {
        let output = fwai(&project, &home, &locale, &line.split(' ').collect::<Vec<_>>());
        let said = stdout(&output) + &stderr(&output);
        left.extend(english(&said).into_iter().map(|english| format!("fwai {line}: {english}")));
    }
    // What a README says, and what evidence claims, is data.
    left.retain(|line| !line.contains("summary  ") && !line.contains("主張"));
    assert!(left.is_empty(), "{}", left.join("\n"));
}

/// Everything that can be typed in a session without a model.
const SLASH: &str = "/help
/help build
/agents
/agent nope x
/skills
/mode nope
/mode plan
/act
/todos
/cost
/sessions
/resume nope
/fork
/fork x
/compact
/undo
/diff
/export x.md
/model
/open
/open 3
/new
/provider
/config get nope
/policy check git push
/policy check curl x | sh
/memory nope
/board info nope
/evidence
/audit verify
/run
/run nope
/build --nope
/nope
/trust
/init
hello
/quit
";

#[test]
fn a_session_is_told_in_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path().join("here"), scratch.path().join("home"));
    std::fs::create_dir(&here).unwrap();
    for locale in LOCALES {
        let mut session = command(&here, &home, &[("LANG", locale)], &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        session.stdin.take().unwrap().write_all(SLASH.as_bytes()).unwrap();
        let output = session.wait_with_output().unwrap();
        let said = stdout(&output) + &stderr(&output);
        assert!(said.lines().count() > 80, "{said}");
        let left = english(&said);
        assert!(left.is_empty(), "{locale}:\n{}", left.join("\n"));
    }
}

#[test]
fn the_demo_is_told_in_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path(), scratch.path().join("home"));
    let project = here.join("demo");
    let words = ["demo", "--yes", "--dir", project.to_str().unwrap()];
    let output = fwai(here, &home, &[("LANG", "zh_CN.UTF-8")], &words);
    let said = stdout(&output) + &stderr(&output);
    assert!(output.status.success(), "{said}");
    // What tools print is data.
    let spoken: Vec<&str> = said.lines().filter(|line| !line.trim_start().starts_with('│')).collect();
    let left = english(&spoken.join("\n"));
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(said.contains("启动成功。原因是 src/led.c:8") && said.contains("验证通过"), "{said}");
}

#[test]
fn english_is_found() {
    for line in [
        "error: no such file",
        "錯誤：nope: No such file or directory (os error 2); build first, or name an ELF file",
        "the board was left alone",
        "推測：the usual speed; nothing states another",
    ] {
        assert_eq!(english(line).len(), 1, "{line}");
    }
    for line in [
        "錯誤：找不到 `nope`；它裝了嗎？",
        "  fwai run size_report --input against=main",
        "開機：成功：boot ok",
        "正常    cmake：cmake version 3.25.1 (/usr/bin/cmake)",
        "flash_command      openocd -f interface/stlink.cfg -f target/stm32f1x.cfg",
        "用法：fwai build [OPTIONS]",
    ] {
        assert!(english(line).is_empty(), "{line}");
    }
}
