//! `fwai demo`: the main job from start to end, without a key, a board or a network.
//!
//! A small STM32 project with a real bug is made; the agent finds it, mends it, builds, flashes a virtual
//! board and sees it boot. Every tool runs for real; only the model's words are a recording, unless
//! `--live` asks the user's own model.

mod needs;
mod project;
mod recording;

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    headless::{self, Ended, Viewer},
    language::{self, say, translated},
    render::View,
};
use fwai_app::{
    provider::{self, ProviderError},
    session::Wanted,
};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    message::ContentBlock,
    op::Op,
    permission::Mode,
};
use recording::Recording;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

const TASK: &str = "The firmware builds, but it never says \"boot ok\" on the board. Find out why, mend it with the smallest change, and show that it boots.";

/// Watch the agent find and mend a real bug on a virtual board
///
/// Needs no key, no board and no network. The model's words are a recording; every tool runs for real.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai demo                              the recording, real tools\n  fwai demo --dir ~/fwai-demo            and keep the project there\n  fwai demo --live                       the same task for your own model"
)]
pub struct Args {
    /// Ask your own model instead of playing the recording
    #[arg(long)]
    live: bool,
    /// Where to make the project; a new temporary directory unless given
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    if args.live {
        // Before anything is made: is there a model to ask?
        let layered = context.config()?;
        let choice = provider::choose(&layered.config.provider).map_err(no_model)?;
        provider::make(layered, &context.paths, &choice).map_err(no_model)?;
    }
    needs::check()?;
    let directory = project::make(args.dir.as_deref())?;
    if !args.live {
        tell(context, say!("demo-intro"));
        tell(context, "");
    }
    heading(context, &say!("demo-project"));
    tell(context, directory.display());
    tell(context, say!("demo-bug"));
    tell(context, "");
    heading(context, &say!("demo-task"));
    tell(context, task());
    tell(context, if args.live { say!("demo-live") } else { say!("demo-recorded") });
    tell(context, "");
    let mut flags = context.flags.clone();
    flags.directory = Some(directory.clone());
    // Only a virtual board and a throw-away project are at stake.
    flags.yes = true;
    // The decisions repeat what the model says here; whoever wants both has `exec`.
    let inside = Context::new(flags)?.with_settings(vec!["agent.decision_trace=false".to_owned()]);
    let off = PowerOff(&directory);
    let mut facts = json!({
        "status": "failure", "live": args.live, "project": directory, "run_id": null, "report": null,
        "boots": false, "verified": false,
    });
    let done = work(&inside, args.live, &mut facts).and_then(|()| {
        tell(context, "");
        heading(context, &say!("demo-check"));
        verify(context, &directory, &mut facts)
    });
    drop(off);
    match done {
        Ok(()) => {
            facts["status"] = json!("success");
            if context.json() {
                context.print_json(&facts);
            }
            Ok(())
        }
        Err(failure) => Err(failure.within(context, facts)),
    }
}

fn no_model(error: ProviderError) -> Failure {
    Failure::usage(error)
        .hint("set a key or start Ollama (`fwai provider list`), or run `fwai demo` without --live")
}

/// A line of the story. It is read as a whole, so all of it goes to standard output, or with `--json` none.
fn tell(context: &Context, text: impl std::fmt::Display) {
    match context.json() || context.flags.quiet {
        true => context.note(text),
        false => context.print(text),
    }
}

fn heading(context: &Context, text: &str) {
    let bold = anstyle::Style::new().bold();
    tell(context, format_args!("{bold}== {text}{bold:#}"));
}

/// Shows the turn, and remembers the run that it left.
struct Stage {
    view: View,
    run: Option<String>,
}

impl Viewer for Stage {
    fn show(&mut self, event: &Event) {
        if let EventBody::EvidenceWritten { run_id, .. } = &event.body {
            self.run = Some(run_id.clone());
        }
        self.view.show(event);
    }

    fn pause(&mut self) {
        self.view.pause();
    }

    fn tick(&mut self) {
        self.view.tick();
    }
}

