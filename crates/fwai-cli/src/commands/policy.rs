//! `fwai policy`: what may happen here, why, and the rules that say so.

use crate::{
    context::Context,
    failure::Failure,
    language::{permission, say},
};
use clap::Subcommand;
use fwai_app::{effective_policy, remembered, walls};
use fwai_policy::{PolicyEngine, Request, Surroundings};
use fwai_schema::{
    config::SandboxWalls,
    permission::{Mode, Verdict},
    policy::{Policy, Rule, RuleVerdict},
};
use fwai_tools::sandbox::Sandbox;
use serde_json::json;

/// Explain and change what is allowed
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai policy check \"ls && rm -rf ~\"\n  fwai policy check --mode ask \"make\"\n  fwai policy rules list\n  fwai policy rules add allow \"git push\"\n  fwai policy rules remove 0\n  fwai policy show"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what would happen with a shell command, and why
    Check {
        /// The command as it would be typed
        command: String,
        /// plan, ask, auto or yolo; the configured one where absent
        #[arg(long, value_parser = mode)]
        mode: Option<Mode>,
        /// Directory in which it would run, relative to the project
        #[arg(long)]
        cwd: Option<String>,
    },
    /// The rules that hold here
    Rules {
        #[command(subcommand)]
        command: Option<RulesCommand>,
    },
    /// The whole policy that holds here
    Show,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// List them; those with a number can be removed
    List,
    /// Remember a rule for this project
    Add {
        /// allow, ask or deny
        #[arg(value_parser = verdict)]
        verdict: RuleVerdict,
        /// First words of the command, for instance "git push"
        command: Option<String>,
        /// Tool name or glob
        #[arg(long)]
        tool: Option<String>,
        /// Glob of a path that the call touches
        #[arg(long)]
        path: Option<String>,
        /// Why; shown when the rule decides
        #[arg(long)]
        reason: Option<String>,
    },
    /// Forget a remembered rule
    Remove {
        /// Its number in `fwai policy rules list`
        number: usize,
    },
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::Check { command, mode, cwd } => check(context, &command, mode, cwd),
        Command::Rules { command: None | Some(RulesCommand::List) } => list(context),
        Command::Rules { command: Some(RulesCommand::Add { verdict, command, tool, path, reason }) } => {
            add(context, Rule { tool, command, path, verdict, reason, ..Rule::default() })
        }
        Command::Rules { command: Some(RulesCommand::Remove { number }) } => remove(context, number),
        Command::Show => show(context),
    }
}

fn check(context: &Context, command: &str, mode: Option<Mode>, cwd: Option<String>) -> Result<(), Failure> {
    let config = &context.config()?.config;
    let policy = policy(context)?;
    let mode = mode.unwrap_or(config.agent.mode);
    let has_walls = walls::wanted(config, &policy) == SandboxWalls::Required && Sandbox::probe().has_walls();
    let engine = engine(context, &policy, has_walls)?;
    let request = Request { cwd, ..Request::shell(command) };
    let decision = engine.decide(&request, mode);
    if context.json() {
        let mut object = serde_json::to_value(&decision).expect("plain data");
        object["mode"] = json!(mode);
        object["command"] = json!(command);
        context.print_json(&object);
        return Ok(());
    }
    let reason = permission(&decision.reason);
    context.print(match decision.verdict {
        Verdict::Allow => say!("policy-allow", reason = reason),
        Verdict::Ask => say!("policy-ask", reason = reason),
        Verdict::Deny => say!("policy-deny", reason = reason),
    });
    if let Some(part) = &decision.worst_part {
        context.print(format_args!("  {}", say!("policy-because", part = part)));
    }
    context.print(format_args!("  {}", say!("policy-decided", rule = decision.rule, mode = mode)));
    Ok(())
}

