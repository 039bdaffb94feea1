//! Takes wrappers off: `sudo`, `env`, `xargs`, `find -exec`, `bash -c`, `eval` and their kin run another
//! command, and that one is judged too.

use super::{
    consequence::Consequence,
    parse::{MAX_DEPTH, Script, parse_nested},
    table::changes_programs,
    word::{RedirectKind, Simple, Word},
};

/// What a simple command turns out to run.
#[derive(Default)]
pub(super) struct Unwrapped {
    /// The innermost calls.
    pub calls: Vec<Simple>,
    /// Scripts found in arguments (`bash -c '…'`).
    pub scripts: Vec<Script>,
    /// What the wrapping itself means.
    pub findings: Vec<(Consequence, String, &'static str)>,
}

impl Unwrapped {
    fn note(&mut self, consequence: Consequence, why: impl Into<String>, fact: &'static str) {
        self.findings.push((consequence, why.into(), fact));
    }

    fn opaque(&mut self, why: impl Into<String>) {
        self.note(Consequence::NotUnderstood, why, "builtin:not-understood");
    }
}

/// Wrappers whose command follows after their options; the second part lists options that take a value, the
/// third how many operands come before the command.
const PREFIXES: &[(&str, &[&str], usize)] = &[
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("nohup", &[], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n", "-p", "--class", "--classdata"], 0),
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("setsid", &[], 0),
    ("chrt", &["-T", "-P", "-D"], 1),
    ("taskset", &[], 1),
    ("unbuffer", &[], 0),
    ("caffeinate", &["-t", "-w"], 0),
    ("flock", &["-w", "-E", "--timeout"], 1),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("strace", &["-e", "-o", "-p", "-s", "-E", "-P"], 0),
    ("ltrace", &["-e", "-o", "-p", "-s"], 0),
    ("valgrind", &[], 0),
    ("rlwrap", &[], 0),
    ("ccache", &[], 0),
    ("sccache", &[], 0),
    ("xvfb-run", &["-n", "-s"], 0),
    ("env", &["-u", "-C", "--unset", "--chdir"], 0),
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "-R", "-T", "--user", "--group"], 0),
    ("doas", &["-u", "-C"], 0),
    (
        "xargs",
        &[
            "-I",
            "-i",
            "-n",
            "-P",
            "-L",
            "-d",
            "-s",
            "-a",
            "-E",
            "--max-args",
            "--max-procs",
            "--replace",
            "--delimiter",
            "--arg-file",
        ],
        0,
    ),
];

const SHELLS: [&str; 9] = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash"];

/// The name of a program without the directories that every system has.
pub(super) fn program_name(text: &str) -> &str {
    for directory in ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"] {
        if let Some(name) = text.strip_prefix(directory)
            && !name.contains('/')
        {
            return name;
        }
    }
    text
}

pub(super) fn unwrap(command: Simple, depth: usize) -> Unwrapped {
    let mut out = Unwrapped::default();
    unwrap_into(command, depth, &mut out);
    out
}

fn unwrap_into(mut command: Simple, depth: usize, out: &mut Unwrapped) {
    if depth > MAX_DEPTH {
        return out.opaque("commands are wrapped too deeply");
    }
    let Some(first) = command.words.first() else {
        out.calls.push(command);
        return;
    };
    let Some(text) = first.plain() else {
        return out.opaque(format!("the program `{}` is known only when it runs", first.raw));
    };
    let name = program_name(text).to_owned();
    if name.starts_with('-') {
        return out.opaque(format!("`{name}` is not a program"));
    }
    if let Some((_, valued, operands)) = PREFIXES.iter().find(|(prefix, ..)| *prefix == name) {
        return unwrap_prefix(command, &name, valued, *operands, depth, out);
    }
    match name.as_str() {
        "find" => {
            find_exec(&command, depth, out);
            out.calls.push(command);
        }
        shell if SHELLS.contains(&shell) => unwrap_shell(&command, depth, out),
        "eval" => script_of_words(&command.words[1..], depth, out),
        "trap" => {
            if let Some(action) = command.words.get(1)
                && !matches!(action.plain(), Some("-" | "" | "-l" | "-p"))
            {
                script_of_words(std::slice::from_ref(action), depth, out);
            }
        }
        "watch" => {
            let start =
                command.words.iter().skip(1).position(|word| !word.could_be_option()).map_or(1, |at| at + 1);
            let start = if matches!(
                command.words.get(start - 1).and_then(|word| word.plain()),
                Some("-n" | "--interval")
            ) {
                start + 1
            } else {
                start
            };
            script_of_words(command.words.get(start..).unwrap_or_default(), depth, out);
        }
        "source" | "." => out.note(Consequence::Runs, "runs another script", "builtin:runs-program"),
        "alias" if command.words.len() > 1 => out.opaque("an alias changes what the words after it mean"),
        "enable" if command.words.len() > 1 => out.opaque("`enable` changes which builtins exist"),
        "parallel" | "script" | "expect" => {
            out.opaque(format!("`{name}` runs commands that are made when it runs"))
        }
        _ => {
            command.words[0] = Word::literal(&name);
            out.calls.push(command);
        }
    }
}

