//! What is wrong with a workflow before any of it runs: each problem with its place in the file and a guess
//! at what was meant.

use super::{
    condition::Condition,
    steps::{kind, milliseconds, step_names, tool_of},
    variables::{self, Reference},
};
use crate::{arguments, registry::Registry};
use fwai_schema::{
    document::nearest,
    skill::{SkillDef, Step, StepAction},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Most steps of one skill.
const MOST_STEPS: usize = 200;
/// Most tries of one step.
const MOST_RETRIES: u32 = 100;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillProblem {
    /// Dotted path in the file: `steps.2.with.seconds`; empty for the whole.
    pub path: String,
    pub message: String,
    pub did_you_mean: Option<String>,
}

impl SkillProblem {
    fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), did_you_mean: None }
    }

    fn guess<'a>(mut self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        self.did_you_mean = nearest(word, known);
        self
    }
}

/// What a skill can name. Without tools and agents only the skill itself is looked at.
#[derive(Default)]
pub struct Known<'a> {
    pub tools: Option<&'a Registry>,
    pub agents: Option<&'a [String]>,
}

/// Everything that is wrong with a skill.
pub fn check(skill: &SkillDef, known: &Known<'_>) -> Vec<SkillProblem> {
    let mut problems = Vec::new();
    if !is_name(&skill.name) {
        let message = format!("`{}` is no name for a skill: letters, digits, `_` and `-`", skill.name);
        problems.push(SkillProblem::new("name", message));
    }
    for name in
        skill.inputs.keys().filter(|name| !is_name(name) || matches!(name.as_str(), "steps" | "inputs"))
    {
        let message = format!("`{name}` is no name for an input: letters, digits, `_` and `-`");
        problems.push(SkillProblem::new(format!("inputs.{name}"), message));
    }
    if skill.steps.is_empty() || skill.steps.len() > MOST_STEPS {
        problems
            .push(SkillProblem::new("steps", format!("give at least one and at most {MOST_STEPS} steps")));
    }
    let names = step_names(skill);
    for (at, step) in skill.steps.iter().enumerate() {
        Checker { skill, names: &names, at, step, known, problems: &mut problems }.step();
    }
    problems
}

/// What is wrong with the inputs that were given; else all inputs with their values.
pub fn fill_inputs(
    skill: &SkillDef,
    given: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, String> {
    if let Some(unknown) = given.keys().find(|name| !skill.inputs.contains_key(*name)) {
        let names: Vec<&str> = skill.inputs.keys().map(String::as_str).collect();
        let guess = nearest(unknown, names.iter().copied());
        let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
        let takes = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(format!("the skill `{}` has no input `{unknown}`; it has: {takes}{guess}", skill.name));
    }
    let mut inputs = BTreeMap::new();
    for (name, input) in &skill.inputs {
        match given.get(name).or(input.default.as_ref()) {
            Some(value) => drop(inputs.insert(name.clone(), value.clone())),
            None if input.required => {
                let about = if input.description.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", input.description)
                };
                return Err(format!(
                    "the skill `{}` needs the input `{name}`{about}; give --input {name}=VALUE",
                    skill.name
                ));
            }
            None => drop(inputs.insert(name.clone(), String::new())),
        }
    }
    Ok(inputs)
}

fn is_name(name: &str) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty() && name.len() <= 64 && name.chars().all(fine)
}

/// A reference as other tools write it, `{{ inputs.board }}`, and how it is written here. Other double braces are
/// left alone: commands have uses for them.
fn foreign_reference(text: &str, skill: &SkillDef) -> Option<(String, String)> {
    text.match_indices("{{").find_map(|(at, _)| {
        let end = text[at..].find("}}")? + at;
        let inner = text[at + 2..end].trim().trim_start_matches('.');
        let meant =
            inner.starts_with("inputs.") || inner.starts_with("steps.") || skill.inputs.contains_key(inner);
        (meant && variables::reference(inner).is_ok())
            .then(|| (text[at..end + 2].to_owned(), format!("${inner}")))
    })
}

