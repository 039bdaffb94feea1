//! What is said in plain words: a skill where the words mean one, else the agent.
//!
//! Only the cheap layers of the intents are asked here. What they leave open goes to the agent, which can
//! run skills itself.

use super::{Next, Repl, line_editor, one_key};
use crate::{
    commands::run as skill_command,
    context::Context,
    failure::Failure,
    language::say,
    output,
    render::{
        Abilities, palette,
        text::{Line, Span},
    },
};
use crossterm::event::KeyCode;
use fwai_agent::intents::{self, Thresholds, Verdict, normalise, reading};
use fwai_app::provider;
use std::collections::BTreeMap;

/// What the person chose.
enum Choice {
    Skill(String),
    Agent,
    Neither,
}

pub fn run(line: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let choice = match understood(line, &repl.context) {
        Verdict::Chat => Choice::Agent,
        Verdict::Run { skill } => {
            repl.context.note(say!("run-words-meant", skill = skill));
            Choice::Skill(skill)
        }
        Verdict::Ask { skills } => ask(&repl.context, &skills)?,
    };
    match choice {
        Choice::Skill(skill) => skill_command::in_session(repl, &skill, BTreeMap::new())?,
        Choice::Agent => {
            let command = command_for(line, &repl.context);
            repl.say(line).map_err(|failure| match command {
                Some(command) => failure.hint(format_args!("`{command}` does it without a model")),
                None => failure,
            })?;
        }
        Choice::Neither => {}
    }
    Ok(Next::Continue)
}

/// The command that does what was said, where there is no agent to say it to.
fn command_for(line: &str, context: &Context) -> Option<&'static str> {
    const COMMANDS: &[(&str, &str)] = &[
        ("flash", "/flash"),
        ("test", "/run build_and_test"),
        ("build", "/build"),
        ("monitor", "/monitor"),
        ("size", "/memory"),
        ("no_boot", "/run diagnose_boot"),
        ("crash", "/run diagnose_boot"),
    ];
    if context.config().is_ok_and(|layered| provider::choose(&layered.config.provider).is_ok()) {
        return None;
    }
    let meant = reading::read(&normalise::core(&normalise::normalised(line)), line.ends_with('?'), &[]);
    if meant.negated || meant.question || meant.unknown > 1 {
        return None;
    }
    COMMANDS.iter().find(|(concept, _)| meant.concepts.contains(*concept)).map(|(_, command)| *command)
}

fn understood(line: &str, context: &Context) -> Verdict {
    let Ok(layered) = context.config() else { return Verdict::Chat };
    let config = &layered.config.intent;
    // Whoever attaches a file wants to talk about it.
    if !config.enabled || line.contains('@') {
        return Verdict::Chat;
    }
    let thresholds = Thresholds { run: config.run_threshold, ask: config.ask_threshold };
    intents::resolve(line, &skill_command::candidates(context), thresholds).verdict
}

/// One key: a skill, or the agent.
fn ask(context: &Context, skills: &[String]) -> Result<Choice, Failure> {
    let option =
        |(at, name): (usize, &String)| format!("[{}] {}", at + 1, say!("run-words-skill", skill = name));
    let keys: Vec<String> = skills.iter().take(9).enumerate().map(option).collect();
    let (agent, neither) = (say!("run-words-agent"), say!("run-words-neither"));
    let signs = Abilities::of_stderr();
    let mark = Line(vec![
        Span::new(signs.sign("◆ ", "* "), palette::QUESTION),
        Span::new(say!("run-words-may"), palette::BOLD),
    ]);
    output::error_line(&mark.paint(signs.colours));
    let prompt = format!("{}  [a] {agent}  [n] {neither} ", keys.join("  "));
    let answer = match line_editor::is_possible() {
        true => one_key::ask(&prompt, &choice).unwrap_or_default(),
        false => context.ask(&prompt)?,
    };
    Ok(match answer.trim() {
        "a" | "agent" => Choice::Agent,
        // A yes means the first one.
        "y" | "yes" => skills.first().map_or(Choice::Neither, |skill| Choice::Skill(skill.clone())),
        number => match number.parse::<usize>().ok().and_then(|number| skills.get(number.checked_sub(1)?)) {
            Some(skill) => Choice::Skill(skill.clone()),
            None => Choice::Neither,
        },
    })
}

/// The key of a choice; Enter takes the first, Esc none.
fn choice(code: KeyCode) -> Option<String> {
    match code {
        KeyCode::Char(letter) if letter.is_ascii_digit() || "yan".contains(letter) => {
            Some(letter.to_string())
        }
        KeyCode::Enter => Some("1".to_owned()),
        KeyCode::Esc => Some(String::new()),
        _ => None,
    }
}
