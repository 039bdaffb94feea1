//! Slash commands: those of the conversation, one file each, and every command of the program, which is
//! parsed and carried out exactly as on the command line.

mod act;
mod agent;
mod agents;
mod compact;
mod cost;
mod fork;
mod help;
mod mode;
mod model;
mod plan;
mod quit;
mod resume;
mod skills;
mod todos;

use super::{Next, conversation::Conversation};
use crate::{cli::Cli, commands, context::Context, failure::Failure};
use clap::{CommandFactory, Parser};
use fwai_schema::document::nearest;

/// A command of the conversation.
struct Slash {
    name: &'static str,
    help: &'static str,
    run: fn(&str, &Context, &mut Conversation) -> Result<Next, Failure>,
}

/// The one list.
const OWN: &[Slash] = &[
    Slash { name: "help", help: "what can be said here", run: help::run },
    Slash {
        name: "mode",
        help: "how much may be done without asking: plan, ask, auto, yolo",
        run: mode::run,
    },
    Slash { name: "plan", help: "only read, and write a plan", run: plan::run },
    Slash { name: "act", help: "carry things out", run: act::run },
    Slash { name: "model", help: "the model of this conversation", run: model::run },
    Slash { name: "todos", help: "what the agent still has to do", run: todos::run },
    Slash { name: "agents", help: "agents that tasks can be given to", run: agents::run },
    Slash { name: "agent", help: "give a task to an agent: /agent NAME TASK", run: agent::run },
    Slash { name: "skills", help: "workflows that can be run", run: skills::run },
    Slash { name: "resume", help: "go on with an earlier session", run: resume::run },
    Slash { name: "fork", help: "go on in a copy of this session", run: fork::run },
    Slash { name: "compact", help: "shorten the conversation now", run: compact::run },
    Slash { name: "cost", help: "tokens and money so far", run: cost::run },
    Slash { name: "quit", help: "leave", run: quit::run },
];

/// Every name that can follow a slash.
pub fn names() -> Vec<String> {
    let own = OWN.iter().map(|slash| slash.name.to_owned());
    let shared =
        Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
    let mut all: Vec<String> =
        own.chain(shared).filter(|name| !matches!(name.as_str(), "completions" | "man")).collect();
    all.sort();
    all.dedup();
    all
}

/// Carries a line after the slash out.
pub fn run(line: &str, context: &Context, conversation: &mut Conversation) -> Result<Next, Failure> {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = if matches!(name, "exit" | "q") { "quit" } else { name };
    if let Some(slash) = OWN.iter().find(|slash| slash.name == name) {
        return (slash.run)(rest.trim(), context, conversation);
    }
    if !names().iter().any(|known| known == name) {
        let all = names();
        let guess =
            nearest(name, all.iter().map(String::as_str)).map(|guess| format!("; did you mean /{guess}?"));
        return Err(
            Failure::usage(format_args!("there is no /{name}{}", guess.unwrap_or_default())).hint("/help")
        );
    }
    let words = shlex::split(line).ok_or_else(|| Failure::usage("a quote is not closed"))?;
    match Cli::try_parse_from(std::iter::once("fwai".to_owned()).chain(words)) {
        Ok(cli) => {
            let inside = context.with_flags(cli.global);
            commands::run(cli.command, &inside).map(|()| Next::Continue)
        }
        Err(error) if !error.use_stderr() => {
            context.note(error.render().ansi());
            Ok(Next::Continue)
        }
        Err(error) => {
            Err(Failure::usage(error.render().to_string().trim_start_matches("error: ").trim_end()))
        }
    }
}
