//! `fwai audit verify`: names what is wrong with the evidence, and where.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
    render::clean::clean_line,
};
use fwai_evidence::verify::{Report, verify_all, verify_run};

/// Check runs, signatures, log and anchors
///
/// Every file of every run is compared with its signed statement, every statement with the Merkle log, the log
/// with every checkpoint that was kept elsewhere. Exit code 0 only if all of it holds.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Run id, its beginning, a label such as `build`, or `latest`; without it everything
    run: Option<String>,
    /// Everything, which is also what happens without a run
    #[arg(long, conflicts_with = "run")]
    all: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let what = super::verification(context)?;
    let report = match &args.run {
        // A run whose directory is gone has no id to find; the log may still know it.
        Some(text) => verify_run(&what, &super::resolve(context, text).unwrap_or_else(|_| text.clone())),
        None => verify_all(&what),
    };
    if context.json() {
        context.print_json(&report);
    } else {
        tell(&report, context);
    }
    if report.ok { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
}

fn tell(report: &Report, context: &Context) {
    let red = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
    let green = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Green.into()));
    for problem in &report.problems {
        // Names of files and runs may be anybody's.
        let (file, what) = (clean_line(&problem.file), understood(&clean_line(&problem.what)));
        let line = say!("audit-problem", file = file, what = what);
        context.print(format_args!("{red}{}{red:#} {line}", say!("audit-wrong")));
    }
    for run in &report.interrupted {
        context.print(say!("audit-cut-off", run = run));
    }
    for run in &report.pending {
        context.print(say!("audit-pending", run = run));
    }
    for run in &report.live {
        context.print(say!("audit-at-work", run = run));
    }
    for note in &report.notes {
        context.print(say!("audit-note", note = understood(&clean_line(note))));
    }
    match &report.log {
        Some(log) => {
            let signer = log.signed_by.clone().unwrap_or_else(|| say!("audit-no-signer"));
            context.print(say!("audit-runs", runs = report.runs, records = log.size, signer = signer));
        }
        None => context.print(say!("audit-runs-no-log", runs = report.runs)),
    }
    let places: Vec<String> =
        report.anchors.iter().filter(|a| a.outside && a.ok).map(|anchor| understood(&anchor.place)).collect();
    let places = if places.is_empty() { say!("audit-no-anchor") } else { places.join(", ") };
    context.print(say!("audit-unanchored", count = report.unanchored, places = places));
    match report.problems.len() {
        0 => context.print(format_args!("{green}{}{green:#}", say!("audit-verified"))),
        count => {
            let problems = say!("audit-problems", count = count);
            context.print(format_args!("{red}{}{red:#}{problems}", say!("audit-not-verified")));
        }
    }
}
