//! `fwai exec`: one task without a conversation, for scripts and CI.

pub mod material;

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    headless::{self, AskedFor, Cause, Ended, Viewer},
    language::say,
    render::View,
};
use clap::ValueEnum;
use fwai_app::{answer_schema::AnswerSchema, ci, provider, session::Wanted};
use fwai_llm::pricing;
use fwai_schema::{
    config::ProviderName,
    event::{Event, EventBody, TurnStop},
    op::Op,
    permission::Mode,
};
use std::path::PathBuf;

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
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
    let schema = args.output_schema.as_deref().map(AnswerSchema::read).transpose().map_err(Failure::usage)?;
    let limited = context.with_settings(limits(&args)?);
    let context = &limited;
    let content = material::content(&args.task, context)?;
    if args.max_cost.is_some() {
        warn_of_unknown_price(context);
    }
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
    let view = View::new(context);
    let holds_answer = schema.is_some() && !context.json() && matches!(view, View::Plain(_));
    let mut view = ExecView { json: context.json(), view, holds_answer, runs: Vec::new() };
    let op = Op::UserInput { content };
    let ended = context.block_on(headless::drive(context, assembled.started, op, watchdog, &mut view));
    let outcome = finish(context, &ended, schema.as_ref(), holds_answer);
    tell_ci(context, &ended, &view.runs, outcome.as_ref().err());
    outcome
}

/// One event per line for programs, the turn as it goes for people.
struct ExecView {
    json: bool,
    view: View,
    /// Standard output shall have the checked answer and nothing else.
    holds_answer: bool,
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
            false if self.holds_answer && matches!(event.body, EventBody::TextDelta { .. }) => {}
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

fn finish(
    context: &Context,
    ended: &Ended,
    schema: Option<&AnswerSchema>,
    holds_answer: bool,
) -> Result<(), Failure> {
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
                .hint(next_step(ended.asked_for))
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
    let value = schema.check(&ended.final_text).map_err(|why| {
        Failure::failed(why)
            .hint("ask for less at once, loosen the schema, or take another model")
            .quiet(context.json())
    })?;
    if holds_answer {
        crate::output::line(&value.to_string());
    }
    Ok(())
}

/// What somebody can do who finds that a person was needed.
fn next_step(asked: AskedFor) -> &'static str {
    match asked {
        AskedFor::Permission => {
            "run it in a terminal, add a rule (`fwai policy rules`), or give --yes or --mode yolo"
        }
        AskedFor::Answer => {
            "run it in a terminal, say it in the task, or give --yes, which takes the first choice"
        }
        AskedFor::Plan => {
            "read the plan, then carry it out: fwai exec --resume last --mode auto \"carry out the plan\""
        }
    }
}

/// A limit that nobody can count is told, not silently left out. What runs on this machine costs nothing.
fn warn_of_unknown_price(context: &Context) {
    let Ok(settings) = context.config().map(|layered| &layered.config.provider) else { return };
    let Ok(choice) = provider::choose(settings) else { return };
    let local = matches!(choice.name, ProviderName::Ollama | ProviderName::Local | ProviderName::Replay);
    if !local && pricing::facts_of(&choice.model, &settings.models).input.is_none() {
        context.warn(say!("exec-price-unknown", model = choice.model));
    }
}

/// Limits of this run, as settings of the configuration.
fn limits(args: &Args) -> Result<Vec<String>, Failure> {
    if args.max_cost.is_some_and(|cost| !cost.is_finite() || cost <= 0.0) {
        return Err(Failure::usage("--max-cost takes an amount above 0, in US dollars")
            .hint("fwai exec --max-cost 0.50 …"));
    }
    let turns = args.max_turns.map(|turns| format!("agent.max_iterations={turns}"));
    let cost = args.max_cost.map(|cost| format!("agent.max_cost={cost}"));
    Ok(turns.into_iter().chain(cost).collect())
}