fn list(context: &Context) -> Result<(), Failure> {
    let remembered = remembered::load(&context.paths)?;
    let policy = policy(context)?;
    let fixed: Vec<&Rule> = policy.rules.iter().filter(|rule| !remembered.contains(rule)).collect();
    if context.json() {
        let entry = |number: Option<usize>, rule: &Rule| {
            let mut object = serde_json::to_value(rule).expect("plain data");
            object["number"] = json!(number);
            object
        };
        let rules: Vec<_> = remembered
            .iter()
            .enumerate()
            .map(|(number, rule)| entry(Some(number), rule))
            .chain(fixed.iter().map(|rule| entry(None, rule)))
            .collect();
        let file = remembered::file(&context.paths).display().to_string();
        context.print_json(&json!({"rules": rules, "file": file}));
        return Ok(());
    }
    if remembered.is_empty() && fixed.is_empty() {
        context.print(say!("policy-no-rules"));
    }
    for (number, rule) in remembered.iter().enumerate() {
        context.print(format_args!("{number:>3}  {}", in_words(rule)));
    }
    for rule in fixed {
        context.print(format_args!("  -  {}", say!("policy-fixed-rule", rule = in_words(rule))));
    }
    Ok(())
}

fn in_words(rule: &Rule) -> String {
    let verdict = match rule.verdict {
        RuleVerdict::Allow => "allow",
        RuleVerdict::Ask => "ask",
        RuleVerdict::Deny => "deny",
    };
    let mut text = verdict.to_owned();
    for (name, value) in [("command", &rule.command), ("tool", &rule.tool), ("path", &rule.path)] {
        if let Some(value) = value {
            text.push_str(&format!("  {name} `{value}`"));
        }
    }
    if let Some(reason) = &rule.reason {
        text.push_str(&format!("  ({reason})"));
    }
    text
}

fn add(context: &Context, rule: Rule) -> Result<(), Failure> {
    let alone = Policy { rules: vec![rule.clone()], ..Policy::default() };
    engine(context, &alone, true)?;
    remembered::add(&context.paths, rule.clone())?;
    if context.json() {
        context.print_json(&json!({"added": rule}));
    } else {
        context.print(say!("policy-remembered", rule = in_words(&rule)));
    }
    Ok(())
}

fn remove(context: &Context, number: usize) -> Result<(), Failure> {
    match remembered::remove(&context.paths, number)? {
        Some(rule) if context.json() => context.print_json(&json!({"removed": rule})),
        Some(rule) => context.print(say!("policy-forgotten", rule = in_words(&rule))),
        None => {
            return Err(Failure::usage(format_args!("there is no remembered rule {number}"))
                .hint("fwai policy rules list"));
        }
    }
    Ok(())
}

fn show(context: &Context) -> Result<(), Failure> {
    let policy = fwai_policy::compliance::with_presets(&policy(context)?);
    engine(context, &policy, true)?;
    if context.json() {
        context.print_json(&json!({"policy": policy}));
    } else {
        context.print_code(serde_json::to_string_pretty(&policy).expect("plain data"));
        context.print(say!("policy-always-protected"));
    }
    Ok(())
}

fn policy(context: &Context) -> Result<Policy, Failure> {
    effective_policy::load(&context.paths, &context.config()?.config).map_err(Failure::usage)
}

fn engine(context: &Context, policy: &Policy, walls: bool) -> Result<PolicyEngine, Failure> {
    let config = &context.config()?.config;
    let root = context.paths.project.canonicalize().unwrap_or_else(|_| context.paths.project.clone());
    let surroundings = Surroundings {
        root: root.display().to_string(),
        home: std::env::home_dir().map(|home| home.display().to_string()),
        walls,
        writable: config.sandbox.writable.clone(),
        private: vec![context.paths.user.display().to_string()],
    };
    PolicyEngine::new(policy, surroundings).map_err(Failure::usage)
}

fn mode(text: &str) -> Result<Mode, String> {
    Mode::ALL
        .into_iter()
        .find(|mode| mode.as_str() == text)
        .ok_or_else(|| "say plan, ask, auto or yolo".to_owned())
}

fn verdict(text: &str) -> Result<RuleVerdict, String> {
    match text {
        "allow" => Ok(RuleVerdict::Allow),
        "ask" => Ok(RuleVerdict::Ask),
        "deny" => Ok(RuleVerdict::Deny),
        _ => Err("say allow, ask or deny".to_owned()),
    }
}
