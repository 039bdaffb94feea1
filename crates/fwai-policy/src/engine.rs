//! The decision: bounds first (no mode and no rule goes round them), then the user's rules, then the mode
//! and what the call would do.

use crate::{
    decision::Decision,
    hosts, merge,
    paths::{Place, absolute, locate},
    protect::{self, Protection},
    request::{Request, Surroundings},
    rules::{RuleProblem, Rules},
    shell::{
        consequence::{Consequence, Part},
        judge::{judge, writes_only_git},
    },
};
use fwai_schema::{
    permission::{DeviceVerb, Level, Mode, Verdict},
    policy::{Policy, RuleVerdict},
};
use globset::GlobMatcher;

/// A policy, compiled, in its surroundings.
#[derive(Debug, Clone)]
pub struct PolicyEngine {
    policy: Policy,
    surroundings: Surroundings,
    protection: Protection,
    /// Paths that one agent of a session may write, beside the policy's.
    scopes: Vec<Protection>,
    rules: Rules,
    blocked_tools: Vec<GlobMatcher>,
    allowed_tools: Option<Vec<Vec<GlobMatcher>>>,
}

/// What a part or a call is worth before modes look at it.
struct Judged {
    consequence: Consequence,
    why: String,
    fact: String,
    part: Option<String>,
}

impl PolicyEngine {
    /// Compile a policy. Presets of the standards that it names are applied.
    pub fn new(policy: &Policy, surroundings: Surroundings) -> Result<Self, RuleProblem> {
        let policy = crate::compliance::with_presets(policy);
        let tool = |pattern: &str, place| protect::glob(pattern, place, false);
        let blocked_tools = policy
            .blocked_tools
            .iter()
            .map(|name| tool(name, "policy.blocked_tools"))
            .collect::<Result<_, _>>()?;
        let allowed_tools = match &policy.allowed_tools {
            None => None,
            Some(entries) => {
                let compile = |entry: &String| {
                    merge::parts_of(entry).map(|name| tool(name, "policy.allowed_tools")).collect()
                };
                Some(entries.iter().map(compile).collect::<Result<Vec<Vec<_>>, _>>()?)
            }
        };
        Ok(Self {
            protection: Protection::of(&policy)?,
            scopes: Vec::new(),
            rules: Rules::of(&policy)?,
            blocked_tools,
            allowed_tools,
            policy,
            surroundings,
        })
    }

    /// The same engine for an agent with path rules of its own, which can only tighten.
    pub fn scoped(&self, allowed: Option<&[String]>, protected: &[String]) -> Result<Self, RuleProblem> {
        let scope = Policy {
            allowed_paths: allowed.map(<[String]>::to_vec),
            protected_paths: protected.to_vec(),
            ..Policy::default()
        };
        let mut scoped = self.clone();
        scoped.scopes.push(Protection::of(&scope)?);
        Ok(scoped)
    }

    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Why nothing may write this project-relative path, if so.
    pub fn write_refusal(&self, path: &str) -> Option<(&'static str, String)> {
        self.protection.refusal(path).or_else(|| self.scopes.iter().find_map(|scope| scope.refusal(path)))
    }

    /// Whether the tool may be used at all.
    pub fn tool_refusal(&self, tool: &str) -> Option<Decision> {
        if self.blocked_tools.iter().any(|glob| glob.is_match(tool)) {
            return Some(Decision::new(
                Verdict::Deny,
                "policy:blocked_tools",
                format!("policy blocks the tool {tool}"),
            ));
        }
        let allowed = self
            .allowed_tools
            .as_ref()
            .is_none_or(|entries| entries.iter().any(|globs| globs.iter().all(|glob| glob.is_match(tool))));
        if allowed {
            return None;
        }
        Some(Decision::new(
            Verdict::Deny,
            "policy:allowed_tools",
            format!("{tool} is not among the tools that policy allows"),
        ))
    }

    /// Whether the request may happen in this mode.
    pub fn decide(&self, request: &Request, mode: Mode) -> Decision {
        if let Some(refusal) = self.tool_refusal(&request.tool) {
            return refusal;
        }
        let cwd = match &request.cwd {
            Some(cwd) => absolute(&self.surroundings.root, cwd),
            None => self.surroundings.root.clone(),
        };
        let call = self.decide_call(request, &cwd, mode);
        match &request.command {
            None => call,
            Some(line) => worse_of(call, self.decide_command(request, line, &cwd, mode)),
        }
    }

