//! `fwai run`: a skill, from its name or from words that mean it, with one run of evidence for the whole.

mod choosing;
mod explain;
mod progress;
mod summary;

use super::exec::ModeArgument;
use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    headless::{self, Cause, Ended},
    language::{self, say},
    repl::Repl,
};
use choosing::Shelf;
use fwai_agent::{
    intents::Candidate,
    registry::Registry,
    skills::{
        check::{Known, fill_inputs},
        steps::steps_that_need_a_model,
    },
};
use fwai_app::{
    library::{self, BrokenSkill, Skill, Workflow},
    no_model::NoModel,
    provider,
    session::{Wanted, tool_list},
};
use fwai_llm::Provider;
use fwai_schema::{event::TurnStop, op::Op, permission::Mode, skill::StepStatus};
use progress::Progress;
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};

/// Run a skill: a workflow of steps with evidence for the whole
///
/// Every step passes the same policy, permissions and sandbox as a call of the agent. Without a name the
/// skills are listed. Words that are no name are understood as an intent.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai run                               list the skills\n  fwai run build_flash_monitor           build, flash, watch it boot\n  fwai run build_and_test --ci --json --watchdog 600\n  fwai run size_report --input against=HEAD~1\n  fwai run --explain fix_build           what it would do, step by step\n  fwai run \"build it and flash the board\"\n  fwai run 幫我編譯並燒錄\n\nSkills are YAML files in .fwai/skills/ (once the project is trusted) and in the user's own directory;\ndocs/writing-skills.md shows how to write one."
)]
pub struct Args {
    /// The skill, or words that mean one
    #[arg(value_name = "SKILL")]
    skill: Vec<String>,
    /// Give the skill a value; may be repeated
    #[arg(long = "input", short = 'i', value_name = "KEY=VALUE")]
    inputs: Vec<String>,
    /// List the skills
    #[arg(long)]
    list: bool,
    /// Show the steps, and why these words mean this skill, and run nothing
    #[arg(long)]
    explain: bool,
    /// Check everything, show the steps with their inputs filled in, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// How much may be done without asking
    #[arg(long, value_enum)]
    mode: Option<ModeArgument>,
    /// End everything after this many seconds with exit code 124
    #[arg(long, value_name = "SECONDS")]
    watchdog: Option<u64>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let shelf = Shelf::of(context);
    if args.list || (args.skill.is_empty() && !args.explain && !args.dry_run) {
        return list(context, &shelf.skills, &shelf.broken);
    }
    if args.skill.is_empty() {
        return Err(Failure::usage("name a skill").hint("fwai run --list"));
    }
    let words = args.skill.join(" ");
    let (workflow, understood) = if args.explain {
        let meant = choosing::look(context, &words, &shelf)?;
        match (meant.workflow, meant.resolution) {
            (Some(workflow), resolution) => (workflow, resolution),
            (None, resolution) => return explain::nothing(context, &words, resolution.as_ref()),
        }
    } else {
        choosing::choose(context, &words, &shelf)?
    };
    let given = inputs(&args.inputs)?;
    let (tools, inputs) = checked(context, workflow, &given)?;
    if args.explain || args.dry_run {
        return explain::show(
            context,
            workflow,
            &tools,
            &inputs,
            args.dry_run,
            understood.as_ref().map(|one| (&*words, one)),
        );
    }
    if understood.is_some() {
        context.note(say!("run-understood", skill = workflow.definition.name));
    }
    let provider = provider_for(context, workflow)?;
    carry_out(context, &args, workflow, given, provider)
}

