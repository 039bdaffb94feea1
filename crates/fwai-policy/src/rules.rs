//! The user's rules: by tool, by the first words of a command, by path. The strictest rule that applies
//! wins, so a `deny` can never be argued away by an `allow`.

use crate::{
    protect,
    request::Surroundings,
    shell::{consequence::Part, judge},
};
use fwai_schema::policy::{Policy, Rule, RuleVerdict};
use globset::GlobMatcher;

/// A rule that cannot be used as it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum RuleProblem {
    #[error("policy.rules[{index}]: the glob `{pattern}` in `{field}` is wrong: {why}")]
    Glob { index: usize, field: &'static str, pattern: String, why: String },
    #[error(
        "policy.rules[{index}] says neither tool, nor command, nor path; it would apply to everything. Name at least one"
    )]
    Empty { index: usize },
    #[error(
        "policy.rules[{index}]: `command: {command}` is not a list of plain words; write the first words of the command, for instance `git push`"
    )]
    Command { index: usize, command: String },
    #[error(
        "policy.rules[{index}]: the example `{example}` should match and does not; correct the rule or the example"
    )]
    ShouldMatch { index: usize, example: String },
    #[error(
        "policy.rules[{index}]: the example `{example}` should not match and does; correct the rule or the example"
    )]
    ShouldNotMatch { index: usize, example: String },
    #[error(transparent)]
    Path(#[from] protect::GlobProblem),
}

/// The rules of a policy, ready to be asked.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    rules: Vec<CompiledRule>,
}

#[derive(Debug, Clone)]
struct CompiledRule {
    index: usize,
    verdict: RuleVerdict,
    reason: Option<String>,
    tool: Option<GlobMatcher>,
    command: Option<Vec<String>>,
    path: Option<Vec<GlobMatcher>>,
}

/// A rule that applies to something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub verdict: RuleVerdict,
    /// `rules[N]`.
    pub name: String,
    pub reason: String,
}

impl Rules {
    /// Compile the rules and check their examples.
    pub fn of(policy: &Policy) -> Result<Self, RuleProblem> {
        let rules = policy
            .rules
            .iter()
            .enumerate()
            .map(|(index, rule)| compile(index, rule))
            .collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// The strictest rule for one part of a command.
    pub fn for_part(&self, tool: &str, part: &Part) -> Option<Applied> {
        self.strictest(|rule| {
            rule.fits_tool(tool)
                && rule.command.as_ref().is_none_or(|words| fits_command(words, part, rule.verdict))
                && rule.fits_paths(&part.paths)
        })
    }

    /// The strictest rule for a call that is no shell command; `paths` are project-relative.
    pub fn for_call(&self, tool: &str, paths: &[String]) -> Option<Applied> {
        self.strictest(|rule| rule.command.is_none() && rule.fits_tool(tool) && rule.fits_paths(paths))
    }

    fn strictest(&self, applies: impl Fn(&CompiledRule) -> bool) -> Option<Applied> {
        let rule = self
            .rules
            .iter()
            .filter(|rule| applies(rule))
            .max_by_key(|rule| (rule.verdict, usize::MAX - rule.index))?;
        let verb = match rule.verdict {
            RuleVerdict::Allow => "allows it",
            RuleVerdict::Ask => "wants a question first",
            RuleVerdict::Deny => "forbids it",
        };
        Some(Applied {
            verdict: rule.verdict,
            name: format!("rules[{}]", rule.index),
            reason: rule.reason.clone().unwrap_or_else(|| format!("a rule of yours {verb}")),
        })
    }
}

impl CompiledRule {
    fn fits_tool(&self, tool: &str) -> bool {
        self.tool.as_ref().is_none_or(|glob| glob.is_match(tool))
    }

    /// An allow rule must cover every path, any other rule is hit by one.
    fn fits_paths(&self, paths: &[String]) -> bool {
        let Some(globs) = &self.path else { return true };
        let fits = |path: &String| globs.iter().any(|glob| glob.is_match(path));
        match self.verdict {
            RuleVerdict::Allow => !paths.is_empty() && paths.iter().all(fits),
            RuleVerdict::Ask | RuleVerdict::Deny => paths.iter().any(fits),
        }
    }
}

fn compile(index: usize, rule: &Rule) -> Result<CompiledRule, RuleProblem> {
    if rule.tool.is_none() && rule.command.is_none() && rule.path.is_none() {
        return Err(RuleProblem::Empty { index });
    }
    let glob = |field, pattern: &str| {
        protect::glob(pattern, field, false).map_err(|problem| RuleProblem::Glob {
            index,
            field,
            pattern: pattern.to_owned(),
            why: problem.why,
        })
    };
    let command = match &rule.command {
        None => None,
        Some(text) => {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            if words.is_empty() || text.contains([';', '|', '&', '$', '`', '\n']) {
                return Err(RuleProblem::Command { index, command: text.clone() });
            }
            Some(words)
        }
    };
    let path = match &rule.path {
        None => None,
        Some(pattern) => {
            let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
            Some(vec![glob("path", pattern)?, glob("path", &format!("{pattern}/**"))?])
        }
    };
    let compiled = CompiledRule {
        index,
        verdict: rule.verdict,
        reason: rule.reason.clone(),
        tool: rule.tool.as_deref().map(|pattern| glob("tool", pattern)).transpose()?,
        command,
        path,
    };
    for example in &rule.examples.matches {
        if !fits_example(&compiled, example) {
            return Err(RuleProblem::ShouldMatch { index, example: example.clone() });
        }
    }
    for example in &rule.examples.not_matches {
        if fits_example(&compiled, example) {
            return Err(RuleProblem::ShouldNotMatch { index, example: example.clone() });
        }
    }
    Ok(compiled)
}

/// An example is a command for a rule with `command`, a path for one with `path`, else a tool's name.
fn fits_example(rule: &CompiledRule, example: &str) -> bool {
    if let Some(words) = &rule.command {
        let nowhere = Surroundings { root: "/project".into(), ..Surroundings::default() };
        let parts = judge::judge(example, "/project", &nowhere, &protect::Protection::default());
        let fits = |part: &Part| fits_command(words, part, rule.verdict) && rule.fits_paths(&part.paths);
        return match rule.verdict {
            RuleVerdict::Allow => parts.iter().all(fits),
            RuleVerdict::Ask | RuleVerdict::Deny => parts.iter().any(fits),
        };
    }
    match &rule.path {
        Some(_) => rule.fits_paths(&[example.trim_start_matches("./").to_owned()]),
        None => rule.fits_tool(example),
    }
}

/// Whether a part starts with the rule's words. A rule that allows is taken literally; one that forbids or
/// asks also hits the same program under another directory or with options before the second word.
fn fits_command(words: &[String], part: &Part, verdict: RuleVerdict) -> bool {
    if part.words.is_empty() {
        return false;
    }
    let starts = |candidate: &[String]| {
        candidate.len() >= words.len() && candidate.iter().zip(words).all(|(a, b)| a == b)
    };
    if verdict == RuleVerdict::Allow {
        return !part.disguised && starts(&part.words);
    }
    let mut bare: Vec<String> = part.words.clone();
    bare[0] = bare[0].rsplit('/').next().unwrap_or_default().to_owned();
    if starts(&part.words) || starts(&bare) {
        return true;
    }
    let without_options: Vec<String> = bare
        .iter()
        .enumerate()
        .filter(|(at, word)| *at == 0 || !word.starts_with('-'))
        .map(|(_, word)| word.clone())
        .collect();
    starts(&without_options)
}
