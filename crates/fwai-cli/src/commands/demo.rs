//! `fwai demo`: the main job from start to end, without a key, a board or a network.
//!
//! A small STM32 project with a real bug is made; the agent finds it, mends it, builds, flashes a virtual
//! board and sees it boot. Every tool runs for real; only the model's words are a recording, unless
//! `--live` asks the user's own model.

mod project;
mod recording;

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    language::{self, say, translated},
    render::{BEAT, View},
};
use futures_util::StreamExt;
use fwai_agent::session::Started;
use fwai_app::{
    provider::{self, ProviderError},
    session::Wanted,
};
use fwai_schema::{
    event::{EventBody, TurnStop},
    op::{Op, PermissionReply},
    permission::Mode,
};
use recording::Recording;
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
    let directory = project::make(args.dir.as_deref())?;
    if !args.live {
        context.note(say!("demo-intro"));
        context.note("");
    }
    heading(context, &say!("demo-project"));
    context.note(format_args!("{}", directory.display()));
    context.note(say!("demo-bug"));
    context.note("");
    heading(context, &say!("demo-task"));
    context.note(task());
    context.note(match args.live {
        true => say!("demo-live"),
        false => say!("demo-recorded"),
    });
    context.note("");
    let mut flags = context.flags.clone();
    flags.directory = Some(directory.clone());
    // The decisions repeat what the model says here; whoever wants both has `exec`.
    let inside = Context::new(flags)?.with_settings(vec!["agent.decision_trace=false".to_owned()]);
    let off = PowerOff(&directory);
    work(&inside, args.live)?;
    context.note("");
    heading(context, &say!("demo-check"));
    verify(context, &directory)?;
    drop(off);
    Ok(())
}

fn no_model(error: ProviderError) -> Failure {
    Failure::usage(error)
        .hint("set a key or start Ollama (`fwai provider list`), or run `fwai demo` without --live")
}

fn heading(context: &Context, text: &str) {
    let bold = anstyle::Style::new().bold();
    context.note(format_args!("{bold}== {text}{bold:#}"));
}

fn work(context: &Context, live: bool) -> Result<(), Failure> {
    let _inside = context.runtime().enter();
    let wanted = Wanted { mode: Some(Mode::Auto), person: true, ..Wanted::default() };
    let assembled = match live {
        true => door::open(context, wanted)?,
        false => door::open_with(context, wanted, Arc::new(Recording::new()))?,
    };
    let stop = context.block_on(drive(context, assembled.started))?;
    match stop {
        TurnStop::EndTurn => Ok(()),
        // A model may stop early; what it left on the board decides, not its words.
        other if live => {
            context.warn(format_args!("the agent did not finish: {other:?}"));
            Ok(())
        }
        other => Err(Failure::failed(format_args!("the agent did not finish: {other:?}"))),
    }
}

/// The task in the user's language; the model answers in it.
fn task() -> String {
    translated!("recorded-task").unwrap_or_else(|| TASK.to_owned())
}

async fn drive(context: &Context, started: Started) -> Result<TurnStop, Failure> {
    let Started { handle, mut events, driver, .. } = started;
    let driver = tokio::spawn(driver);
    handle.say(task());
    let mut view = View::new(context);
    let mut beat = tokio::time::interval(BEAT);
    let mut stop = TurnStop::Error;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            _ = beat.tick() => {
                view.tick();
                continue;
            }
            _ = tokio::signal::ctrl_c() => {
                return Err(Failure::new(Kind::Interrupted, "interrupted"));
            }
        };
        let Some(event) = event else { break };
        view.show(&event);
        match &event.body {
            // Only a virtual board and a throw-away project are at stake.
            EventBody::PermissionRequest { id, .. } => {
                handle.send(Op::PermissionReply { id: id.clone(), reply: PermissionReply::Once, note: None });
            }
            EventBody::Error { message, .. } => context.warn(message),
            EventBody::TurnEnded { stop_reason, .. } => {
                stop = stop_reason.clone();
                break;
            }
            _ => {}
        }
    }
    view.pause();
    handle.send(Op::Shutdown);
    let _ = driver.await;
    Ok(stop)
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

fn verify(context: &Context, directory: &Path) -> Result<(), Failure> {
    let (diff_ok, diff) = fwai(directory, &["diff"])?;
    if diff_ok && !diff.is_empty() {
        context.note(say!("demo-change"));
        context.note(super::diff::coloured(&diff));
        context.note("");
    }
    // Not the model's word for it: the board itself is asked.
    let (boots, _) = fwai(directory, &["monitor", "--until", "boot ok", "--for", "5s"])?;
    let (verified, said) = fwai(directory, &["audit", "verify", "--all"])?;
    context.note(&said);
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
    context.note("");
    context.print(say!("demo-done"));
    context.print(say!("demo-places", report = target, project = directory.display()));
    context.print(say!("demo-look-around"));
    Ok(())
}

/// The virtual board must not outlive the demo.
struct PowerOff<'a>(&'a Path);

impl Drop for PowerOff<'_> {
    fn drop(&mut self) {
        let _ = fwai(self.0, &["board", "power", "off"]);
    }
}
