//! What a shell line would do: every simple command in it becomes one or more [`Part`]s.

mod places;

use super::{
    consequence::{Consequence, Part},
    git,
    known_programs::{is_harmless_awk, read_arguments, sed_in_place},
    parse::{Script, parse},
    table::{Nature, changes_programs, look_up},
    unwrap::{program_name, unwrap},
    word::{RedirectKind, Simple, Word},
};
use crate::{protect::Protection, request::Surroundings};
use fwai_schema::permission::DeviceVerb;
use places::path_in_option;

/// Judge a line that is run in `cwd`.
pub fn judge(line: &str, cwd: &str, surroundings: &Surroundings, protection: &Protection) -> Vec<Part> {
    let script = parse(line);
    let mut judge = Judge {
        surroundings,
        protection,
        directories: vec![cwd.to_owned()],
        lost: false,
        poisoned: false,
        functions: Vec::new(),
        parts: Vec::new(),
    };
    judge.script(script, 0);
    if judge.parts.is_empty() {
        judge.parts.push(part_of("", Consequence::Reads, "there is no command in it", "builtin:read-only"));
    }
    judge.parts
}

/// Whether a line is git's and nothing else, and wants to write index, refs or objects. Only then may a
/// sandbox open those, and even then hooks and configuration stay closed.
pub fn is_git_writing(line: &str, root: &str) -> bool {
    let surroundings = Surroundings { root: root.to_owned(), ..Surroundings::default() };
    writes_only_git(&judge(line, root, &surroundings, &Protection::default()))
}

/// Whether every part of a line only reads. Such a line runs where everything is read-only, so that a
/// wrong judgement fails instead of changing something unseen.
pub fn only_reads(line: &str, root: &str) -> bool {
    let surroundings = Surroundings { root: root.to_owned(), walls: true, ..Surroundings::default() };
    judge(line, root, &surroundings, &Protection::default())
        .iter()
        .all(|part| part.consequence == Consequence::Reads && !part.disguised)
}

pub(crate) fn writes_only_git(parts: &[Part]) -> bool {
    let harmless = |part: &Part| {
        let git = part.words.first().is_some_and(|word| word == "git");
        part.consequence == Consequence::Reads || (git && !part.disguised)
    };
    parts.iter().any(|part| part.writes_git) && parts.iter().all(harmless)
}

struct Judge<'a> {
    surroundings: &'a Surroundings,
    protection: &'a Protection,
    /// Every directory in which a later command could find itself; relative paths are judged in all of them.
    directories: Vec<String>,
    /// A `cd` went somewhere that is not known.
    lost: bool,
    /// A variable was set that changes what programs are.
    poisoned: bool,
    functions: Vec<String>,
    parts: Vec<Part>,
}

fn part_of(text: &str, consequence: Consequence, why: impl Into<String>, fact: &'static str) -> Part {
    Part {
        text: text.to_owned(),
        words: Vec::new(),
        paths: Vec::new(),
        consequence,
        why: why.into(),
        fact,
        disguised: false,
        writes_git: false,
    }
}

