//! Which skill is meant: by its name, or by words.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
    model,
};
use fwai_agent::intents::{self, Candidate, Layer, Resolution, Thresholds, Verdict};
use fwai_app::library::{self, BrokenSkill, Skill, Workflow};
use fwai_schema::document::nearest;
use std::collections::BTreeMap;

/// The skills of this place, and the files that would be one.
pub struct Shelf {
    pub skills: BTreeMap<String, Skill>,
    pub broken: Vec<BrokenSkill>,
}

impl Shelf {
    pub fn of(context: &Context) -> Self {
        let (skills, broken) = library::all_skills(&context.paths);
        Self { skills, broken }
    }

    fn workflow(&self, name: &str) -> Option<&Workflow> {
        match self.skills.get(name)? {
            Skill::Workflow(workflow) => Some(workflow),
            Skill::Document { .. } => None,
        }
    }

    /// Workflows as words find them.
    pub fn candidates(&self) -> Vec<Candidate> {
        let workflow = |skill: &Skill| match skill {
            Skill::Workflow(workflow) => Some(Candidate::of(&workflow.definition)),
            Skill::Document { .. } => None,
        };
        self.skills.values().filter_map(workflow).collect()
    }
}

/// What words came to: a skill or none, and how they were understood where they are not simply its name.
pub struct Meant<'a> {
    pub workflow: Option<&'a Workflow>,
    pub resolution: Option<Resolution>,
}

/// The skill that words mean; asks where that is not clear, and fails where they mean none.
pub fn choose<'a>(
    context: &Context,
    words: &str,
    shelf: &'a Shelf,
) -> Result<(&'a Workflow, Option<Resolution>), Failure> {
    let meant = look(context, words, shelf)?;
    let Some(resolution) = meant.resolution else {
        return Ok((meant.workflow.ok_or_else(|| unknown(words, shelf))?, None));
    };
    let name = match &resolution.verdict {
        Verdict::Run { skill } => skill.clone(),
        Verdict::Ask { skills } => ask(context, words, skills)?,
        Verdict::Chat => {
            let failure = if resolution.negated {
                Failure::usage(format_args!("“{words}” says what not to do; no skill was run"))
            } else {
                unknown(words, shelf)
            };
            return Err(failure.hint("fwai run --list, or let the agent do it: fwai exec \"…\""));
        }
    };
    let workflow = shelf.workflow(&name).ok_or_else(|| unknown(&name, shelf))?;
    Ok((workflow, Some(resolution)))
}

/// The same without asking anybody; where it is not clear, the likeliest.
pub fn look<'a>(context: &Context, words: &str, shelf: &'a Shelf) -> Result<Meant<'a>, Failure> {
    if let Some(workflow) = shelf.workflow(words) {
        return Ok(Meant { workflow: Some(workflow), resolution: None });
    }
    by_name(context, words, shelf)?;
    let config = &context.config()?.config.intent;
    if !config.enabled {
        return Err(
            unknown(words, shelf).hint("fwai run --list; `intent.enabled` is off, so only names count")
        );
    }
    let thresholds = Thresholds { run: config.run_threshold, ask: config.ask_threshold };
    let candidates = shelf.candidates();
    let mut resolution = intents::resolve(words, &candidates, thresholds);
    // A word that looks like a misspelt name is no question for a model.
    let misspelt = nearest(words, shelf.skills.keys().map(String::as_str)).is_some();
    if misspelt && !words.contains(' ') && !matches!(resolution.verdict, Verdict::Run { .. }) {
        return Err(unknown(words, shelf).hint("fwai run --list"));
    }
    if config.use_model && !misspelt && intents::model::is_undecided(&resolution, thresholds) {
        resolution = with_model(context, words, &candidates, resolution, thresholds);
    }
    let likeliest = match &resolution.verdict {
        Verdict::Run { skill } => Some(skill),
        Verdict::Ask { skills } => skills.first(),
        Verdict::Chat => None,
    };
    let workflow = likeliest.and_then(|name| shelf.workflow(name));
    Ok(Meant { workflow, resolution: Some(resolution) })
}

