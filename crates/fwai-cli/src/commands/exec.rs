//! `fwai exec`: one task without a conversation, for scripts and CI.

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    headless::{self, Cause, Ended, Viewer},
    language::say,
    render::View,
};
use clap::ValueEnum;
use fwai_agent::{arguments, fence};
use fwai_app::{ci, session::Wanted};
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    message::ContentBlock,
    op::Op,
    permission::Mode,
};
use serde_json::Value;
use std::{
    io::{IsTerminal, Read},
    path::PathBuf,
    time::Duration,
};

const STDIN_LIMIT: u64 = 1 << 20;
/// How long a pipe may stay silent beside a task that was given in words.
const FIRST_BYTE: Duration = Duration::from_secs(2);

/// Give the agent one task and wait for the end
///
/// Text from standard input is given to the model as material. With --json one event per line goes to
/// standard output; the last one is turn_ended.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai exec \"why does it fault on boot?\"\n  make 2>&1 | fwai exec \"explain the first error\"\n  fwai exec --mode plan \"how would you add a watchdog?\"\n  fwai exec --resume last \"go on\"\n  fwai exec --json --max-turns 20 \"fix the build\" > events.jsonl"
)]
pub struct Args {
    /// The task; `-` reads it from standard input
    task: Vec<String>,
    /// How much may be done without asking
    #[arg(long, value_enum)]
    mode: Option<ModeArgument>,
    /// Model calls in the turn
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,
    /// US dollars in the turn
    #[arg(long, value_name = "USD")]
    max_cost: Option<f64>,
    /// The final answer must be JSON of this schema
    #[arg(long, value_name = "FILE")]
    output_schema: Option<PathBuf>,
    /// Go on with a session: an id, or `last`
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "last")]
    resume: Option<String>,
    /// End after this many seconds with exit code 124
    #[arg(long, value_name = "SECONDS")]
    watchdog: Option<u64>,
}

/// Modes as the command line names them.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ModeArgument {
    Plan,
    Ask,
    Auto,
    Yolo,
    /// The same as auto
    Act,
}

impl From<ModeArgument> for Mode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::Plan => Mode::Plan,
            ModeArgument::Ask => Mode::Ask,
            ModeArgument::Auto | ModeArgument::Act => Mode::Auto,
            ModeArgument::Yolo => Mode::Yolo,
        }
    }
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let content = content(&args)?;
    let schema = args.output_schema.as_ref().map(read_schema).transpose()?;
    let limited = context.with_settings(limits(&args));
    let context = &limited;
    let watchdog = args
        .watchdog
        .or_else(|| Some(context.config().ok()?.config.mode.ci.watchdog_s).filter(|_| context.is_ci()));
    let wanted = Wanted {
        resume: args.resume,
        mode: args.mode.map(Mode::from),
        // `--yes` answers for a person; a terminal has one.
        person: context.flags.yes || (context.is_interactive()),
        output_schema: schema.clone(),
    };
    let _inside = context.runtime().enter();
    let assembled = door::open(context, wanted)?;
    let mut view = ExecView { json: context.json(), view: View::new(context), runs: Vec::new() };
    let op = Op::UserInput { content };
    let ended = context.block_on(headless::drive(context, assembled.started, op, watchdog, &mut view));
    let outcome = finish(context, &ended, schema.as_ref());
    tell_ci(context, &ended, &view.runs, outcome.as_ref().err());
    outcome
}

/// One event per line for programs, the turn as it goes for people.
struct ExecView {
    json: bool,
    view: View,
    /// Runs that were written, with their status.
    runs: Vec<(String, String)>,
}

impl Viewer for ExecView {
    fn show(&mut self, event: &Event) {
        if let EventBody::EvidenceWritten { run_id, status, .. } = &event.body {
            self.runs.push((run_id.clone(), status.clone()));
        }
        match self.json {
            true => crate::output::line(&serde_json::to_string(event).expect("plain data")),
            false => self.view.show(event),
        }
    }

    fn pause(&mut self) {
        self.view.pause();
    }

    fn tick(&mut self) {
        self.view.tick();
    }
}

/// What the CI system shows of the job.
fn tell_ci(context: &Context, ended: &Ended, runs: &[(String, String)], failure: Option<&Failure>) {
    let Some(system) = context.ci else { return };
    if let Some(failure) = failure
        && let Some(line) = system.annotation("error", None, failure.message())
    {
        crate::output::error_line(&line);
    }
    if !context.config().is_ok_and(|layered| layered.config.mode.ci.summary) {
        return;
    }
    let stop = serde_json::to_value(&ended.stop).ok().and_then(|stop| stop.as_str().map(str::to_owned));
    let mut page = format!("### fwai exec: {}\n", stop.unwrap_or_default());
    if let Some(failure) = failure {
        page.push_str(&format!("\n**{}**\n", ci::inert(failure.message())));
    }
    page.push_str(&format!("\n{}\n", ci::inert(&ended.final_text)));
    for (run, status) in runs {
        page.push_str(&format!("\n- evidence {run}: {status}"));
    }
    if let Err(error) = system.write_summary(&page) {
        context.warn(say!("run-summary-lost", error = error));
    }
}