    fn decide_command(&self, request: &Request, line: &str, cwd: &str, mode: Mode) -> Decision {
        let parts = judge(line, cwd, &self.surroundings, &self.protection);
        let needs_network = parts.iter().any(|part| part.consequence == Consequence::LeavesMachine);
        let writes_git = writes_only_git(&parts);
        let whole = parts.len() == 1;
        let worst = parts
            .into_iter()
            .map(|part| {
                let decision = self.decide_part(&request.tool, &part, mode);
                (decision.verdict, part.consequence, decision)
            })
            .reduce(|worst, next| if (next.0, next.1) > (worst.0, worst.1) { next } else { worst });
        let mut decision = match worst {
            Some((_, _, decision)) => decision,
            None => Decision::new(Verdict::Ask, "builtin:not-understood", "there is no command in it"),
        };
        if whole && decision.worst_part.as_deref() == Some(line.trim()) {
            decision.worst_part = None;
        }
        decision.needs_network = needs_network;
        decision.writes_git = writes_git;
        decision
    }

    fn decide_part(&self, tool: &str, part: &Part, mode: Mode) -> Decision {
        let mut consequence = part.consequence;
        let mut why = part.why.clone();
        let mut fact = part.fact.to_owned();
        let written = part.consequence >= Consequence::WritesInside;
        if written
            && let Some((rule, reason)) =
                part.paths.iter().find_map(|path| self.scopes.iter().find_map(|scope| scope.refusal(path)))
        {
            (consequence, why, fact) = (Consequence::Forbidden, reason, rule.to_owned());
        }
        let text = Some(part.text.clone()).filter(|text| !text.is_empty());
        let judged = Judged { consequence, why, fact, part: text };
        self.by_mode(judged, self.rules.for_part(tool, part), mode, false)
    }

    fn decide_call(&self, request: &Request, cwd: &str, mode: Mode) -> Decision {
        let mut judged = Judged {
            consequence: Consequence::Reads,
            why: "only reads".into(),
            fact: "builtin:read-only".into(),
            part: None,
        };
        let mut raise = |consequence, why: String, fact: &str| {
            if consequence > judged.consequence {
                judged = Judged { consequence, why, fact: fact.into(), part: None };
            }
        };
        let mut paths = Vec::new();
        for path in &request.reads {
            match self.locate_operand(cwd, path) {
                Place::Inside(path) => paths.push(path),
                Place::Scratch | Place::System(_) => {}
                Place::Private(path) => {
                    raise(Consequence::Forbidden, format!("{path} holds secrets"), "policy:private-paths")
                }
                Place::Elsewhere(path) => {
                    raise(
                        Consequence::ReadsOutside,
                        format!("reads {path}, which is outside the project"),
                        "builtin:outside-project",
                    );
                }
            }
        }
        for path in &request.writes {
            match self.locate_operand(cwd, path) {
                Place::Inside(path) => {
                    let plan = request.plan_path.as_deref() == Some(path.as_str());
                    match self.write_refusal(&path).filter(|_| !plan) {
                        Some((rule, why)) => raise(Consequence::Forbidden, why, rule),
                        None if plan => {}
                        None => raise(
                            Consequence::WritesInside,
                            format!("writes {path}, which undo can restore"),
                            "builtin:writes",
                        ),
                    }
                    paths.push(path);
                }
                Place::Private(path) => {
                    raise(Consequence::Forbidden, format!("{path} holds secrets"), "policy:private-paths")
                }
                Place::Scratch | Place::System(_) | Place::Elsewhere(_) => {
                    raise(
                        Consequence::Forbidden,
                        format!("{path} is outside the project"),
                        "policy:outside-project",
                    );
                }
            }
        }
        for url in &request.urls {
            match hosts::check(&self.policy.network, url) {
                Ok(host) => raise(Consequence::LeavesMachine, format!("contacts {host}"), "builtin:network"),
                Err(refusal) => raise(Consequence::Forbidden, refusal.to_string(), "policy:network"),
            }
        }
        match request.level {
            // The level is what the tool can do at most; for these the request itself says what it does.
            Level::Read => {}
            Level::Write if !request.writes.is_empty() => {}
            Level::Execute if request.command.is_some() => {}
            Level::Write => {
                raise(Consequence::WritesInside, "changes what undo can restore".into(), "builtin:writes")
            }
            Level::Execute => {
                raise(Consequence::Runs, format!("{} runs programs", request.tool), "builtin:runs-program")
            }
            Level::Network => raise(
                Consequence::LeavesMachine,
                format!("{} uses the network", request.tool),
                "builtin:network",
            ),
            Level::Device(verb) if request.virtual_board && verb != DeviceVerb::Fuse => {
                raise(
                    Consequence::WritesInside,
                    "a virtual board forgets everything".into(),
                    "builtin:virtual-board",
                );
            }
            Level::Device(verb) => {
                raise(Consequence::TouchesBoard(verb), device_words(verb).into(), "builtin:board")
            }
        }
        let rule = self.rules.for_call(&request.tool, &paths);
        self.by_mode(judged, rule, mode, request.virtual_board)
    }

