//! `fwai evidence diff`: what differs between two runs.

use crate::{
    context::Context,
    failure::Failure,
    language::say,
    render::clean::{clean, clean_line},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Compare two runs, field by field
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The earlier run
    old: String,
    /// The later run
    #[arg(default_value = "latest")]
    new: String,
}

/// Fields that differ between any two runs and say nothing.
const ALWAYS_DIFFERENT: [&str; 4] = ["run_id", "start_time", "end_time", "signature"];

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let (old, new) = (super::load(context, &args.old)?, super::load(context, &args.new)?);
    let (before, after) = (fields(&old), fields(&new));
    let names = before.keys().chain(after.keys()).collect::<std::collections::BTreeSet<_>>();
    let differences: Vec<_> = names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| json!({"field": name, "old": before.get(name), "new": after.get(name)}))
        .collect();
    if context.json() {
        context.print_json(&json!({"old": old.run_id, "new": new.run_id, "differences": differences}));
        return Ok(());
    }
    context.print(format_args!("{} → {}", clean_line(&old.run_id), clean_line(&new.run_id)));
    if differences.is_empty() {
        context.print(say!("evidence-no-difference"));
    }
    let red = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Red.into()));
    let green = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Green.into()));
    for difference in differences {
        context.print(clean_line(difference["field"].as_str().unwrap_or_default()));
        if !difference["old"].is_null() {
            context.print(format_args!("  {red}- {}{red:#}", plain(&difference["old"])));
        }
        if !difference["new"].is_null() {
            context.print(format_args!("  {green}+ {}{green:#}", plain(&difference["new"])));
        }
    }
    Ok(())
}

fn fields(evidence: &fwai_schema::evidence::Evidence) -> BTreeMap<String, Value> {
    let mut value = serde_json::to_value(evidence).expect("evidence is plain data");
    if let Some(map) = value.as_object_mut() {
        map.retain(|name, _| !ALWAYS_DIFFERENT.contains(&name.as_str()));
    }
    let mut found = BTreeMap::new();
    flatten(value, String::new(), &mut found);
    found
}

fn flatten(value: Value, path: String, found: &mut BTreeMap<String, Value>) {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (name, below) in map {
                let path = join(&name);
                flatten(below, path, found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (position, below) in items.into_iter().enumerate() {
                flatten(below, join(&position.to_string()), found);
            }
        }
        Value::Object(_) | Value::Array(_) | Value::Null => {}
        leaf => {
            found.insert(path, leaf);
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text),
        other => other.to_string(),
    }
}