fn work(context: &Context, live: bool, facts: &mut Value) -> Result<(), Failure> {
    let _inside = context.runtime().enter();
    let wanted = Wanted { mode: Some(Mode::Auto), person: true, ..Wanted::default() };
    let assembled = match live {
        true => door::open(context, wanted)?,
        false => door::open_with(context, wanted, Arc::new(Recording::new()))?,
    };
    let mut stage = Stage { view: View::new(context).on_one_stream(context), run: None };
    let op = Op::UserInput { content: vec![ContentBlock::text(task())] };
    let ended = context.block_on(headless::drive(context, assembled.started, op, None, &mut stage));
    facts["run_id"] = json!(stage.run);
    outcome(context, ended, live)
}

/// The task in the user's language; the model answers in it.
fn task() -> String {
    translated!("recorded-task").unwrap_or_else(|| TASK.to_owned())
}

fn outcome(context: &Context, ended: Ended, live: bool) -> Result<(), Failure> {
    let project = context.paths.project.display();
    if ended.cause.is_some() || ended.stop == TurnStop::Interrupted {
        return Err(Failure::new(Kind::Interrupted, "interrupted")
            .hint(format_args!("what was done so far is on record in {project}: fwai evidence list")));
    }
    if ended.stop == TurnStop::EndTurn {
        return Ok(());
    }
    let why = match ended.error {
        Some((message, _)) => message.trim_start_matches("replay: ").to_owned(),
        None => {
            let stop =
                serde_json::to_value(&ended.stop).ok().and_then(|stop| stop.as_str().map(str::to_owned));
            format!("the agent did not finish: {}", stop.unwrap_or_default())
        }
    };
    // A model may stop early; what it left on the board decides, not its words.
    if live {
        context.warn(&why);
        return Ok(());
    }
    Err(Failure::failed(why)
        .hint(format_args!("`fwai doctor` says what this machine lacks; the project is {project}")))
}

/// The program itself, in the demo's project.
fn fwai(directory: &Path, arguments: &[&str]) -> Result<(bool, String), Failure> {
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let output = Command::new(program)
        .args(arguments)
        .args(["--lang", language::tag()])
        .arg("-C")
        .arg(directory)
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::failed)?;
    let text = String::from_utf8_lossy(if output.status.success() { &output.stdout } else { &output.stderr });
    Ok((output.status.success(), text.trim_end().to_owned()))
}

fn verify(context: &Context, directory: &Path, facts: &mut Value) -> Result<(), Failure> {
    let (diff_ok, diff) = fwai(directory, &["diff"])?;
    if diff_ok && !diff.is_empty() {
        tell(context, say!("demo-change"));
        tell(context, super::diff::coloured(&diff));
        tell(context, "");
    }
    // Not the model's word for it: the board itself is asked.
    let (boots, _) = fwai(directory, &["monitor", "--until", "boot ok", "--for", "5s"])?;
    let (verified, said) = fwai(directory, &["audit", "verify", "--all"])?;
    tell(context, &said);
    (facts["boots"], facts["verified"]) = (json!(boots), json!(verified));
    if !verified {
        return Err(Failure::failed("the evidence does not verify"));
    }
    if !boots {
        let message = "the board does not say \"boot ok\": the bug is still there";
        return Err(Failure::failed(message).hint(format_args!("cd {} && fwai", directory.display())));
    }
    let report = directory.join("report.html");
    let target = report.display().to_string();
    let (exported, why) = fwai(directory, &["export", "turn", "--format", "html", "--output", &target])?;
    if !exported {
        return Err(Failure::failed(why));
    }
    facts["report"] = json!(target);
    tell(context, "");
    context.print(say!("demo-done"));
    context.print(say!("demo-places", report = target, project = directory.display()));
    tell(context, say!("demo-look-around"));
    Ok(())
}

/// The virtual board must not outlive the demo.
struct PowerOff<'a>(&'a Path);

impl Drop for PowerOff<'_> {
    fn drop(&mut self) {
        let _ = fwai(self.0, &["board", "power", "off"]);
    }
}
