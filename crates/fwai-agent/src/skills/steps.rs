//! What the steps of a skill are called and which tool each of them means.

use crate::{registry::Registry, tool::DynTool};
use fwai_schema::skill::{OnFail, SkillDef, Step, StepAction, TimeSpan};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

/// Short names for the firmware tools, where the project defines no tool of that name itself.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("build", "build_firmware"),
    ("test", "run_tests"),
    ("flash", "flash_board"),
    ("monitor", "read_console"),
    ("reset", "reset_board"),
    ("memory", "memory_analysis"),
    ("debug", "gdb"),
];

/// Arguments of a tool by name.
type Arguments = BTreeMap<String, Value>;

/// The tool that a step names, and the arguments that the short name implies.
pub fn tool_of<'a>(name: &str, registry: &'a Registry) -> Option<(&'a Arc<dyn DynTool>, Arguments)> {
    if let Some(tool) = registry.get(name) {
        return Some((tool, BTreeMap::new()));
    }
    let (short, long) = SHORT_NAMES.iter().find(|(short, _)| *short == name)?;
    let mut implied = BTreeMap::new();
    if *short == "monitor" {
        implied.insert("wait_for_boot".to_owned(), json!(true));
    }
    Some((registry.get(long)?, implied))
}

/// What every step is called, in order: its name, or its tool or action, with a number where that is taken.
pub fn step_names(skill: &SkillDef) -> Vec<String> {
    let mut taken: HashSet<String> = skill.steps.iter().filter_map(|step| step.name.clone()).collect();
    let mut names = Vec::new();
    for step in &skill.steps {
        let name = match &step.name {
            Some(name) => name.clone(),
            None => {
                let stem = kind(step);
                let mut name = stem.clone();
                let mut number = 2;
                while !taken.insert(name.clone()) {
                    name = format!("{stem}_{number}");
                    number += 1;
                }
                name
            }
        };
        names.push(name);
    }
    names
}

/// The tool, or the action.
pub fn kind(step: &Step) -> String {
    match (&step.tool, step.action) {
        (Some(tool), _) => tool.clone(),
        (None, Some(StepAction::Evidence)) => "evidence".into(),
        (None, Some(StepAction::LlmAnalyze)) => "llm_analyze".into(),
        (None, Some(StepAction::Agentic)) => "agentic".into(),
        (None, None) => "nothing".into(),
    }
}

/// Whether a step asks a model.
pub fn asks_model(step: &Step) -> bool {
    matches!(step.action, Some(StepAction::LlmAnalyze | StepAction::Agentic))
}

/// The steps that cannot be left out where no model is set.
pub fn steps_that_need_a_model(skill: &SkillDef) -> Vec<String> {
    let names = step_names(skill);
    let needs = |step: &Step| asks_model(step) && step.on_fail != OnFail::Ignore;
    skill.steps.iter().zip(names).filter(|(step, _)| needs(step)).map(|(_, name)| name).collect()
}

/// How often a step is tried again, and the milliseconds before try `attempt` (2, 3, …).
pub fn retries(step: &Step) -> u32 {
    match (&step.retry, step.on_fail) {
        (Some(retry), _) => retry.times,
        (None, OnFail::Retry) => 1,
        (None, _) => 0,
    }
}

/// Milliseconds to wait before try number `attempt`; the first try is 1. Doubles each time, an hour at most.
pub fn backoff_ms(step: &Step, attempt: u32) -> u64 {
    let first = step.retry.as_ref().map_or(0, |retry| milliseconds(&retry.backoff));
    let doubled = first.saturating_mul(1_u64 << attempt.saturating_sub(2).min(20));
    doubled.min(3_600_000)
}

/// Whole milliseconds of a time; what is no time at all is none, and a checked skill has none of those.
pub fn milliseconds(time: &TimeSpan) -> u64 {
    (time.seconds().unwrap_or(0.0).max(0.0) * 1_000.0).round() as u64
}
