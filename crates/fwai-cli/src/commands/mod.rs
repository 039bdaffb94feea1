//! The one list of commands. Each lives in the file of its name; the doc comment is its help.

mod ask;
mod audit;
mod board;
mod build;
mod completions;
mod config;
mod debug;
mod demo;
mod diff;
mod doctor;
mod evidence;
pub mod exec;
mod export;
mod flash;
pub mod init;
mod man;
mod memory;
mod monitor;
mod policy;
mod provider;
pub mod run;
mod sandbox;
mod sbom;
mod security;
mod sessions;
mod trust;
mod undo;

use crate::{context::Context, failure::Failure};
use clap::Subcommand;

/// Everything that `fwai` can be told to do, in the order of `fwai --help`: beginning, the agent, the firmware, what
/// was done, what may be done, settings.
#[derive(Debug, Subcommand)]
pub enum Command {
    Init(init::Args),
    Doctor(doctor::Args),
    Exec(exec::Args),
    Run(run::Args),
    Ask(ask::Args),
    Demo(demo::Args),
    Build(build::Args),
    Flash(flash::Args),
    Monitor(monitor::Args),
    Debug(debug::Args),
    Memory(memory::Args),
    Board(board::Args),
    Undo(undo::Args),
    Diff(diff::Args),
    Sessions(sessions::Args),
    Evidence(evidence::Args),
    Audit(audit::Args),
    Export(export::Args),
    Sbom(sbom::Args),
    Security(security::Args),
    Policy(policy::Args),
    Sandbox(sandbox::Args),
    Trust(trust::Args),
    Provider(provider::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Carries a command out; without one the interactive session starts.
pub fn run(command: Option<Command>, context: &Context) -> Result<(), Failure> {
    let Some(command) = command else {
        return crate::repl::run(context, None);
    };
    // What a program reads is English, whoever sits before it.
    let _english = crate::language::for_machines(context.json());
    match command {
        Command::Doctor(args) => doctor::run(args, context),
        Command::Exec(args) => exec::run(args, context),
        Command::Run(args) => run::run(args, context),
        Command::Demo(args) => demo::run(args, context),
        Command::Sessions(args) => sessions::run(args, context),
        Command::Build(args) => build::run(args, context),
        Command::Memory(args) => memory::run(args, context),
        Command::Undo(args) => undo::run(args, context),
        Command::Diff(args) => diff::run(args, context),
        Command::Trust(args) => trust::run(args, context),
        Command::Init(args) => init::run(args, context),
        Command::Evidence(args) => evidence::run(args, context),
        Command::Audit(args) => audit::run(args, context),
        Command::Ask(args) => ask::run(args, context),
        Command::Policy(args) => policy::run(args, context),
        Command::Sandbox(args) => sandbox::run(args, context),
        Command::Provider(args) => provider::run(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Security(args) => security::run(args, context),
        Command::Sbom(args) => sbom::run(args, context),
        Command::Flash(args) => flash::run(args, context),
        Command::Monitor(args) => monitor::run(args, context),
        Command::Debug(args) => debug::run(args, context),
        Command::Board(args) => board::run(args, context),
        Command::Config(args) => config::run(args, context),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