impl Judge<'_> {
    fn script(&mut self, script: Script, depth: usize) {
        for problem in &script.problems {
            self.parts.push(part_of("", Consequence::NotUnderstood, problem, "builtin:not-understood"));
        }
        self.functions.extend(script.functions.iter().cloned());
        for command in script.commands {
            self.command(command, depth);
        }
    }

    fn command(&mut self, command: Simple, depth: usize) {
        let bare_assignment = command.words.is_empty();
        for (variable, _) in &command.assignments {
            self.poisoned |= bare_assignment && changes_programs(variable);
        }
        self.redirects(&command);
        let text = command.text.clone();
        let unwrapped = unwrap(command, depth);
        for (consequence, why, fact) in unwrapped.findings {
            self.parts.push(part_of(&text, consequence, why, fact));
        }
        for script in unwrapped.scripts {
            self.script(script, depth + 1);
        }
        for call in unwrapped.calls {
            self.call(&text, call);
        }
    }

    fn redirects(&mut self, command: &Simple) {
        for redirect in &command.redirects {
            let mut part = part_of(&command.text, Consequence::Reads, "", "builtin:redirection");
            let target = redirect.target.text().unwrap_or_default();
            if target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/") {
                part.consequence = Consequence::LeavesMachine;
                part.why = "opens a network connection".into();
                part.fact = "builtin:network";
                self.parts.push(part);
                continue;
            }
            match redirect.kind {
                RedirectKind::Write => self.write(&mut part, &redirect.target, false),
                RedirectKind::Read => self.read(&mut part, &redirect.target),
                RedirectKind::Duplicate | RedirectKind::Text => continue,
            }
            if part.consequence != Consequence::Reads {
                self.parts.push(part);
            }
        }
    }

    fn call(&mut self, text: &str, call: Simple) {
        let Some(name) = call.words.first().and_then(|word| word.plain()).map(str::to_owned) else {
            return;
        };
        let mut part = part_of(text, Consequence::Reads, "only reads", "builtin:read-only");
        part.words = call.words.iter().map(|word| word.text().unwrap_or(&word.raw).to_owned()).collect();
        part.disguised =
            self.poisoned || call.assignments.iter().any(|(variable, _)| changes_programs(variable));
        if self.functions.contains(&name) {
            if call.in_function.as_deref() == Some(name.as_str()) {
                raise(
                    &mut part,
                    Consequence::NotUnderstood,
                    "a function that calls itself",
                    "builtin:not-understood",
                );
            }
            part.disguised = true;
            self.parts.push(part);
            return;
        }
        // These evaluate what their words hold once more: `test -v 'a[$(rm x)]'` runs `rm`.
        let evaluates = matches!(
            name.as_str(),
            "test"
                | "["
                | "[["
                | "let"
                | "unset"
                | "read"
                | "wait"
                | "export"
                | "declare"
                | "typeset"
                | "readonly"
                | "local"
                | "getopts"
                | "mapfile"
                | "readarray"
        ) || name == "printf"
            && call.words.iter().any(|word| word.text().is_some_and(|text| text.starts_with("-v")));
        let holds_code =
            |word: &Word| word.text().is_some_and(|text| text.contains("$(") || text.contains('`'));
        if evaluates && call.words[1..].iter().any(holds_code) {
            let why = format!("`{name}` may run what its words hold");
            raise(&mut part, Consequence::NotUnderstood, &why, "builtin:not-understood");
            self.parts.push(part);
            return;
        }
        match name.as_str() {
            "cd" | "pushd" => self.change_directory(&call.words),
            "hash" if call.words.len() > 1 => {
                self.poisoned |=
                    !call.words[1..].iter().all(|word| matches!(word.text(), Some("-r" | "-l" | "-t")))
            }
            "export" | "declare" | "typeset" | "readonly" | "local" | "read" | "unset" | "set"
            | "mapfile" | "readarray" => {
                for word in &call.words[1..] {
                    let variable = word.raw.split(['=', '+', '[']).next().unwrap_or_default();
                    self.poisoned |= changes_programs(variable) || word.text().is_none() && name != "set";
                }
                if name == "mapfile" || name == "readarray" {
                    raise(&mut part, Consequence::Runs, "may run a callback", "builtin:runs-program");
                }
                self.parts.push(part);
                return;
            }
            "printf" if matches!(call.words.get(1).and_then(|word| word.text()), Some("-v")) => {
                self.poisoned = true
            }
            _ => {}
        }
        if program_name(&name) == "git" {
            self.git(&mut part, &call.words);
        } else {
            self.program(&mut part, &name, &call.words);
        }
        if part.disguised && part.consequence <= Consequence::WritesInside {
            part.consequence = Consequence::Runs;
            part.why = "its environment changes which programs run".into();
            part.fact = "builtin:environment";
        }
        self.parts.push(part);
    }

    fn git(&mut self, part: &mut Part, words: &[Word]) {
        let call = git::judge(words);
        part.words = call.words;
        part.disguised |= call.disguised;
        part.writes_git = call.writes_git;
        let fact = match call.consequence {
            Consequence::Reads => "builtin:read-only",
            Consequence::LeavesMachine => "builtin:network",
            Consequence::CannotBeUndone => "builtin:cannot-be-undone",
            _ => "builtin:git",
        };
        raise(part, call.consequence, &call.why, fact);
        for word in &words[1..] {
            if let Some(value) = path_in_option(word) {
                self.read(part, &value);
            } else if word.home || word.text().is_some_and(|text| text.starts_with('/')) {
                self.read(part, word);
            }
        }
    }

    fn program(&mut self, part: &mut Part, name: &str, words: &[Word]) {
        let Some(program) = look_up(name) else {
            let why = format!("`{name}` is a program that fwai does not know; the sandbox bounds it");
            raise(part, Consequence::Runs, &why, "builtin:runs-program");
            return self.private_operands(part, words);
        };
        if program.nature == Nature::Runs
            && let [_, only] = words
            && matches!(only.plain(), Some("--version" | "--help" | "-V"))
        {
            return;
        }
        match name {
            "sed" | "gsed" => match sed_in_place(words) {
                Some(in_place) => {
                    for word in words.iter().skip(1).filter(|word| !word.could_be_option()).skip(1) {
                        if in_place { self.write(part, word, false) } else { self.read(part, word) }
                    }
                    if in_place {
                        raise(part, Consequence::WritesInside, "edits files in place", "builtin:writes");
                    }
                    return;
                }
                None => {
                    return raise(
                        part,
                        Consequence::Runs,
                        "a sed script that may write or run something",
                        "builtin:runs-program",
                    );
                }
            },
            "awk" | "gawk" | "mawk" | "nawk" => {
                if !is_harmless_awk(words) {
                    raise(
                        part,
                        Consequence::Runs,
                        "an awk program that may write or run something",
                        "builtin:runs-program",
                    );
                }
                return self.private_operands(part, words);
            }
            "dd" => return self.dd(part, words),
            _ => {}
        }
        let arguments = read_arguments(name, program, words);
        let note = if program.note.is_empty() { None } else { Some(program.note) };
        match program.nature {
            Nature::Reads | Nature::Pure => {}
            Nature::Writes => {
                raise(part, Consequence::WritesInside, "changes files of the project", "builtin:writes")
            }
            Nature::Runs => {
                raise(
                    part,
                    Consequence::Runs,
                    note.unwrap_or("runs code that the sandbox bounds"),
                    "builtin:runs-program",
                );
            }
            Nature::Network => {
                raise(
                    part,
                    Consequence::LeavesMachine,
                    note.unwrap_or("talks to another machine"),
                    "builtin:network",
                );
            }
            Nature::Board(verb) => {
                raise(
                    part,
                    Consequence::TouchesBoard(verb),
                    note.unwrap_or(verb_words(verb)),
                    "builtin:board",
                );
            }
            Nature::CannotBeUndone => {
                raise(
                    part,
                    Consequence::CannotBeUndone,
                    note.unwrap_or("cannot be undone"),
                    "builtin:cannot-be-undone",
                );
            }
            Nature::Forbidden => {
                raise(part, Consequence::Forbidden, note.unwrap_or("forbidden"), "builtin:forbidden")
            }
        }
        if let Some((consequence, why)) = &arguments.raised {
            let fact = match consequence {
                Consequence::LeavesMachine => "builtin:network",
                Consequence::TouchesBoard(_) => "builtin:board",
                Consequence::CannotBeUndone => "builtin:cannot-be-undone",
                _ => "builtin:dangerous-option",
            };
            raise(part, *consequence, why, fact);
        }
        let destructive =
            matches!(name, "rm" | "rmdir" | "unlink" | "mv" | "chmod" | "chown" | "truncate" | "shred");
        for word in &arguments.writes {
            self.write(part, word, destructive);
        }
        for word in &arguments.reads {
            self.read(part, word);
        }
        for value in words[1..].iter().filter_map(path_in_option) {
            self.read(part, &value);
        }
    }

    fn dd(&mut self, part: &mut Part, words: &[Word]) {
        raise(part, Consequence::WritesInside, "copies raw data", "builtin:writes");
        for word in &words[1..] {
            match word.text() {
                None => raise(
                    part,
                    Consequence::NotUnderstood,
                    "`dd` with words that are known only when it runs",
                    "builtin:not-understood",
                ),
                Some(text) => {
                    if let Some(target) = text.strip_prefix("of=") {
                        self.write(
                            part,
                            &Word { home: target.starts_with('~'), ..Word::literal(target) },
                            true,
                        );
                    } else if let Some(source) = text.strip_prefix("if=") {
                        self.read(part, &Word { home: source.starts_with('~'), ..Word::literal(source) });
                    }
                }
            }
        }
    }
}

fn verb_words(verb: DeviceVerb) -> &'static str {
    match verb {
        DeviceVerb::Reset => "restarts a board",
        DeviceVerb::Flash => "writes to a board",
        DeviceVerb::Erase => "erases a board",
        DeviceVerb::Fuse => "burns fuses, which nothing undoes",
    }
}

fn raise(part: &mut Part, consequence: Consequence, why: &str, fact: &'static str) {
    if consequence > part.consequence {
        part.consequence = consequence;
        part.why = why.to_owned();
        part.fact = fact;
    }
}
