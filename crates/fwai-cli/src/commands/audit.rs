//! `fwai audit`: whether the evidence holds, and how others can see that.

mod anchor;
mod claims;
mod key;
mod log;
mod prove;
mod verify;

use crate::{context::Context, failure::Failure};
use clap::Subcommand;
use fwai_app::evidence::{self as setup, EvidenceSetupError};
use fwai_evidence::{
    runs::{RunError, RunStore, find_run},
    verify::Verification,
};

/// Verify evidence, prove runs to others, anchor the log
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai audit verify --all\n  fwai audit prove latest\n  fwai audit anchor --notes\n  fwai audit claims\n  fwai audit key show"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Args),
    Prove(prove::Args),
    Log(log::Args),
    Claims(claims::Args),
    Anchor(anchor::Args),
    Key(key::Args),
    Export(super::export::Args),
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::Verify(args) => verify::run(args, context),
        Command::Prove(args) => prove::run(args, context),
        Command::Log(args) => log::run(args, context),
        Command::Claims(args) => claims::run(args, context),
        Command::Anchor(args) => anchor::run(args, context),
        Command::Key(args) => key::run(args, context),
        Command::Export(args) => super::export::run(args, context),
    }
}

/// The run that `text` names.
pub(super) fn resolve(context: &Context, text: &str) -> Result<String, Failure> {
    let found = find_run(&context.paths.project, text).map_err(Failure::failed)?;
    found.ok_or_else(|| {
        Failure::new(crate::failure::Kind::Usage, format_args!("no run is called `{text}`"))
            .hint("fwai evidence list")
    })
}

pub(super) fn run_store(context: &Context) -> Result<RunStore, Failure> {
    Ok(setup::run_store(&context.paths, &context.config()?.config, None)?)
}

pub(super) fn verification(context: &Context) -> Result<Verification, Failure> {
    Ok(setup::verification(&context.paths, &context.config()?.config)?)
}

impl From<EvidenceSetupError> for Failure {
    fn from(error: EvidenceSetupError) -> Self {
        Failure::usage(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Failure::failed(error)
    }
}
