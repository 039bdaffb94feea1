//! Slash commands: those of the conversation, one file each, and every command of the program, which is
//! parsed and carried out exactly as on the command line.

mod act;
mod agent;
mod agents;
mod compact;
mod cost;
mod export;
mod fork;
mod help;
mod init;
mod mode;
mod model;
mod new;
mod open;
mod plan;
mod program;
mod quit;
mod resume;
mod run;
mod sessions;
mod skills;
mod spoken;
mod todos;
mod undo;

pub use spoken::spoken;

use super::{Next, Repl};
use crate::{
    cli::Cli,
    failure::Failure,
    language::{self, say},
};
use clap::CommandFactory;
use fwai_schema::document::nearest;

/// A command of the conversation.
struct Slash {
    name: &'static str,
    /// What may follow the name.
    words: &'static str,
    help: fn() -> String,
    run: fn(&str, &mut Repl) -> Result<Next, Failure>,
}

/// The one list. Where a command of the program has the same name, this one stands before it.
const OWN: &[Slash] = &[
    Slash { name: "help", words: "[COMMAND]", help: || say!("slash-help"), run: help::run },
    Slash { name: "mode", words: "[plan|ask|auto|yolo]", help: || say!("slash-mode"), run: mode::run },
    Slash { name: "plan", words: "[TASK]", help: || say!("slash-plan"), run: plan::run },
    Slash { name: "act", words: "[TASK]", help: || say!("slash-act"), run: act::run },
    Slash { name: "model", words: "[NAME|list]", help: || say!("slash-model"), run: model::run },
    Slash { name: "todos", words: "", help: || say!("slash-todos"), run: todos::run },
    Slash { name: "agents", words: "", help: || say!("slash-agents"), run: agents::run },
    Slash { name: "agent", words: "NAME TASK", help: || say!("slash-agent"), run: agent::run },
    Slash { name: "skills", words: "", help: || say!("slash-skills"), run: skills::run },
    Slash { name: "run", words: "[SKILL]", help: || say!("slash-run"), run: run::run },
    Slash { name: "open", words: "[N|list]", help: || say!("slash-open"), run: open::run },
    Slash { name: "new", words: "", help: || say!("slash-new"), run: new::run },
    Slash { name: "resume", words: "[SESSION]", help: || say!("slash-resume"), run: resume::run },
    Slash { name: "fork", words: "[TURN]", help: || say!("slash-fork"), run: fork::run },
    Slash { name: "sessions", words: "[...]", help: || say!("slash-sessions"), run: sessions::run },
    Slash { name: "compact", words: "", help: || say!("slash-compact"), run: compact::run },
    Slash { name: "cost", words: "", help: || say!("slash-cost"), run: cost::run },
    Slash { name: "undo", words: "[--to N|--list]", help: || say!("slash-undo"), run: undo::run },
    Slash { name: "export", words: "[FILE.md|...]", help: || say!("slash-export"), run: export::run },
    Slash { name: "init", words: "[...]", help: || say!("slash-init"), run: init::run },
    Slash { name: "quit", words: "", help: || say!("slash-quit"), run: quit::run },
];

/// Commands of the program that make no sense inside a conversation; `sandbox` ends with its command.
const OUTSIDE: &[&str] = &["completions", "man", "help", "exec", "sandbox"];

/// Every name that can follow a slash.
pub fn names() -> Vec<String> {
    let shared = Cli::command();
    let shared = shared.get_subcommands().map(|command| command.get_name());
    let mut all: Vec<String> = OWN
        .iter()
        .map(|slash| slash.name)
        .chain(shared.filter(|name| !OUTSIDE.contains(name)))
        .map(str::to_owned)
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Every name with what it does, in the order of the alphabet.
pub fn list() -> Vec<(String, String)> {
    let own = OWN.iter().map(|slash| (slash.name.to_owned(), (slash.help)()));
    let mut all: Vec<(String, String)> = own.chain(of_program()).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all
}

/// Commands of the program that are not also in [`OWN`].
fn of_program() -> Vec<(String, String)> {
    language::command()
        .get_subcommands()
        .filter(|command| !OUTSIDE.contains(&command.get_name()) && own(command.get_name()).is_none())
        .map(|command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            (command.get_name().to_owned(), about)
        })
        .collect()
}

/// What may follow the name of a command of the conversation.
pub fn words_of(name: &str) -> &'static str {
    own(name).map(|slash| slash.words).unwrap_or_default()
}

fn own(name: &str) -> Option<&'static Slash> {
    OWN.iter().find(|slash| slash.name == name)
}

/// Carries a line after the slash out.
pub fn run(line: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = match name {
        "exit" | "q" => "quit",
        "" | "?" => "help",
        name => name,
    };
    if let Some(slash) = own(name) {
        return (slash.run)(rest.trim(), repl);
    }
    if !names().iter().any(|known| known == name) {
        return Err(unknown(name));
    }
    program::run(name, line, repl)
}

fn unknown(name: &str) -> Failure {
    let all = names();
    // The beginning of a name, or a slip of the finger.
    let begun = all.iter().find(|known| name.len() > 1 && known.starts_with(name)).cloned();
    let told = match begun.or_else(|| nearest(name, all.iter().map(String::as_str))) {
        Some(guess) => say!("repl-unknown-command-guess", name = name, guess = guess),
        None => say!("repl-unknown-command", name = name),
    };
    Failure::usage(told).hint("/help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_every_command_once() {
        let names = names();
        for name in [
            "help", "build", "flash", "monitor", "debug", "memory", "board", "evidence", "audit", "security",
            "policy", "agents", "agent", "skills", "config", "doctor", "provider", "model", "mode", "plan",
            "act", "todos", "sessions", "resume", "fork", "compact", "undo", "diff", "cost", "init",
            "export", "quit",
        ] {
            assert_eq!(names.iter().filter(|known| *known == name).count(), 1, "/{name}");
        }
        for (name, help) in list() {
            assert!(!help.trim().is_empty(), "/{name} says nothing about itself");
        }
        assert!(!names.iter().any(|name| OUTSIDE.contains(&name.as_str()) && name != "help"));
    }

    #[test]
    fn every_command_of_the_program_has_its_group() {
        for (name, _) in of_program() {
            assert!(help::group_of(&name).is_some(), "/{name} stands in no group of /help");
        }
    }
}
