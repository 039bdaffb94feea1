//! The program in three languages: people read theirs, programs read the same bytes whatever the locale.

mod untranslated;

use std::{
    path::Path,
    process::{Command, Output},
};

fn fwai(directory: &Path, home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    command(directory, home, environment, arguments).stdin(std::process::Stdio::null()).output().unwrap()
}

fn command(directory: &Path, home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
    let locale = ["LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG", "LANGUAGE", "FWAI_LANG", "CI", "TERM"];
    locale.iter().for_each(|name| {
        command.env_remove(name);
    });
    for name in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
        command.env_remove(name);
    }
    command.current_dir(directory).env("FWAI_HOME", home).envs(environment.iter().copied());
    // Nothing listens there, so that no Ollama of this machine answers.
    command.env("OLLAMA_HOST", "127.0.0.1:1").args(arguments);
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Everything that has an object for programs, good and bad.
const FOR_PROGRAMS: &[&str] = &[
    "config show --origin --json",
    "config get provider.model --json",
    "config get no.such.key --json",
    "config set agent.max_iterations 7 --json",
    "config path --json",
    "config schema --json",
    "config validate --json",
    "provider list --json",
    "ask --json hello",
    "exec --json hello",
    "board list --json",
    "board info --json",
    "board info no-such-board --json",
    "policy check --json ls",
    "policy rules --json",
    "policy show --json",
    "sandbox --json",
    "trust --show --json",
    "undo --json",
    "undo --list --json",
    "diff --json",
    "sessions list --json",
    "sessions show last --json",
    "evidence list --json",
    "evidence show no-such-run --json",
    "audit verify --json",
    "audit log --json",
    "audit claims --json",
    "security scan --json",
    "security rules --json",
    "memory --json",
    "sbom --json",
    "flash --json --yes",
    "debug --json -c continue",
    "build --json",
    "memory --json",
    "flash --json --yes",
    "monitor --until boot.ok --for 20s --json --quiet",
    "evidence list --json",
    "evidence show latest --json",
    "audit verify --all --json",
    "audit prove latest --json",
    "export latest --format json",
    "board power off --json",
    "init --yes --json",
];

/// What every command says in a fresh project, with what differs between any two runs left out.
fn spoken(locale: &str) -> Vec<(String, Option<i32>, String, String)> {
    let scratch = tempfile::tempdir().unwrap();
    let (project, home) = (scratch.path().join("project"), scratch.path().join("home"));
    std::fs::create_dir(&project).unwrap();
    let environment = [("LANG", locale)];
    let made = fwai(&project, &home, &environment, &["init", "--template", "bare-metal", "--json"]);
    assert!(made.status.success(), "{}", stderr(&made));
    FOR_PROGRAMS
        .iter()
        .map(|line| {
            let output = fwai(&project, &home, &environment, &line.split(' ').collect::<Vec<_>>());
            let here = scratch.path().to_str().unwrap();
            let tidy = |text: String| masked(&text.replace(here, "HERE"));
            ((*line).to_owned(), output.status.code(), tidy(stdout(&output)), tidy(stderr(&output)))
        })
        .collect()
}

/// Numbers and long words of letters and digits (ids, hashes, keys) as `#`.
fn masked(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+/=.-_".contains(c);
    let mut out = String::new();
    for word in text.split_inclusive(|c| !is_part(c)) {
        let body = word.trim_end_matches(|c| !is_part(c));
        match body.bytes().any(|byte| byte.is_ascii_digit()) {
            true => out.push_str(&format!("#{}", &word[body.len()..])),
            false => out.push_str(word),
        }
    }
    out
}

#[test]
fn programs_read_the_same_whatever_the_locale() {
    let (plain, taiwan) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| spoken("C"));
        (plain.join().unwrap(), spoken("zh_TW.UTF-8"))
    });
    for (plain, taiwan) in plain.iter().zip(&taiwan) {
        assert_eq!(plain, taiwan);
        assert!(!taiwan.2.is_empty(), "{} says nothing", taiwan.0);
    }
}