/// Names that exist and cannot be run.
fn by_name(context: &Context, words: &str, shelf: &Shelf) -> Result<(), Failure> {
    if shelf.skills.contains_key(words) {
        return Err(Failure::usage(format_args!(
            "`{words}` is a SKILL.md: instructions for the agent, not a workflow of steps"
        ))
        .hint(format_args!("fwai exec \"use the skill {words}\"")));
    }
    if let Some(broken) = shelf.broken.iter().find(|broken| broken.name == words) {
        return Err(Failure::usage(broken.problems.join("\n").trim_end()));
    }
    if library::untrusted_skills(&context.paths).iter().any(|name| name == words) {
        let message = format!("the skill `{words}` belongs to this project, which is not trusted yet");
        return Err(Failure::new(Kind::Denied, message).hint("look at .fwai/, then run `fwai trust`"));
    }
    Ok(())
}

fn unknown(words: &str, shelf: &Shelf) -> Failure {
    let guess = nearest(words, shelf.skills.keys().map(String::as_str));
    let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
    let shown: String = words.chars().take(80).collect();
    Failure::usage(format_args!("there is no skill `{shown}`, and the words mean none{guess}"))
}

fn with_model(
    context: &Context,
    words: &str,
    candidates: &[Candidate],
    resolution: Resolution,
    thresholds: Thresholds,
) -> Resolution {
    let Ok(provider) = model::open_provider(context) else { return resolution };
    let asked =
        context.block_on(intents::model::ask(&*provider, words, candidates, resolution.clone(), thresholds));
    match asked {
        Ok((resolution, _)) => resolution,
        Err(error) => {
            context.warn(say!("run-model-unsure", error = error));
            resolution
        }
    }
}

/// Asks which one; without a person that is exit code 4.
fn ask(context: &Context, words: &str, skills: &[String]) -> Result<String, Failure> {
    match skills {
        [only] => match context.confirm(&say!("run-ask-one", words = words, skill = only))? {
            true => Ok(only.clone()),
            false => Err(Failure::new(Kind::Denied, "nothing was run")),
        },
        several => {
            let needs = format!("“{words}” may mean {}", several.join(" or "));
            if context.is_ci() || context.flags.yes {
                return Err(Failure::new(Kind::NeedsPerson, needs).hint("name the skill"));
            }
            let list: Vec<String> =
                several.iter().enumerate().map(|(at, name)| format!("  {}. {name}", at + 1)).collect();
            let answer = context.ask(&format!("{needs}\n{}\n{} ", list.join("\n"), say!("run-ask-which")))?;
            let chosen =
                answer.trim().parse::<usize>().ok().and_then(|number| several.get(number.checked_sub(1)?));
            chosen.cloned().ok_or_else(|| Failure::new(Kind::Denied, "nothing was run"))
        }
    }
}

/// The layers, the scores and why, for `--explain`.
pub fn told(words: &str, resolution: &Resolution) -> Vec<String> {
    let layer = |layer: Layer| match layer {
        Layer::Exact => "exact",
        Layer::Keyword => "keyword",
        Layer::Model => "model",
    };
    let mut lines = vec![say!("intent-read", words = words, core = resolution.core)];
    if let Some(word) = &resolution.doubt {
        lines.push(match resolution.negated {
            true => format!("  {}", say!("intent-says-no", word = word)),
            false => format!("  {}", say!("intent-asks-or-tells", word = word)),
        });
    }
    for score in resolution.scores.iter().take(5) {
        let why: Vec<String> = score.why.split("; ").map(understood).collect();
        lines.push(format!(
            "  {:<22} {:.2}  {:<8} {}",
            score.skill,
            score.confidence,
            layer(score.layer),
            why.join("; ")
        ));
    }
    lines.push(match &resolution.verdict {
        Verdict::Run { skill } => {
            format!("  {}", say!("intent-runs", skill = skill, layer = layer(resolution.layer)))
        }
        Verdict::Ask { skills } => format!("  {}", say!("intent-asks", skills = skills.join(", "))),
        Verdict::Chat => format!("  {}", say!("intent-chat")),
    });
    lines
}
