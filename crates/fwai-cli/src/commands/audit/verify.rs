//! `fwai audit verify`: names what is wrong with the evidence, and where.

use crate::{
    context::Context,
    failure::{Failure, Kind},
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
        context.print(format_args!("{red}wrong{red:#} {}: {}", problem.file, problem.what));
    }
    for (runs, word) in [
        (&report.interrupted, "was cut off; the next run completes its record"),
        (&report.pending, "is complete and gets its place in the log with the next run"),
        (&report.live, "is at work"),
    ] {
        for run in runs {
            context.print(format_args!("note: {run} {word}"));
        }
    }
    for note in &report.notes {
        context.print(format_args!("note: {note}"));
    }
    let runs = if report.runs == 1 { "1 run".to_owned() } else { format!("{} runs", report.runs) };
    match &report.log {
        Some(log) => {
            let signer = log.signed_by.as_deref().unwrap_or("no trusted key");
            context.print(format_args!("{runs}, log of {} records, signed by {signer}", log.size));
        }
        None => context.print(format_args!("{runs}, no log")),
    }
    let places: Vec<&str> =
        report.anchors.iter().filter(|a| a.outside && a.ok).map(|anchor| anchor.place.as_str()).collect();
    let places =
        if places.is_empty() { "none yet; see `fwai audit anchor`".to_owned() } else { places.join(", ") };
    context.print(format_args!("{} records since the last outside anchor ({places})", report.unanchored));
    match report.problems.len() {
        0 => context.print(format_args!("{green}verified{green:#}")),
        1 => context.print(format_args!("{red}not verified{red:#}: 1 problem")),
        count => context.print(format_args!("{red}not verified{red:#}: {count} problems")),
    }
}