struct Checker<'a> {
    skill: &'a SkillDef,
    names: &'a [String],
    at: usize,
    step: &'a Step,
    known: &'a Known<'a>,
    problems: &'a mut Vec<SkillProblem>,
}

impl Checker<'_> {
    fn step(&mut self) {
        let step = self.step;
        match (&step.tool, step.action) {
            (Some(_), Some(_)) => self.wrong("action", "a step has either `tool` or `action`, not both"),
            (None, None) => {
                self.wrong("", "a step needs `tool: NAME` or `action: evidence`, `llm_analyze` or `agentic`");
            }
            (Some(tool), None) => self.tool(tool),
            (None, Some(action)) => self.action(action),
        }
        self.name();
        self.fields();
        self.texts();
        if let Some(when) = &step.when {
            match Condition::parse(when) {
                Err(why) => self.wrong("when", why),
                Ok(condition) => {
                    for reference in condition.references() {
                        self.reference("when", reference);
                    }
                }
            }
        }
        match step.timeout.as_ref().map(|limit| (limit.seconds(), milliseconds(limit))) {
            Some((Err(why), _)) => self.wrong("timeout", why),
            Some((Ok(_), 0)) => self.wrong("timeout", "a timeout is longer than nothing"),
            _ => {}
        }
        if let Some(Err(why)) = step.retry.as_ref().map(|retry| retry.backoff.seconds()) {
            self.wrong("retry.backoff", why);
        }
        if step.retry.as_ref().is_some_and(|retry| retry.times > MOST_RETRIES) {
            self.wrong("retry.times", format!("at most {MOST_RETRIES} retries"));
        }
    }

    fn name(&mut self) {
        let Some(name) = &self.step.name else { return };
        if !is_name(name) {
            self.wrong("name", format!("`{name}` is no name for a step: letters, digits, `_` and `-`"));
        }
        let twice = self.skill.steps[..self.at].iter().any(|earlier| earlier.name.as_ref() == Some(name));
        if twice {
            self.wrong("name", format!("a step before is already called `{name}`"));
        }
    }

    fn tool(&mut self, name: &str) {
        let Some(registry) = self.known.tools else { return };
        if crate::session_tools::is_session_tool(name) {
            let hint = if name == crate::session_tools::TASK { "; use `action: agentic`" } else { "" };
            return self
                .wrong("tool", format!("`{name}` belongs to a conversation and cannot be a step{hint}"));
        }
        let Some((tool, implied)) = tool_of(name, registry) else {
            let message = format!("there is no tool `{name}`");
            let problem = SkillProblem::new(self.path("tool"), message);
            self.problems.push(problem.guess(name, registry.names()));
            return;
        };
        let schema = tool.input_schema();
        let mut given = implied;
        given.extend(self.step.arguments.clone());
        let properties = schema["properties"].as_object();
        let known = || properties.into_iter().flat_map(|map| map.keys().map(String::as_str));
        for key in self.step.arguments.keys().filter(|key| !known().any(|known| known == key.as_str())) {
            let takes: Vec<&str> = known().collect();
            let takes = if takes.is_empty() { "nothing".to_owned() } else { takes.join(", ") };
            let message = format!("`{}` takes no `{key}`; it takes: {takes}", tool.name());
            self.problems
                .push(SkillProblem::new(self.path(&format!("with.{key}")), message).guess(key, known()));
        }
        let arguments = Value::Object(given.into_iter().collect());
        let mut refers = false;
        variables::texts("", &arguments, &mut |_, text| refers |= !variables::references(text).is_empty());
        let missing = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for key in missing.filter(|key| arguments.get(*key).is_none()) {
            self.wrong("tool", format!("`{}` needs `with: {{{key}: …}}`", tool.name()));
        }
        // Values that come from variables are checked when they are known.
        if !refers
            && self.problems.is_empty()
            && let Err(why) = arguments::check(schema, arguments)
        {
            self.wrong("with", why);
        }
    }

    fn action(&mut self, action: StepAction) {
        let blank = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
        match action {
            StepAction::LlmAnalyze if blank(&self.step.prompt) => {
                self.wrong("action", "`llm_analyze` needs `prompt: …`, the question");
            }
            StepAction::Agentic if blank(&self.step.goal) => {
                self.wrong("action", "`agentic` needs `goal: …`, the task");
            }
            _ => {}
        }
        let (Some(agent), Some(agents)) = (&self.step.agent, self.known.agents) else { return };
        if !agents.contains(agent) {
            let message = format!("there is no agent `{agent}`; there are: {}", agents.join(", "));
            let problem = SkillProblem::new(self.path("agent"), message);
            self.problems.push(problem.guess(agent, agents.iter().map(String::as_str)));
        }
    }

    /// Fields that the kind of step has no use for are mistakes, not decoration.
    fn fields(&mut self) {
        let step = self.step;
        let is = |action| step.action == Some(action);
        let given = [
            ("with", !step.arguments.is_empty(), step.tool.is_some()),
            ("input", step.input.is_some(), is(StepAction::LlmAnalyze)),
            ("prompt", step.prompt.is_some(), is(StepAction::LlmAnalyze)),
            ("goal", step.goal.is_some(), is(StepAction::Agentic)),
            ("agent", step.agent.is_some(), is(StepAction::Agentic)),
        ];
        if step.tool.is_none() && step.action.is_none() {
            return;
        }
        for (field, _, _) in given.into_iter().filter(|(_, given, fits)| *given && !fits) {
            self.wrong(field, format!("`{field}` has no meaning for a step of `{}`", kind(step)));
        }
    }

    fn texts(&mut self) {
        let step = self.step;
        let mut texts: Vec<(String, String)> = Vec::new();
        for (key, value) in &step.arguments {
            variables::texts(&format!("with.{key}"), value, &mut |path, text| {
                texts.push((path.to_owned(), text.to_owned()));
            });
        }
        for (field, text) in [("input", &step.input), ("prompt", &step.prompt), ("goal", &step.goal)] {
            texts.extend(text.clone().map(|text| (field.to_owned(), text)));
        }
        for (path, text) in texts {
            if let Some((written, meant)) = foreign_reference(&text, self.skill) {
                self.wrong(
                    &path,
                    format!("`{written}` is no reference here and would stay as it is; write `{meant}`"),
                );
            }
            for found in variables::references(&text) {
                match found {
                    Ok(reference) => self.reference(&path, &reference),
                    Err(why) => self.wrong(&path, why),
                }
            }
        }
    }

    fn reference(&mut self, path: &str, reference: &Reference) {
        let problem = |message: String| SkillProblem::new(self.path(path), message);
        let problem = match reference {
            Reference::Input(name) if !self.skill.inputs.contains_key(name) => {
                let message = format!(
                    "there is no input `{name}`; name it under `inputs`, or write `$${name}` for the text itself"
                );
                problem(message).guess(name, self.skill.inputs.keys().map(String::as_str))
            }
            Reference::Step { name, .. } => match self.names.iter().position(|one| one == name) {
                Some(at) if at < self.at => return,
                Some(at) if at == self.at => problem(format!("the step `{name}` cannot refer to itself")),
                Some(_) => problem(format!("the step `{name}` comes later")),
                None => {
                    let earlier = &self.names[..self.at];
                    let there = if earlier.is_empty() { "none".to_owned() } else { earlier.join(", ") };
                    let message = format!("there is no step `{name}` before this one; there are: {there}");
                    problem(message).guess(name, earlier.iter().map(String::as_str))
                }
            },
            Reference::Input(_) => return,
        };
        self.problems.push(problem);
    }

    fn wrong(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(SkillProblem::new(self.path(field), message));
    }

    fn path(&self, field: &str) -> String {
        match field.is_empty() {
            true => format!("steps.{}", self.at),
            false => format!("steps.{}.{field}", self.at),
        }
    }
}