#[test]
fn the_locale_the_variable_the_configuration_and_the_flag_choose_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path(), scratch.path().join("home"));
    let said = |environment: &[(&str, &str)], arguments: &[&str]| {
        stderr(&fwai(here, &home, environment, &[&["undo"], arguments].concat()))
    };
    let (english, taiwan, mainland) =
        ("error: nothing to undo\n", "錯誤：沒有可以復原的變更\n", "错误：没有可撤销的更改\n");
    assert_eq!(said(&[], &[]), english);
    assert_eq!(said(&[("LANG", "zh_TW.UTF-8")], &[]), taiwan);
    assert_eq!(said(&[("LANG", "zh_CN.UTF-8")], &[]), mainland);
    assert_eq!(said(&[("LANG", "zh_TW.UTF-8"), ("LC_ALL", "C")], &[]), english);
    assert_eq!(said(&[("LANG", "zh_TW.Big5")], &[]), english);
    assert_eq!(said(&[("LANG", "C"), ("FWAI_LANG", "zh-CN")], &[]), mainland);
    let set = fwai(here, &home, &[], &["config", "set", "--user", "ui.language", "zh-TW"]);
    assert!(set.status.success(), "{}", stderr(&set));
    assert_eq!(said(&[], &[]), taiwan);
    assert_eq!(said(&[("FWAI_LANG", "zh-CN")], &[]), mainland);
    assert_eq!(said(&[("FWAI_LANG", "zh-CN")], &["--lang", "en"]), english);
}

#[test]
fn help_and_mistakes_speak_the_language_and_fit_the_terminal() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path(), scratch.path().join("home"));
    let run = |arguments: &[&str]| fwai(here, &home, &[("LANG", "zh_TW.UTF-8")], arguments);
    let help = run(&["build", "--help"]);
    assert!(help.status.success());
    let text = stdout(&help);
    for part in ["用法：fwai build", "選項：", "通用選項：", "範例：", "編譯韌體", "[預設：auto]"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    for english in ["Usage", "Options", "Examples", "Print", "default:"] {
        assert!(!text.contains(english), "{english} in {text}");
    }
    let wrong = run(&["biuld"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("不認得的指令 'biuld'"), "{}", stderr(&wrong));
    assert!(stderr(&wrong).contains("'build'"), "{}", stderr(&wrong));
    let english = run(&["biuld", "--json"]);
    assert!(stderr(&english).starts_with("error: unrecognized subcommand"), "{}", stderr(&english));
    assert_eq!(run(&["--version"]).stdout, fwai(here, &home, &[], &["--version"]).stdout);
}

/// An error of a library, of the operating system, of a document, and one inside another.
#[test]
fn errors_of_every_part_are_told_in_the_language() {
    let scratch = tempfile::tempdir().unwrap();
    let (here, home) = (scratch.path().join("here"), scratch.path().join("home"));
    std::fs::create_dir(&here).unwrap();
    std::fs::write(here.join("not.elf"), "text").unwrap();
    let check = |locale: &str, line: &str, expect: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let said = stderr(&fwai(&here, &home, &[("LANG", locale)], &words));
        assert_eq!(said.trim_end(), expect, "{locale} fwai {line}");
    };
    check("C", "memory nope.elf", "error: cannot read nope.elf: No such file or directory (os error 2)");
    check("zh_TW.UTF-8", "memory nope.elf", "錯誤：無法讀取 nope.elf：沒有這個檔案或目錄");
    check("zh_CN.UTF-8", "memory nope.elf", "错误：无法读取 nope.elf：没有那个文件或目录");
    check(
        "zh_TW.UTF-8",
        "memory not.elf",
        "錯誤：not.elf 不是 ELF 檔；請給連結器產生的檔案（通常是 *.elf、*.axf 或 *.out）",
    );
    check(
        "zh_TW.UTF-8",
        "config set agent.max_iterations abc",
        "錯誤：value:1:1: `agent.max_iterations` 必須是整數，這裡卻是字串\n  1 | abc\n    | ^^^\n  可用的值：整數",
    );
    check(
        "zh_CN.UTF-8",
        "init --template bare-metal 2fast",
        "错误：`2fast` 不能作项目名称：它不是以字母开头；请用字母、数字、`_` 和 `-`，以字母开头，例如 `fast`",
    );
}
