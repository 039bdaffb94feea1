//! The program `fwai`: arguments in, exit code out.
//!
//! [`cli`] holds the flags, [`commands`] one file for each command and the one list of them,
//! [`context`] what every command is given, [`failure`] how errors become exit codes, [`language`] what is
//! said to people.

#![forbid(unsafe_code)]

mod busy;
mod cli;
mod commands;
mod context;
mod door;
mod duration;
mod failure;
mod headless;
mod interrupts;
mod language;
mod lifeline;
mod logging;
mod model;
mod output;
mod raw_terminal;
mod render;
mod repl;
mod terminal_mode;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    if fwai_tools::sandbox::ready::serve_as_keeper() {
        return ExitCode::SUCCESS;
    }
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return language::report(error),
    };
    if let Some(parent) = cli.global.lifeline {
        lifeline::watch(parent);
    }
    let context = match context::Context::new(cli.global) {
        Ok(context) => context,
        Err(failure) => return failure.report(false),
    };
    let _english = language::for_machines(context.json());
    match commands::run(cli.command, &context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(context.json()),
    }
}
