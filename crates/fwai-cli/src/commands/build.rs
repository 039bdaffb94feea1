//! `fwai build`: the project's build, understood and recorded.

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    language::say,
};
use fwai_app::{
    build_run::{BuildRun, BuildRunError, RecordedBuild},
    walls,
};
use fwai_firmware::{
    build::{BuildEvent, Detail, Diagnostic, Severity},
    launch::{CancellationToken, LaunchError},
};
use fwai_schema::{evidence::RunStatus, permission::Mode};
use serde_json::json;
use std::io::{IsTerminal, Write};

/// Build the firmware; say what is wrong, likely causes first, and what was made
///
/// Runs the build command of .fwai/project.yaml, or what the project's files suggest, inside the sandbox.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai build\n  fwai build --clean\n  fwai build --json | jq '.diagnostics[0]'\n  fwai build --command 'make DEBUG=1'"
)]
pub struct Args {
    /// Run this shell command instead of the project's
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Run the project's clean command first
    #[arg(long)]
    clean: bool,
    /// Let the build reach the network (package managers)
    #[arg(long)]
    allow_network: bool,
    /// Show the build's own output as it comes
    #[arg(long)]
    output: bool,
}

/// Complaints shown to people; the record has all.
const MOST_SHOWN: usize = 30;

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let layered = context.config()?;
    let project = door::project(context)?;
    let (launchers, _) = walls::launchers(&context.paths, &layered.config);
    let work = BuildRun {
        paths: &context.paths,
        config: &layered.config,
        project: &project,
        launcher: launchers.for_call(Mode::Auto, &[]),
        command: args.command,
        clean: args.clean,
        network: args.allow_network,
    };
    if let Some(command) = work.command() {
        context.note(say!("build-command", command = command));
    }
    let mut progress = ProgressLine::new(context, args.output);
    let cancel = CancellationToken::new();
    let recorded = context.block_on(async {
        let stop = cancel.clone();
        let watch = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                stop.cancel();
            }
        });
        let recorded = work.run(&mut |event| progress.show(event), &cancel).await;
        watch.abort();
        recorded
    });
    progress.clear();
    let recorded = recorded.map_err(failure)?;
    show(context, &recorded);
    match recorded.status {
        RunStatus::Success => Ok(()),
        RunStatus::Timeout => Err(Failure::told(Kind::Watchdog)),
        RunStatus::Interrupted => Err(Failure::told(Kind::Interrupted)),
        _ => Err(Failure::told(Kind::Failed)),
    }
}

fn failure(error: BuildRunError) -> Failure {
    match error {
        BuildRunError::NoCommand => {
            Failure::usage(error).hint("run `fwai init`, or set build.command in .fwai/project.yaml")
        }
        BuildRunError::Launch(LaunchError::Refused(_)) => Failure::new(Kind::Denied, error),
        BuildRunError::Setup(_) => Failure::usage(error),
        other => Failure::failed(other),
    }
}