/// The tools that the skill may use and its inputs, once everything about it is right.
fn checked(
    context: &Context,
    workflow: &Workflow,
    given: &BTreeMap<String, String>,
) -> Result<(Registry, BTreeMap<String, String>), Failure> {
    let inputs = fill_inputs(&workflow.definition, given).map_err(Failure::usage)?;
    let layered = context.config()?;
    let project = door::project(context)?;
    let tools = tool_list(&context.paths, &layered.config, &project).map_err(Failure::failed)?;
    let mut agents: Vec<String> =
        library::agents(&context.paths).into_iter().map(|agent| agent.name).collect();
    agents.extend(["explorer".to_owned(), "general".to_owned()]);
    let problems = workflow.problems(&Known { tools: Some(&tools), agents: Some(&agents) });
    if !problems.is_empty() {
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(Failure::usage(told.join("\n").trim_end()));
    }
    Ok((tools, inputs))
}

/// Workflows as words find them.
pub fn candidates(context: &Context) -> Vec<Candidate> {
    Shelf::of(context).candidates()
}

/// A skill and its inputs.
type SkillCall = (String, BTreeMap<String, String>);

/// The skill and inputs of a `/run` that a conversation can carry out itself; none where it only wants to look.
pub fn for_session(args: &Args, context: &Context) -> Result<Option<SkillCall>, Failure> {
    let looks = args.list || args.explain || args.dry_run || args.mode.is_some() || args.watchdog.is_some();
    if looks || args.skill.is_empty() {
        return Ok(None);
    }
    let shelf = Shelf::of(context);
    let (workflow, _) = choosing::choose(context, &args.skill.join(" "), &shelf)?;
    Ok(Some((workflow.definition.name.clone(), inputs(&args.inputs)?)))
}

/// Carries a skill out as a turn of the conversation.
pub fn in_session(repl: &mut Repl, name: &str, given: BTreeMap<String, String>) -> Result<(), Failure> {
    let context = &repl.context;
    let shelf = Shelf::of(context);
    let (workflow, _) = choosing::choose(context, name, &shelf)?;
    checked(context, workflow, &given)?;
    let provider = provider_for(context, workflow)?;
    repl.conversation.run_skill(context, &mut repl.queue, name.to_owned(), given, provider)
}

fn inputs(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let mut inputs = BTreeMap::new();
    for one in given {
        let (key, value) = one
            .split_once('=')
            .ok_or_else(|| Failure::usage(format_args!("--input {one}: write KEY=VALUE")))?;
        if inputs.insert(key.trim().to_owned(), value.to_owned()).is_some() {
            return Err(Failure::usage(format_args!("--input {key} is given twice")));
        }
    }
    Ok(inputs)
}

/// The configured model; where there is none, skills that need none run all the same.
fn provider_for(context: &Context, workflow: &Workflow) -> Result<Arc<dyn Provider>, Failure> {
    let layered = context.config()?;
    let made = provider::choose(&layered.config.provider)
        .and_then(|choice| provider::make(layered, &context.paths, &choice));
    let why = match made {
        Ok(provider) => return Ok(provider),
        Err(error) => error.to_string(),
    };
    let needed = steps_that_need_a_model(&workflow.definition);
    if needed.is_empty() {
        return Ok(Arc::new(NoModel::new(why)));
    }
    Err(Failure::usage(format_args!(
        "the skill {} needs a model for: {}. {why}",
        workflow.definition.name,
        needed.join(", ")
    ))
    .hint("`fwai provider list` shows how to set one; nothing was started"))
}

fn carry_out(
    context: &Context,
    args: &Args,
    workflow: &Workflow,
    given: BTreeMap<String, String>,
    provider: Arc<dyn Provider>,
) -> Result<(), Failure> {
    let config = &context.config()?.config;
    let watchdog = args.watchdog.or_else(|| context.is_ci().then_some(config.mode.ci.watchdog_s));
    let wanted = Wanted {
        mode: args.mode.map(Mode::from),
        person: context.flags.yes || context.is_interactive(),
        ..Wanted::default()
    };
    let _inside = context.runtime().enter();
    let assembled = door::open_with(context, wanted, provider)?;
    let name = workflow.definition.name.clone();
    let mut progress = Progress::new(context, &name);
    let op = Op::RunSkill { name, inputs: given };
    let ended = context.block_on(headless::drive(context, assembled.started, op, watchdog, &mut progress));
    let summary = summary::of(context, progress.facts, &assembled.id, &ended);
    summary::tell_ci(context, &summary);
    summary::show(context, &summary);
    match failure(&ended, &summary) {
        None => {
            if context.json() {
                context.print_json(&summary.object());
            }
            Ok(())
        }
        Some(failure) => Err(failure.within(context, summary.object())),
    }
}

