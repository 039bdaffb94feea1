//! Programs whose arguments need more than a table: which operands are files, which scripts are harmless.

use super::{
    consequence::Consequence,
    table::{Nature, Program},
    word::Word,
};

/// What the arguments of a known program mean.
#[derive(Default)]
pub(super) struct Arguments<'w> {
    pub reads: Vec<&'w Word>,
    pub writes: Vec<&'w Word>,
    /// The worst that an option makes of it, with the option.
    pub raised: Option<(Consequence, String)>,
}

pub(super) fn read_arguments<'w>(name: &str, program: &Program, words: &'w [Word]) -> Arguments<'w> {
    let arguments = &words[1..];
    let mut out = Arguments::default();
    for (option, consequence) in program.worse {
        let unknown = arguments.iter().any(|word| word.text().is_none());
        if let Some(found) =
            arguments.iter().find(|word| word.text().is_some_and(|text| is_option(text, option)))
        {
            raise(&mut out, *consequence, format!("`{}` makes it more than reading", found.raw));
        } else if !option.starts_with('-') && first_operand(arguments) == Some(*option) {
            raise(&mut out, *consequence, format!("`{name} {option}`"));
        } else if unknown && option.starts_with('-') && matches!(program.nature, Nature::Reads | Nature::Pure)
        {
            raise(&mut out, Consequence::Runs, "some of its words are known only when it runs".into());
        }
    }
    sort_operands(name, program.nature, arguments, &mut out);
    out
}

fn raise(out: &mut Arguments<'_>, consequence: Consequence, why: String) {
    if out.raised.as_ref().is_none_or(|(known, _)| *known < consequence) {
        out.raised = Some((consequence, why));
    }
}

/// Whether `text` gives the option: exactly, with a value, abbreviated, or in a group of short ones.
fn is_option(text: &str, option: &str) -> bool {
    if !option.starts_with('-') {
        return option == "+" && text.starts_with('+');
    }
    let name = text.split('=').next().unwrap_or(text);
    if name == option {
        return true;
    }
    if let Some(long) = option.strip_prefix("--") {
        let given = name.strip_prefix("--").unwrap_or_default();
        return given.len() >= 2 && long.starts_with(given);
    }
    // find's options are words with one dash.
    if option.len() > 2 {
        return false;
    }
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    letters.is_some_and(|letters| letters.contains(&option[1..]))
}

fn first_operand(arguments: &[Word]) -> Option<&str> {
    arguments
        .iter()
        .filter_map(|word| word.plain())
        .find(|text| !text.starts_with('-') && !text.starts_with('+'))
}

fn sort_operands<'w>(name: &str, nature: Nature, arguments: &'w [Word], out: &mut Arguments<'w>) {
    let mut operands: Vec<&Word> = Vec::new();
    let mut only_operands = false;
    for word in arguments {
        match word.text() {
            Some("--") if !only_operands => only_operands = true,
            Some("-") => {}
            Some(text) if text.starts_with('-') && !only_operands => {}
            _ => operands.push(word),
        }
    }
    match (name, nature) {
        (_, Nature::Pure) => {}
        (
            "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "jq" | "yq" | "tr" | "fd" | "fdfind",
            Nature::Reads,
        ) => {
            let given = arguments
                .iter()
                .any(|word| word.text().is_some_and(|text| is_option(text, "-e") || is_option(text, "-f")));
            out.reads = operands.split_off(usize::from(!given).min(operands.len()));
        }
        ("xxd", _) => {
            // Its options have values of their own; the second file is written.
            let mut files = Vec::new();
            let mut rest = arguments.iter();
            while let Some(word) = rest.next() {
                let text = word.text();
                let valued = [
                    "-c",
                    "-g",
                    "-l",
                    "-n",
                    "-o",
                    "-s",
                    "-R",
                    "-cols",
                    "-len",
                    "-seek",
                    "-groupsize",
                    "-name",
                ];
                if text.is_some_and(|text| valued.contains(&text)) {
                    rest.next();
                } else if !word.could_be_option() || text == Some("-") {
                    files.push(word);
                }
            }
            out.writes = files.split_off(1.min(files.len()));
            out.reads = files;
        }
        ("uniq", _) => {
            out.writes = operands.split_off(1.min(operands.len()));
            out.reads = operands;
        }
        ("find", _) => {
            let paths = arguments
                .iter()
                .take_while(|word| !word.could_be_option() && !matches!(word.text(), Some("(" | "!")));
            out.reads = paths.collect();
            if out.raised.is_some() {
                out.writes = out.reads.clone();
            }
        }
        ("cp" | "install" | "ln", _) => {
            let into =
                arguments.iter().position(|word| matches!(word.text(), Some("-t" | "--target-directory")));
            match into {
                Some(at) => {
                    out.writes = arguments.get(at + 1).into_iter().collect();
                    out.reads = operands;
                }
                None => {
                    // One operand of `ln` links into the current directory.
                    out.writes = operands.pop().into_iter().collect();
                    out.reads = operands;
                }
            }
        }
        ("chmod" | "chown" | "chgrp", _) => out.writes = operands.split_off(1.min(operands.len())),
        ("dd", _) => {}
        ("mktemp" | "strip" | "objcopy" | "clang-format", _) => out.writes = operands,
        (_, Nature::Writes) => out.writes = operands,
        (_, Nature::Reads) => {
            out.reads = operands;
            if matches!(out.raised, Some((Consequence::WritesInside, _))) {
                out.writes = value_of_output_option(arguments);
            }
        }
        _ => {}
    }
}

