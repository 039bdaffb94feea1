//! What a skill would do, step by step, with nothing run.

use super::choosing;
use crate::{
    context::Context,
    failure::Failure,
    language::{self, say},
};
use fwai_agent::{
    intents::Resolution,
    registry::Registry,
    skills::{
        steps::{asks_model, backoff_ms, kind, milliseconds, retries, step_names, tool_of},
        variables::{self, Reference},
    },
};
use fwai_app::library::Workflow;
use fwai_schema::skill::{OnFail, Step, StepAction};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Prints the steps; with `fill`, inputs stand where they are used.
pub fn show(
    context: &Context,
    workflow: &Workflow,
    tools: &Registry,
    inputs: &BTreeMap<String, String>,
    fill: bool,
    understood: Option<(&str, &Resolution)>,
) -> Result<(), Failure> {
    let skill = &workflow.definition;
    let steps: Vec<Value> = skill
        .steps
        .iter()
        .zip(step_names(skill))
        .map(|(step, name)| told(step, &name, tools, inputs, fill))
        .collect();
    if context.json() {
        context.print_json(&json!({
            "skill": skill.name, "description": skill.description, "file": workflow.source.name.as_ref(),
            "inputs": inputs, "steps": steps, "dry_run": true,
            "intent": understood.map(|(_, resolution)| resolution),
        }));
        return Ok(());
    }
    for line in understood.map(|(words, resolution)| choosing::told(words, resolution)).unwrap_or_default() {
        context.print(line);
    }
    let about = language::of_workflow(workflow);
    context.print(say!("explain-skill", name = skill.name, about = about));
    context.print(format_args!("  {}", say!("explain-from", file = workflow.source.name)));
    for (name, input) in &skill.inputs {
        let value = inputs.get(name).map(|value| format!(" = {value:?}")).unwrap_or_default();
        let named = say!("explain-input", name = name, value = value);
        context.print(format_args!("  {named}  {}", language::of_input(workflow, name, input)));
    }
    for (at, step) in steps.iter().enumerate() {
        let text = |key: &str| step[key].as_str().unwrap_or_default();
        let arguments = match &step["with"] {
            Value::Object(map) if !map.is_empty() => format!(" {}", step["with"]),
            _ => String::new(),
        };
        let does = language::understood(text("does"));
        let line = say!("explain-line", title = text("name"), text = does);
        context.print(format_args!("{:>3}. {line}{arguments}", at + 1));
        let titles = [
            ("when", say!("explain-when")),
            ("on_fail", say!("explain-fails")),
            ("limits", say!("explain-limits")),
        ];
        for (key, title) in titles {
            if !text(key).is_empty() {
                let parts: Vec<String> = text(key).split("; ").map(language::understood).collect();
                let line = say!("explain-line", title = title, text = parts.join("; "));
                context.print(format_args!("       {line}"));
            }
        }
    }
    Ok(())
}

/// Words that mean no skill: how they were read, and that nothing would run.
pub fn nothing(context: &Context, words: &str, resolution: Option<&Resolution>) -> Result<(), Failure> {
    if context.json() {
        context.print_json(&json!({ "skill": null, "steps": [], "dry_run": true, "intent": resolution }));
        return Ok(());
    }
    for line in resolution.map(|resolution| choosing::told(words, resolution)).unwrap_or_default() {
        context.print(line);
    }
    Ok(())
}

fn told(step: &Step, name: &str, tools: &Registry, inputs: &BTreeMap<String, String>, fill: bool) -> Value {
    let lookup = |reference: &Reference| match reference {
        Reference::Input(name) if fill => inputs.get(name).cloned(),
        other => Some(other.to_string()),
    };
    let text = |text: &Option<String>| variables::into_text(text.as_deref().unwrap_or_default(), &lookup);
    let (mut level, mut with) = (Value::Null, json!({}));
    let does = match (&step.tool, step.action) {
        (Some(tool), _) => match tool_of(tool, tools) {
            Some((tool, mut arguments)) => {
                arguments.extend(step.arguments.clone());
                level = json!(tool.level());
                let arguments = Value::Object(arguments.into_iter().collect());
                with = variables::into_arguments(&arguments, "", tool.input_schema(), &lookup);
                format!("tool {}", tool.name())
            }
            None => format!("tool {tool} (unknown)"),
        },
        (None, Some(StepAction::Evidence)) => "puts the evidence of the steps together".to_owned(),
        (None, Some(StepAction::LlmAnalyze)) => {
            format!(
                "asks the model about {}: {}",
                step.input.as_deref().unwrap_or("nothing else"),
                text(&step.prompt)
            )
        }
        (None, Some(StepAction::Agentic)) => {
            let agent = step.agent.as_deref().unwrap_or("general");
            format!("lets the agent {agent} work on: {}", text(&step.goal))
        }
        (None, None) => "nothing".to_owned(),
    };
    let on_fail = match step.on_fail {
        OnFail::Abort => "the skill ends",
        OnFail::Retry => "once more, then the skill ends",
        OnFail::Continue => "it goes on, and the skill has failed",
        OnFail::Ignore => "it goes on as if nothing had happened",
    };
    let mut limits = Vec::new();
    if retries(step) > 0 {
        let wait = backoff_ms(step, 2) as f64 / 1000.0;
        limits.push(format!("{} tries more, the first after {wait} s", retries(step)));
    }
    let limit = step.timeout.as_ref().map(milliseconds);
    limits.extend(limit.map(|limit| format!("{} s a try", limit as f64 / 1000.0)));
    json!({
        "name": name, "kind": kind(step), "does": does, "with": with, "level": level, "when": step.when,
        "on_fail": on_fail, "limits": limits.join("; "), "needs_model": asks_model(step),
    })
}
