//! `fwai completions`: a completion script for a shell.

use crate::{failure::Failure, language};
use clap_complete::Shell;

/// Print a completion script for your shell
///
/// bash: fwai completions bash > ~/.local/share/bash-completion/completions/fwai
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which shell
    shell: Shell,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut language::command(), "fwai", &mut script);
    crate::output::line(String::from_utf8_lossy(&script).trim_end());
    Ok(())
}