fn value_of_output_option(arguments: &[Word]) -> Vec<&Word> {
    let at = arguments.iter().position(|word| matches!(word.text(), Some("-o" | "--output")));
    at.and_then(|at| arguments.get(at + 1)).into_iter().collect()
}

/// Whether a sed call only prints; `Some(true)` when it edits its files in place and does nothing else.
pub(super) fn sed_in_place(words: &[Word]) -> Option<bool> {
    let mut in_place = false;
    let mut scripts: Vec<&str> = Vec::new();
    let mut at = 1;
    let mut operand_seen = false;
    while let Some(word) = words.get(at) {
        let text = word.text()?;
        match text {
            "-e" | "--expression" => {
                scripts.push(words.get(at + 1)?.value.as_deref()?);
                at += 1;
            }
            "-ne" => {
                scripts.push(words.get(at + 1)?.value.as_deref()?);
                at += 1;
            }
            "-n" | "-E" | "-r" | "-u" | "-z" | "--quiet" | "--silent" | "--regexp-extended" | "-s"
            | "--posix" | "--debug" | "-En" | "-nE" => {}
            _ if text == "-i" || text == "--in-place" || (text.starts_with("-i") && !text.contains('/')) => {
                in_place = true
            }
            _ if text.starts_with('-') && text.len() > 1 => return None,
            _ if scripts.is_empty() && !operand_seen => {
                scripts.push(word.value.as_deref()?);
                operand_seen = true;
            }
            _ => {}
        }
        at += 1;
    }
    scripts.iter().all(|script| is_harmless_sed(script)).then_some(in_place)
}

/// Only `s`, `p`, `d`, `q`, `=` and `y` with addresses; never `w`, `e`, `r` or a file name.
fn is_harmless_sed(script: &str) -> bool {
    let mut rest = script.trim();
    while !rest.is_empty() {
        rest = rest.trim_start_matches([';', '\n', ' ', '}', '{']);
        let Some(after_address) = skip_addresses(rest) else { return false };
        rest = after_address.trim_start_matches([' ', '!', '{']);
        let Some(command) = rest.chars().next() else { return true };
        match command {
            'p' | 'd' | 'q' | 'Q' | '=' | 'D' | 'P' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'l' => {
                rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                if !rest.is_empty() && !rest.starts_with([';', '\n', '}', ' ']) {
                    return false;
                }
            }
            's' | 'y' => {
                let Some(delimiter) =
                    rest[1..].chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\' && *c != '\n')
                else {
                    return false;
                };
                let Some(body) = skip_delimited(&rest[1 + delimiter.len_utf8()..], delimiter) else {
                    return false;
                };
                let Some(flags) = skip_delimited(body, delimiter) else { return false };
                let end = flags.find([';', '\n', '}', ' ']).unwrap_or(flags.len());
                if !flags[..end].chars().all(|c| "gpiIm".contains(c) || c.is_ascii_digit()) {
                    return false;
                }
                rest = &flags[end..];
            }
            _ => return false,
        }
        rest = rest.trim_start();
    }
    true
}

fn skip_delimited(text: &str, delimiter: char) -> Option<&str> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == delimiter {
            return Some(&text[at + c.len_utf8()..]);
        }
    }
    None
}

fn skip_addresses(mut text: &str) -> Option<&str> {
    loop {
        let first = text.chars().next();
        match first {
            Some('0'..='9' | '$' | '~' | '+') => {
                text = text.trim_start_matches(|c: char| c.is_ascii_digit() || "$~+".contains(c))
            }
            Some('/') => text = skip_delimited(&text[1..], '/')?.trim_start_matches('I'),
            _ => return Some(text),
        }
        match text.strip_prefix(',') {
            Some(rest) => text = rest.trim_start(),
            None => return Some(text),
        }
    }
}

/// Whether an awk call only filters: a literal program without files, pipes and commands.
pub(super) fn is_harmless_awk(words: &[Word]) -> bool {
    let mut at = 1;
    while let Some(text) = words.get(at).and_then(|word| word.text()) {
        match text {
            "-F" | "-v" => at += 2,
            _ if text.starts_with("-F") => at += 1,
            _ if text.starts_with('-') => return false,
            program => {
                let risky = ["system", "getline", "|", ">", "@", "close(", "fflush", "ENVIRON", "PROCINFO"];
                return !risky.iter().any(|word| program.contains(word))
                    && words[at + 1..].iter().all(|word| word.text().is_some());
            }
        }
    }
    false
}
