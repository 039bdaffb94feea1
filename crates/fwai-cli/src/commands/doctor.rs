//! `fwai doctor`: what this machine has for firmware work, and what mends the rest.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{pad, say, understood},
    model,
};
use fwai_app::{
    config,
    doctor::{self, Check, Patient, Status},
};
use serde_json::json;
use std::time::Duration;

/// Look at this machine: toolchains, walls, boards, ports, keys, settings
///
/// Each line is ok, a warning or a problem, with the command that mends it. Exit code 1 when there is a
/// problem. Keys are never printed, and nothing is sent anywhere unless --online is given.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  fwai doctor\n  fwai doctor --online --json")]
pub struct Args {
    /// Also ask the model provider whether it can be reached; spends no tokens
    #[arg(long)]
    online: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let layered = context.config();
    let words = layered.as_ref().err().map(|failure| failure.message().to_owned());
    let patient = Patient {
        paths: &context.paths,
        config: layered.map_err(|_| words.unwrap_or_default()),
        project: config::load_project(&context.paths).ok().flatten().map(|(project, _)| project),
    };
    let mut checks = doctor::examine(&patient);
    if args.online && patient.config.is_ok() {
        checks.push(online(context));
    }
    let worst = checks.iter().map(|check| check.status).max().unwrap_or(Status::Ok);
    if context.json() {
        context.print_json(&json!({"ok": worst != Status::Problem, "checks": checks}));
    }
    for check in &checks {
        print(context, check);
    }
    if worst == Status::Problem { Err(Failure::told(Kind::Failed)) } else { Ok(()) }
}

/// Whether the chosen provider answers.
fn online(context: &Context) -> Check {
    let provider = match model::open_provider(context) {
        Ok(provider) => provider,
        Err(failure) => return Check::problem("provider online", failure.message(), "fwai provider list"),
    };
    let status =
        context.block_on(async { tokio::time::timeout(Duration::from_secs(10), provider.status()).await });
    match status {
        Ok(status) if status.ready => {
            Check::ok("provider online", format!("{} answers: {}", status.name, status.detail))
        }
        Ok(status) => Check::problem(
            "provider online",
            format!("{}: {}", status.name, status.detail),
            "fwai provider status",
        ),
        Err(_) => Check::problem("provider online", "no answer within 10 seconds", "fwai provider status"),
    }
}

fn print(context: &Context, check: &Check) {
    use anstyle::{AnsiColor, Style};
    let (word, color) = match check.status {
        Status::Ok => (say!("doctor-ok"), AnsiColor::Green),
        Status::Warning => (say!("doctor-warning"), AnsiColor::Magenta),
        Status::Problem => (say!("doctor-problem"), AnsiColor::Red),
    };
    if context.flags.quiet && check.status == Status::Ok {
        return;
    }
    let style = Style::new().bold().fg_color(Some(color.into()));
    let (name, detail) = (understood(&check.name), understood(&check.detail));
    let line = say!("doctor-line", name = name, detail = detail);
    context.print(format!("{style}{}{style:#} {line}", pad(&word, 7)));
    if let Some(fix) = &check.fix {
        context.print(format!("          {}{}", say!("doctor-mend"), understood(fix)));
    }
}
