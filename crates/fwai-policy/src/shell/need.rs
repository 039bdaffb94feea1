//! How much of a shell a line needs: none at all, or one whose directory nobody need ask for afterwards.
//!
//! Starting bash costs more than most programs that it is asked to start. Both answers err to the side of
//! the shell.

use super::{
    parse::{Script, parse},
    word::{Simple, Word},
};

/// Bash's own commands and reserved words, but for those of [`is_same_as_program`].
const BASHS_OWN: &str = "! . : [ [[ ]] alias bg bind break builtin caller case cd command compgen complete compopt \
    continue coproc declare dirs disown do done elif else enable esac eval exec exit export fc fg fi \
    for function getopts hash help history if in jobs kill let local logout mapfile popd printf \
    pushd pwd read readarray readonly return select set shift shopt source suspend test then time \
    times trap type typeset ulimit umask unalias unset until wait while {";

/// After these a shell may find itself elsewhere, or do what no reader of the line can see.
const MOVES: &str = "cd pushd popd eval source . builtin command trap enable";

/// Program and arguments of a line that a shell would only take apart: one program of the system, every word
/// known, nothing to expand, redirect or wait for.
pub fn without_shell(line: &str) -> Option<Vec<String>> {
    // These a shell may read in ways of its own.
    if line.contains(['$', '`', '~', '\n', '\r', '\0']) {
        return None;
    }
    let Script { commands, functions, problems } = parse(line);
    let [Simple { text, assignments, words, redirects, .. }] = &commands[..] else { return None };
    let alone = problems.is_empty() && functions.is_empty() && assignments.is_empty() && redirects.is_empty();
    // Whatever stands beside the one command, a `&` or a `!`, is not in its text.
    if !alone || text != line.trim_matches([' ', '\t']) {
        return None;
    }
    let words = words.iter().map(|word| word.plain().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    let (program, arguments) = words.split_first()?;
    let is_program = !program.is_empty() && !is_one_of(BASHS_OWN, program);
    (is_program && is_same_as_program(program, arguments)).then_some(words)
}

fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// Bash's `echo`, `true` and `false` do what the programs of these names do, but for their help.
fn is_same_as_program(name: &str, arguments: &[String]) -> bool {
    match name {
        "echo" => !arguments.first().is_some_and(|word| word.starts_with("--")),
        "true" | "false" => arguments.is_empty(),
        _ => true,
    }
}

/// Whether a shell that runs the line surely ends in the directory in which it began.
pub fn keeps_directory(line: &str) -> bool {
    let script = parse(line);
    let stays = |command: &Simple| match command.words.first().map(Word::plain) {
        None => true,
        Some(None) => false,
        Some(Some(name)) => !is_one_of(MOVES, name),
    };
    script.problems.is_empty() && script.commands.iter().all(stays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn one_program_with_known_words_needs_no_shell() {
        let words = |line| without_shell(line).map(|words| words.join("|"));
        assert_eq!(words("ls -la src").as_deref(), Some("ls|-la|src"));
        assert_eq!(words(" grep -n 'a b' \"c d\" e\\ f ").as_deref(), Some("grep|-n|a b|c d|e f"));
        assert_eq!(words("./build.sh --fast=1").as_deref(), Some("./build.sh|--fast=1"));
        assert_eq!(words("echo step-''1").as_deref(), Some("echo|step-1"));
    }

    #[test]
    fn everything_that_a_shell_does_is_left_to_it() {
        let lines = r#"'' ¦ ls *.c ¦ ls ? ¦ ls [ab] ¦ ls {a,b} ¦ ls ~ ¦ make p=~/x ¦ echo $HOME ¦ echo `id`
            ¦ a=1 ¦ a=1 ls ¦ ls > x ¦ ls 2>&1 ¦ ls < x ¦ ls | wc ¦ ls && pwd ¦ ls; pwd ¦ ls; ¦ ls &
            ¦ ! ls ¦ (ls) ¦ { ls; } ¦ time ls ¦ ls # all ¦ if true; then ls; fi ¦ f() { ls; } ¦ cd src
            ¦ pwd ¦ exit 3 ¦ test -f x ¦ [ -f x ] ¦ [[ -f x ]] ¦ printf x ¦ source x ¦ . x ¦ exec ls
            ¦ kill 1 ¦ echo --help ¦ true --version ¦ ls 'x ¦ ls "x ¦ ls \ ¦ echo $'a' ¦ echo "$a"
            ¦ type ls ¦ wait ¦ "cd" src ¦ c\d src ¦ coproc ls ¦ for x in a; do ls; done"#;
        for line in lines.split('¦').map(str::trim).chain(["", " ", "ls\npwd", "echo !!\r"]) {
            assert_eq!(without_shell(line), None, "{line:?}");
        }
    }

    #[test]
    fn only_what_moves_the_shell_is_asked_where_it_is() {
        for line in
            ["ls", "make -j4 2>&1 | tail -5", "a=1; echo $a", "exit 3", "for f in *.c; do cat $f; done", ""]
        {
            assert!(keeps_directory(line), "{line:?}");
        }
        for line in [
            "cd src",
            "make && cd src",
            "x=cd; $x src",
            "eval cd src",
            "pushd src",
            "f() { cd src; }; f",
            "'cd' src",
            "command cd src",
            "builtin cd src",
            "if true; then cd src; fi",
            ". ./env.sh",
            "source env.sh",
            "trap 'cd src' EXIT",
            "c\"d\" src",
            "ls 'open",
            "`echo cd` src",
        ] {
            assert!(!keeps_directory(line), "{line:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// What is taken apart here, bash takes apart in the same way.
        #[test]
        fn bash_reads_the_same_words(line in r#"[ab'" \\=:#%^,.+@{}\[\]!-]{0,12}"#) {
            let line = format!("/usr/bin/printf '%s\\0' x {line}");
            if let Some(words) = without_shell(&line) {
                let said = Command::new("bash").args(["-c", &line]).output().unwrap();
                let said = String::from_utf8(said.stdout).unwrap();
                let of_bash: Vec<&str> = said.split_terminator('\0').collect();
                prop_assert_eq!(&of_bash[..], &words[2..]);
            }
        }
    }
}
