//! `fwai evidence list`: the runs of this project, newest first.

use super::{duration, status_word};
use crate::{context::Context, failure::Failure, language::say, render::clean::clean_line};
use fwai_evidence::runs::list_runs;
use serde_json::json;

/// List runs, newest first
#[derive(Debug, clap::Args)]
pub struct Args {
    /// At most so many
    #[arg(short = 'n', long, value_name = "COUNT")]
    count: Option<usize>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let mut runs = list_runs(&context.paths.project).map_err(Failure::failed)?;
    runs.truncate(args.count.unwrap_or(usize::MAX));
    if context.json() {
        context.print_json(&json!({"runs": runs}));
        return Ok(());
    }
    if runs.is_empty() {
        context.note(say!("evidence-none"));
    }
    let width = runs.iter().map(|run| run.run_id.len()).max().unwrap_or(0);
    for run in runs {
        let about = clean_line(&run.problem.unwrap_or(run.skill));
        context.print(format_args!(
            "{:width$}  {} {:>9}  {about}",
            run.run_id,
            status_word(run.status),
            duration(run.duration_ms)
        ));
    }
    Ok(())
}