/// What the end means for the exit code.
fn failure(ended: &Ended, summary: &summary::Summary) -> Option<Failure> {
    match ended.cause {
        Some(Cause::Watchdog(seconds)) => {
            return Some(Failure::new(
                Kind::Watchdog,
                format_args!("stopped after {seconds} s by the watchdog"),
            ));
        }
        Some(Cause::Interrupt | Cause::Terminate) => {
            return Some(Failure::new(Kind::Interrupted, "interrupted"));
        }
        None => {}
    }
    let reason = summary.reason.clone().unwrap_or_else(|| "the skill failed".to_owned());
    match (&ended.stop, summary.status) {
        (TurnStop::NeedsPerson, _) => {
            let what = ended.asked.clone().unwrap_or(reason);
            Some(
                Failure::new(Kind::NeedsPerson, format_args!("needs a person: {what}")).hint(
                    "run it in a terminal, add a rule (`fwai policy rules`), or give --yes or --mode yolo",
                ),
            )
        }
        (TurnStop::Interrupted, _) => Some(Failure::new(Kind::Interrupted, "interrupted")),
        (TurnStop::Error, _) => {
            let (message, hint) = ended.error.clone().unwrap_or((reason, None));
            let failure = Failure::failed(message);
            Some(match hint {
                Some(hint) => failure.hint(hint),
                None => failure,
            })
        }
        (_, StepStatus::Success) => None,
        (_, StepStatus::Denied) => {
            Some(Failure::new(Kind::Denied, format_args!("{}: {reason}", summary.skill)))
        }
        _ => Some(Failure::failed(format_args!("{}: {reason}", summary.skill))),
    }
}

fn list(context: &Context, skills: &BTreeMap<String, Skill>, broken: &[BrokenSkill]) -> Result<(), Failure> {
    let untrusted = library::untrusted_skills(&context.paths);
    if context.json() {
        let one = |(name, skill): (&String, &Skill)| match skill {
            Skill::Workflow(workflow) => json!({
                "name": name, "description": skill.description(), "kind": "workflow",
                "inputs": workflow.definition.inputs, "steps": workflow.definition.steps.len(),
                "needs_model": !steps_that_need_a_model(&workflow.definition).is_empty(),
                "file": workflow.source.name.as_ref(),
            }),
            Skill::Document { .. } => {
                json!({ "name": name, "description": skill.description(), "kind": "instructions" })
            }
        };
        let broken: Vec<_> =
            broken.iter().map(|one| json!({ "name": one.name, "problems": one.problems })).collect();
        let skills: Vec<_> = skills.iter().map(one).collect();
        context.print_json(&json!({ "skills": skills, "broken": broken, "untrusted": untrusted }));
        return Ok(());
    }
    for (name, skill) in skills {
        let kind = match skill {
            Skill::Workflow(_) => String::new(),
            Skill::Document { .. } => format!(" {}", say!("run-instructions")),
        };
        context.print(format_args!("  {name:<22} {}{kind}", language::of_skill(skill)));
    }
    for problem in broken.iter().flat_map(|broken| &broken.problems) {
        context.warn(problem.trim_end());
    }
    if !untrusted.is_empty() {
        context.note(say!("run-untrusted", skills = untrusted.join(", ")));
        context.note(format_args!("  {}", say!("run-untrusted-next")));
    }
    Ok(())
}
