//! `/help`: everything that can be said.

use super::{Conversation, Next, OWN};
use crate::{cli::Cli, context::Context, failure::Failure};
use clap::CommandFactory;

pub fn run(_rest: &str, context: &Context, _conversation: &mut Conversation) -> Result<Next, Failure> {
    let bold = anstyle::Style::new().bold();
    context.print(format_args!("{bold}In this conversation{bold:#}"));
    for slash in OWN {
        context.print(format_args!("  /{:<12} {}", slash.name, slash.help));
    }
    context.print(format_args!("\n{bold}Commands of fwai{bold:#} (with --help for each)"));
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        if !matches!(name, "completions" | "man" | "help") && !OWN.iter().any(|slash| slash.name == name) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            context.print(format_args!("  /{name:<12} {about}"));
        }
    }
    context
        .print("\nAnything else is said to the agent. @path attaches a file, Alt-Enter starts a new line.");
    Ok(Next::Continue)
}
