//! `/run`: a skill in this conversation, so that it can be talked about afterwards.

use super::{Next, Repl, program};
use crate::{
    cli::Cli,
    commands::{self, Command},
    failure::Failure,
};
use clap::Parser;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let line = format!("run {rest}");
    let words = shlex::split(&line).ok_or_else(|| Failure::usage("a quote is not closed"))?;
    let parsed = Cli::try_parse_from(std::iter::once("fwai".to_owned()).chain(words));
    if let Ok(Cli { command: Some(Command::Run(args)), global }) = parsed
        && !global.json
        && let Some((skill, inputs)) = commands::run::for_session(&args, &repl.context)?
    {
        commands::run::in_session(repl, &skill, inputs)?;
        return Ok(Next::Continue);
    }
    program::run("run", line.trim_end(), repl)
}