fn finish(context: &Context, ended: &Ended, schema: Option<&Value>) -> Result<(), Failure> {
    if let Some(Cause::Watchdog(seconds)) = ended.cause {
        let failure = Failure::new(Kind::Watchdog, format_args!("stopped after {seconds} s by the watchdog"));
        return Err(failure.quiet(context.json()));
    }
    if ended.cause.is_some() {
        return Err(Failure::new(Kind::Interrupted, "interrupted").quiet(context.json()));
    }
    match &ended.stop {
        TurnStop::EndTurn | TurnStop::Other(_) => {}
        TurnStop::Interrupted => {
            return Err(Failure::new(Kind::Interrupted, "interrupted").quiet(context.json()));
        }
        TurnStop::NeedsPerson => {
            let what = ended.asked.as_ref().unwrap_or(&ended.final_text);
            return Err(Failure::new(Kind::NeedsPerson, format_args!("needs a person: {what}"))
                .hint("run it in a terminal, add a rule (`fwai policy rules`), or give --yes or --mode yolo")
                .quiet(context.json()));
        }
        TurnStop::Error => {
            let (message, hint) = ended.error.clone().unwrap_or_else(|| ("the turn failed".to_owned(), None));
            let failure = Failure::failed(message).quiet(context.json());
            return Err(match hint {
                Some(hint) => failure.hint(hint),
                None => failure,
            });
        }
        TurnStop::MaxTurns
        | TurnStop::MaxCost
        | TurnStop::MaxTokens
        | TurnStop::Stuck
        | TurnStop::Refusal => {
            let name = serde_json::to_value(&ended.stop)
                .ok()
                .and_then(|v| v.as_str().map(str::to_owned))
                .unwrap_or_default();
            return Err(
                Failure::failed(format_args!("the task was not finished ({name})")).quiet(context.json())
            );
        }
    }
    let Some(schema) = schema else { return Ok(()) };
    let text = ended.final_text.trim();
    let text = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    let text = text.strip_suffix("```").unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(|error| {
        Failure::failed(format_args!("the answer is not JSON: {error}")).quiet(context.json())
    })?;
    arguments::check(schema, value).map(drop).map_err(|why| {
        Failure::failed(format_args!("the answer does not fit --output-schema: {why}")).quiet(context.json())
    })
}

fn content(args: &Args) -> Result<Vec<ContentBlock>, Failure> {
    let mut task = args.task.join(" ");
    let only_input = task.is_empty() || task == "-";
    let mut piped = piped_input(if only_input { None } else { Some(FIRST_BYTE) })?;
    if only_input {
        task = std::mem::take(&mut piped);
    }
    if task.trim().is_empty() {
        return Err(Failure::usage("no task given").hint("fwai exec \"what to do\""));
    }
    let mut blocks = vec![ContentBlock::text(task.trim())];
    if !piped.trim().is_empty() {
        blocks.push(ContentBlock::text(fence::data("standard input", &piped)));
    }
    Ok(blocks)
}

/// Text from a pipe or a file. Where a task was given too, a pipe that stays silent is left alone: whoever
/// started us may simply not have closed it.
fn piped_input(patience: Option<Duration>) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Ok(String::new());
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock().take(STDIN_LIMIT);
        let mut bytes = vec![0; 1];
        let first = input.read(&mut bytes);
        let _ = sender.send(first.map(|count| bytes[..count].to_vec()));
        let mut rest = Vec::new();
        let _ = sender.send(input.read_to_end(&mut rest).map(|_| rest));
    });
    let broken = |error: std::io::Error| Failure::failed(format_args!("cannot read standard input: {error}"));
    let first = match patience {
        Some(patience) => receiver.recv_timeout(patience).ok(),
        None => receiver.recv().ok(),
    };
    let Some(first) = first else { return Ok(String::new()) };
    let mut bytes = first.map_err(broken)?;
    if !bytes.is_empty() {
        bytes.extend(receiver.recv().map(|rest| rest.map_err(broken)).unwrap_or(Ok(Vec::new()))?);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_schema(path: &PathBuf) -> Result<Value, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format_args!("cannot read {}: {error}", path.display())))?;
    let schema: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format_args!("{} is not JSON: {error}", path.display())))?;
    if schema.is_object() {
        Ok(schema)
    } else {
        Err(Failure::usage(format_args!("{} is no JSON Schema", path.display())))
    }
}

/// Limits of this run, as settings of the configuration.
fn limits(args: &Args) -> Vec<String> {
    let turns = args.max_turns.map(|turns| format!("agent.max_iterations={turns}"));
    let cost = args.max_cost.map(|cost| format!("agent.max_cost={cost}"));
    turns.into_iter().chain(cost).collect()
}