fn unwrap_prefix(
    mut command: Simple,
    name: &str,
    valued: &[&str],
    operands: usize,
    depth: usize,
    out: &mut Unwrapped,
) {
    match name {
        "sudo" | "doas" => {
            out.note(Consequence::CannotBeUndone, "asks for the rights of root", "builtin:root")
        }
        "strace" | "ltrace" | "valgrind" => {
            out.note(Consequence::Runs, "watches another program", "builtin:runs-program")
        }
        _ => {}
    }
    let mut at = 1;
    let mut left = operands;
    while let Some(word) = command.words.get(at) {
        let Some(text) = word.plain() else {
            if left > 0 {
                left -= 1;
                at += 1;
                continue;
            }
            break;
        };
        match (name, text) {
            ("command", "-v" | "-V") => return,
            ("env", "-S" | "--split-string") => return out.opaque("`env -S` makes words of a text"),
            // Also in a group such as `-iS`, and abbreviated.
            ("env", _)
                if text.starts_with("--s")
                    || text.starts_with('-') && !text.starts_with("--") && text.contains('S') =>
            {
                return out.opaque("`env -S` makes words of a text");
            }
            ("flock", "-c" | "--command") => {
                let rest = command.words.get(at + 1..at + 2).unwrap_or_default().to_vec();
                return script_of_words(&rest, depth, out);
            }
            ("sudo", "-e" | "--edit" | "-i" | "-s" | "--login" | "--shell") => {
                return out.opaque("opens a shell or an editor as root");
            }
            _ => {}
        }
        if text == "--" {
            at += 1;
            break;
        }
        if valued.contains(&text) {
            at += 2;
        } else if text.starts_with('-') && text.len() > 1 {
            at += 1;
        } else if matches!(name, "env" | "sudo" | "doas") && is_assignment(text) {
            let (variable, value) = text.split_once('=').unwrap_or((text, ""));
            command.assignments.push((variable.to_owned(), Word::literal(value)));
            at += 1;
        } else if left > 0 {
            left -= 1;
            at += 1;
        } else {
            break;
        }
    }
    let mut inner: Vec<Word> = command.words.get(at..).unwrap_or_default().to_vec();
    if inner.is_empty() {
        if name == "exec" && !command.redirects.is_empty() {
            command.words.clear();
            out.calls.push(command);
        }
        // `env`, `xargs` and the like without a command only print.
        return;
    }
    if name == "xargs" {
        // What comes through the pipe is not known.
        inner.push(Word { raw: "…".into(), ..Word::default() });
    }
    unwrap_into(Simple { words: inner, ..command }, depth + 1, out);
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

fn find_exec(command: &Simple, depth: usize, out: &mut Unwrapped) {
    let mut at = 1;
    while at < command.words.len() {
        if matches!(command.words[at].plain(), Some("-exec" | "-execdir" | "-ok" | "-okdir")) {
            let rest = &command.words[at + 1..];
            let length =
                rest.iter().position(|word| matches!(word.text(), Some(";" | "+"))).unwrap_or(rest.len());
            let inner = rest[..length]
                .iter()
                .map(|word| {
                    if word.raw.contains("{}") {
                        Word { raw: word.raw.clone(), ..Word::default() }
                    } else {
                        word.clone()
                    }
                })
                .collect();
            unwrap_into(
                Simple { words: inner, text: command.text.clone(), ..Simple::default() },
                depth + 1,
                out,
            );
            at += length + 1;
        }
        at += 1;
    }
}

fn unwrap_shell(command: &Simple, depth: usize, out: &mut Unwrapped) {
    // `BASH_ENV=x bash -c …` runs x first.
    if command.assignments.iter().any(|(variable, _)| changes_programs(variable)) {
        out.note(Consequence::Runs, "its environment changes which programs run", "builtin:environment");
    }
    let mut at = 1;
    while let Some(word) = command.words.get(at) {
        let Some(text) = word.plain() else {
            return out.opaque("what the shell is told is known only when it runs");
        };
        if text == "--version" || text == "--help" {
            return;
        }
        if let Some(letters) =
            text.strip_prefix('-').filter(|rest| !rest.starts_with('-') && !rest.is_empty())
        {
            if letters.contains('c') {
                return script_of_words(command.words.get(at + 1..at + 2).unwrap_or_default(), depth, out);
            }
            // `-o option`, and `-s` that reads from standard input.
            at += if letters.ends_with('o') { 2 } else { 1 };
        } else if text.starts_with("--") && text.len() > 2 {
            at += if matches!(text, "--rcfile" | "--init-file") { 2 } else { 1 };
        } else {
            return out.note(Consequence::Runs, "runs a script", "builtin:runs-program");
        }
    }
    let fed = command.piped_in
        || command.redirects.iter().any(|r| matches!(r.kind, RedirectKind::Text | RedirectKind::Read));
    if fed {
        out.opaque("a shell runs whatever it is given on standard input");
    } else {
        out.note(Consequence::Runs, "opens a shell", "builtin:runs-program");
    }
}

fn script_of_words(words: &[Word], depth: usize, out: &mut Unwrapped) {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.plain()).collect();
    match texts {
        Some(texts) if !texts.is_empty() => out.scripts.push(parse_nested(&texts.join(" "), depth + 1)),
        Some(_) => {}
        None => out.opaque("a script is put together when it runs"),
    }
}
