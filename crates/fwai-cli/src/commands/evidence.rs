//! `fwai evidence`: the records of what was done here.

mod diff;
mod list;
mod open;
mod show;

use crate::{
    context::Context,
    failure::Failure,
    language::{pad, say},
};
use clap::Subcommand;
use fwai_evidence::runs::load_evidence;
use fwai_schema::evidence::{Evidence, RunStatus};

/// List, show and compare the records of runs
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai evidence list\n  fwai evidence show latest\n  fwai evidence show build --log build.log\n  fwai evidence diff 20260228-161234-build latest"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Diff(diff::Args),
    Open(open::Args),
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::List(args) => list::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Diff(args) => diff::run(args, context),
        Command::Open(args) => open::run(args, context),
    }
}

fn load(context: &Context, text: &str) -> Result<Evidence, Failure> {
    let run_id = super::audit::resolve(context, text)?;
    load_evidence(&context.paths.project, &run_id).map_err(Failure::failed)
}

/// A status in its colour, as a column.
fn status_word(status: RunStatus) -> String {
    in_colour(status, &pad(&plain_status(status), 11))
}

fn in_colour(status: RunStatus, word: &str) -> String {
    use anstyle::AnsiColor::{Cyan, Green, Red, Yellow};
    let colour = match status {
        RunStatus::Success => Green,
        RunStatus::Failure | RunStatus::Denied => Red,
        RunStatus::Running => Cyan,
        RunStatus::Interrupted | RunStatus::Timeout => Yellow,
    };
    let style = anstyle::Style::new().fg_color(Some(colour.into()));
    format!("{style}{word}{style:#}")
}

fn plain_status(status: RunStatus) -> String {
    match status {
        RunStatus::Success => say!("status-success"),
        RunStatus::Failure => say!("status-failure"),
        RunStatus::Running => say!("status-running"),
        RunStatus::Interrupted => say!("status-interrupted"),
        RunStatus::Denied => say!("status-denied"),
        RunStatus::Timeout => say!("status-timeout"),
    }
}

/// `2.3 s`, `140 ms`.
fn duration(ms: u64) -> String {
    if ms >= 1000 { format!("{:.1} s", ms as f64 / 1000.0) } else { format!("{ms} ms") }
}
