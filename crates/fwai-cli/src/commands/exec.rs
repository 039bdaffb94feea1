//! `fwai exec`: one task without a conversation, for scripts and CI.

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    language::say,
    render::{BEAT, View},
};
use clap::ValueEnum;
use futures_util::StreamExt;
use fwai_agent::{arguments, fence, session::SessionHandle};
use fwai_app::session::Wanted;
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    message::ContentBlock,
    op::{Answer, Op, PermissionReply},
    permission::{DeviceVerb, Level, Mode},
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
    let work = drive(context, assembled.started, content);
    let ended = context.block_on(async {
        match watchdog.filter(|seconds| *seconds > 0) {
            Some(seconds) => {
                tokio::time::timeout(Duration::from_secs(seconds), work).await.map_err(|_| {
                    Failure::new(Kind::Watchdog, format_args!("stopped after {seconds} s by the watchdog"))
                })?
            }
            None => work.await,
        }
    })?;
    finish(context, ended, schema.as_ref())
}

/// What the turn came to.
struct Ended {
    stop: TurnStop,
    final_text: String,
    /// What a person was needed for.
    asked: Option<String>,
    error: Option<(String, Option<String>)>,
}

async fn drive(
    context: &Context,
    started: fwai_agent::session::Started,
    content: Vec<ContentBlock>,
) -> Result<Ended, Failure> {
    let fwai_agent::session::Started { handle, mut events, driver, .. } = started;
    let driver = tokio::spawn(driver);
    handle.send(Op::UserInput { content });
    let mut ended = Ended { stop: TurnStop::Error, final_text: String::new(), asked: None, error: None };
    let mut view = View::new(context);
    let mut beat = tokio::time::interval(BEAT);
    let mut interrupts = 0;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            _ = beat.tick() => {
                view.tick();
                continue;
            }
            _ = tokio::signal::ctrl_c() => {
                interrupts += 1;
                if interrupts > 1 {
                    return Err(Failure::new(Kind::Interrupted, "interrupted"));
                }
                handle.send(Op::Interrupt);
                continue;
            }
        };
        let Some(event) = event else { break };
        if context.json() {
            crate::output::line(&serde_json::to_string(&event).expect("plain data"));
        } else {
            view.show(&event);
        }
        if matches!(event.body, EventBody::PermissionRequest { .. } | EventBody::Question { .. }) {
            view.pause();
        }
        answer(context, &handle, &event, &mut ended);
        if let EventBody::TurnEnded { stop_reason, final_text, .. } = event.body {
            ended.stop = stop_reason;
            ended.final_text = final_text;
            view.pause();
            break;
        }
    }
    handle.send(Op::Shutdown);
    // The driver closes the log; a task that hangs there must not hang us.
    let _ = tokio::time::timeout(Duration::from_secs(5), driver).await;
    Ok(ended)
}

/// Answers what the session asks, where `--yes` or a terminal can.
fn answer(context: &Context, handle: &SessionHandle, event: &Event, ended: &mut Ended) {
    match &event.body {
        EventBody::PermissionRequest { id, what, reason, level, .. } => {
            ended.asked = Some(format!("permission to {what} ({reason})"));
            let final_deed = matches!(level, Level::Device(DeviceVerb::Erase | DeviceVerb::Fuse));
            let reply = if context.flags.yes && !final_deed {
                PermissionReply::Once
            } else if context.is_interactive() {
                ask_permission(context, what, reason)
            } else {
                PermissionReply::Deny
            };
            handle.send(Op::PermissionReply { id: id.clone(), reply, note: None });
        }
        EventBody::Question { id, questions, .. } => {
            let words: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
            ended.asked = Some(format!("an answer to: {}", words.join(" ")));
            let first = questions.first();
            let choice =
                first.and_then(|question| question.options.first()).map(|option| option.label.clone());
            let given = if context.flags.yes {
                Answer { choices: choice.into_iter().collect(), text: None }
            } else if context.is_interactive() {
                let prompt = first.map_or(String::new(), crate::render::question);
                match context.ask(&prompt) {
                    Ok(text) => crate::render::answer_from(first, &text),
                    Err(_) => Answer::default(),
                }
            } else {
                Answer::default()
            };
            handle.send(Op::Answer { id: id.clone(), answer: given });
        }
        EventBody::Error { message, hint } => ended.error = Some((message.clone(), hint.clone())),
        _ => {}
    }
}

fn ask_permission(context: &Context, what: &str, reason: &str) -> PermissionReply {
    let question =
        format!("{}\n  {reason}\n{} ", say!("permission-wants", what = what), say!("permission-choices"));
    match context.ask(&question).unwrap_or_default().trim() {
        "y" | "yes" => PermissionReply::Once,
        "s" => PermissionReply::Session,
        "a" => PermissionReply::Always,
        _ => PermissionReply::Deny,
    }
}

fn finish(context: &Context, ended: Ended, schema: Option<&Value>) -> Result<(), Failure> {
    match ended.stop {
        TurnStop::EndTurn | TurnStop::Other(_) => {}
        TurnStop::Interrupted => {
            return Err(Failure::new(Kind::Interrupted, "interrupted").quiet(context.json()));
        }
        TurnStop::NeedsPerson => {
            let what = ended.asked.unwrap_or(ended.final_text);
            return Err(Failure::new(Kind::NeedsPerson, format_args!("needs a person: {what}"))
                .hint("run it in a terminal, add a rule (`fwai policy rules`), or give --yes or --mode yolo")
                .quiet(context.json()));
        }
        TurnStop::Error => {
            let (message, hint) = ended.error.unwrap_or_else(|| ("the turn failed".to_owned(), None));
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