    fn locate_operand(&self, cwd: &str, path: &str) -> Place {
        locate(&self.surroundings, cwd, path, path == "~" || path.starts_with("~/"))
    }

    fn by_mode(
        &self,
        judged: Judged,
        rule: Option<crate::rules::Applied>,
        mode: Mode,
        virtual_board: bool,
    ) -> Decision {
        let Judged { consequence, why, fact, part } = judged;
        let decision = |verdict, rule: String, reason: String| Decision {
            worst_part: part.clone(),
            ..Decision::new(verdict, rule, reason)
        };
        if consequence == Consequence::Forbidden {
            return decision(Verdict::Deny, fact, why);
        }
        if let Some(rule) = rule.as_ref().filter(|rule| rule.verdict == RuleVerdict::Deny) {
            return decision(Verdict::Deny, rule.name.clone(), rule.reason.clone());
        }
        let harmless = consequence == Consequence::Reads;
        if mode == Mode::Plan && !harmless {
            let verdict = match consequence {
                // The kernel keeps everything read-only in plan mode, so a person may let these run.
                Consequence::Runs | Consequence::NotUnderstood | Consequence::ReadsOutside => Verdict::Ask,
                _ => Verdict::Deny,
            };
            return decision(verdict, "mode:plan".into(), format!("plan mode only reads: {why}"));
        }
        if let Some(rule) = rule.as_ref().filter(|rule| rule.verdict == RuleVerdict::Ask) {
            return decision(Verdict::Ask, rule.name.clone(), rule.reason.clone());
        }
        // The flash guard and fuses are bounds: neither a rule nor `yolo` skips the question.
        if let Consequence::TouchesBoard(verb) = consequence {
            let guarded =
                self.policy.flash_guard.require_confirmation && verb >= DeviceVerb::Flash && !virtual_board;
            if verb == DeviceVerb::Fuse || guarded {
                let fact = if verb == DeviceVerb::Fuse { "builtin:fuse" } else { "policy:flash_guard" };
                return decision(Verdict::Ask, fact.into(), why);
            }
        }
        if let Some(rule) = rule {
            return decision(Verdict::Allow, rule.name, rule.reason);
        }
        let allowed = match mode {
            Mode::Plan | Mode::Ask => harmless,
            Mode::Auto => match consequence {
                Consequence::Reads | Consequence::WritesInside => true,
                Consequence::Runs => self.surroundings.walls,
                _ => false,
            },
            Mode::Yolo => true,
        };
        let fact = if mode == Mode::Yolo && !harmless { "mode:yolo".to_owned() } else { fact };
        let reason = match (consequence, mode) {
            (Consequence::Runs, Mode::Auto) if !self.surroundings.walls => {
                format!("{why}; there is no sandbox around it")
            }
            (Consequence::NotUnderstood, _) => format!("fwai cannot tell what it does: {why}"),
            _ => why,
        };
        decision(if allowed { Verdict::Allow } else { Verdict::Ask }, fact, reason)
    }
}

/// Whether the request may happen, for callers that hold an engine.
pub fn decide(request: &Request, engine: &PolicyEngine, mode: Mode) -> Decision {
    engine.decide(request, mode)
}

fn worse_of(a: Decision, b: Decision) -> Decision {
    if a.verdict > b.verdict {
        Decision { needs_network: b.needs_network, writes_git: b.writes_git, ..a }
    } else {
        b
    }
}

fn device_words(verb: DeviceVerb) -> &'static str {
    match verb {
        DeviceVerb::Reset => "restarts the board",
        DeviceVerb::Flash => "writes to the board",
        DeviceVerb::Erase => "erases the board",
        DeviceVerb::Fuse => "burns fuses, which nothing undoes",
    }
}
