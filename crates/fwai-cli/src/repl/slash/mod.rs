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
mod todos;
mod undo;

use super::{Next, Repl};
use crate::{cli::Cli, failure::Failure};
use clap::CommandFactory;
use fwai_schema::document::nearest;

/// A command of the conversation.
struct Slash {
    name: &'static str,
    /// What may follow the name.
    words: &'static str,
    help: &'static str,
    run: fn(&str, &mut Repl) -> Result<Next, Failure>,
}

/// The one list. Where a command of the program has the same name, this one stands before it.
const OWN: &[Slash] = &[
    Slash { name: "help", words: "[COMMAND]", help: "what can be said here", run: help::run },
    Slash {
        name: "mode",
        words: "[plan|ask|auto|yolo]",
        help: "how much may be done without asking",
        run: mode::run,
    },
    Slash { name: "plan", words: "[TASK]", help: "only read, and write a plan", run: plan::run },
    Slash { name: "act", words: "[TASK]", help: "carry things out", run: act::run },
    Slash { name: "model", words: "[NAME|list]", help: "show or change the model", run: model::run },
    Slash { name: "todos", words: "", help: "what the agent still has to do", run: todos::run },
    Slash { name: "agents", words: "", help: "agents that tasks can be given to", run: agents::run },
    Slash { name: "agent", words: "NAME TASK", help: "give a task to an agent", run: agent::run },
    Slash { name: "skills", words: "", help: "workflows that can be run", run: skills::run },
    Slash { name: "run", words: "[SKILL]", help: "carry out a skill: a workflow of steps", run: run::run },
    Slash { name: "open", words: "[N|list]", help: "the whole output of a call (Ctrl-O)", run: open::run },
    Slash { name: "new", words: "", help: "start a new conversation", run: new::run },
    Slash { name: "resume", words: "[SESSION]", help: "go on with an earlier session", run: resume::run },
    Slash { name: "fork", words: "[TURN]", help: "go on in a copy of this session", run: fork::run },
    Slash { name: "sessions", words: "[…]", help: "earlier sessions of this project", run: sessions::run },
    Slash { name: "compact", words: "", help: "shorten the conversation now", run: compact::run },
    Slash { name: "cost", words: "", help: "tokens and money so far", run: cost::run },
    Slash {
        name: "undo",
        words: "[--to N|--list]",
        help: "take back what the agent changed",
        run: undo::run,
    },
    Slash {
        name: "export",
        words: "[FILE.md|…]",
        help: "the conversation as Markdown, or runs as HTML, CSV, SARIF, JSON",
        run: export::run,
    },
    Slash { name: "init", words: "[…]", help: "set up this project", run: init::run },
    Slash { name: "quit", words: "", help: "leave (Ctrl-D)", run: quit::run },
];

/// Commands of the program that make no sense inside a conversation; `sandbox` ends with its command.
const OUTSIDE: &[&str] = &["completions", "man", "help", "exec", "sandbox"];

/// Every name that can follow a slash.
pub fn names() -> Vec<String> {
    list().into_iter().map(|(name, _)| name).collect()
}

/// Every name with what it does, in the order of the alphabet.
pub fn list() -> Vec<(String, String)> {
    let own = OWN.iter().map(|slash| (slash.name.to_owned(), slash.help.to_owned()));
    let mut all: Vec<(String, String)> = own.chain(of_program()).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all
}

/// Commands of the program that are not also in [`OWN`].
fn of_program() -> Vec<(String, String)> {
    Cli::command()
        .get_subcommands()
        .filter(|command| !OUTSIDE.contains(&command.get_name()) && own(command.get_name()).is_none())
        .map(|command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            (command.get_name().to_owned(), about)
        })
        .collect()
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
    let guess =
        nearest(name, all.iter().map(String::as_str)).map(|guess| format!("; did you mean /{guess}?"));
    Failure::usage(format_args!("there is no /{name}{}", guess.unwrap_or_default())).hint("/help")
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