fn show(context: &Context, recorded: &RecordedBuild) {
    let outcome = &recorded.outcome;
    let milliseconds = u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX);
    if context.json() {
        context.print_json(&json!({
            "run_id": recorded.run_id,
            "status": recorded.status,
            "command": recorded.command,
            "exit_code": outcome.exit.code,
            "diagnostics": outcome.diagnostics,
            "new_warnings": outcome.warnings().filter(|warning| warning.new).count(),
            "artifacts": outcome.artifacts,
            "up_to_date": outcome.up_to_date,
            "duration_ms": milliseconds,
            "log_file": recorded.log_file,
        }));
        return;
    }
    let worth_showing = |diagnostic: &&Diagnostic| diagnostic.detail != Some(Detail::FollowUp);
    for diagnostic in outcome.diagnostics.iter().filter(worth_showing).take(MOST_SHOWN) {
        context.print(complaint(diagnostic));
    }
    let hidden = outcome.diagnostics.iter().filter(worth_showing).count().saturating_sub(MOST_SHOWN);
    if hidden > 0 {
        context.print(say!("build-more", count = hidden, file = recorded.log_file));
    }
    for artifact in &outcome.artifacts {
        let id = artifact.build_id.as_deref().map(|id| format!("  build-id {}", &id[..id.len().min(16)]));
        context.print(format_args!(
            "{:4} {}  {}{}",
            artifact.kind,
            artifact.path,
            say!("bytes", count = artifact.size),
            id.unwrap_or_default()
        ));
    }
    let (errors, warnings) = (outcome.errors().filter(worth_showing).count(), outcome.warnings().count());
    let new = outcome.warnings().filter(|warning| warning.new).count();
    let verdict = match (recorded.status, outcome.up_to_date) {
        (RunStatus::Success, true) => say!("build-up-to-date"),
        (RunStatus::Success, false) => say!("build-done"),
        (RunStatus::Timeout, _) => say!("build-time-limit"),
        (RunStatus::Interrupted, _) => say!("build-cancelled"),
        _ => say!("build-failed"),
    };
    let seconds = format!("{:.1}", outcome.duration.as_secs_f64());
    let fresh = if new > 0 { say!("build-new-warnings", count = new) } else { String::new() };
    context.print(say!(
        "build-summary",
        verdict = verdict,
        seconds = seconds,
        errors = errors,
        warnings = warnings,
        fresh = fresh,
        run = recorded.run_id,
    ));
}

/// A complaint in the colours of its severity, with its notes and what is known about it.
fn complaint(diagnostic: &Diagnostic) -> String {
    use anstyle::AnsiColor::{Cyan, Magenta, Red};
    let colour = match diagnostic.severity {
        Severity::Error => Red,
        Severity::Warning => Magenta,
        Severity::Note => Cyan,
    };
    let style = anstyle::Style::new().fg_color(Some(colour.into()));
    let mut text = format!("{style}{}{style:#}", diagnostic.one_line());
    if diagnostic.new {
        text.push_str(&format!("  {}", say!("build-new")));
    }
    if let Some(Detail::UndefinedReference { users, .. }) = &diagnostic.detail {
        for user in users.iter().take(5) {
            let place = user.file.as_deref().or(user.object.as_deref()).unwrap_or("?");
            let line = user.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = format!("{place}{line}");
            let used = match user.function.as_deref() {
                Some(function) => say!("build-used-in", place = place, function = function),
                None => say!("build-used-at", place = place),
            };
            text.push_str(&format!("\n    {used}"));
        }
    }
    for note in diagnostic.notes.iter().take(4) {
        let place = note.file.as_deref().map(|file| format!("{file}:{}: ", note.line.unwrap_or(0)));
        text.push_str(&format!("\n    {}{}", place.unwrap_or_default(), note.message));
    }
    text
}

/// One line on a terminal that says how far the build is.
struct ProgressLine {
    live: bool,
    output: bool,
    drawn: bool,
}

impl ProgressLine {
    fn new(context: &Context, output: bool) -> Self {
        let live = !output && !context.flags.quiet && !context.json() && std::io::stderr().is_terminal();
        Self { live, output, drawn: false }
    }

    fn show(&mut self, event: BuildEvent<'_>) {
        let mut err = std::io::stderr().lock();
        // A terminal that went away does not stop a build.
        let _ = match event {
            BuildEvent::Output(chunk) if self.output => err.write_all(chunk),
            BuildEvent::Progress(progress) if self.live => {
                self.drawn = true;
                let total = progress.total.map(|total| format!("/{total}")).unwrap_or_default();
                let text: String = progress.text.chars().filter(|c| !c.is_control()).take(60).collect();
                if crate::busy::is_on() {
                    self.drawn = false;
                    crate::busy::progress(&format!("[{}{total}] {text}", progress.done));
                    return;
                }
                write!(err, "\r\x1b[K[{}{total}] {text}", progress.done)
            }
            _ => Ok(()),
        };
        let _ = err.flush();
    }

    fn clear(&mut self) {
        if self.drawn {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
