//! Permissions that a person gave for the rest of the session, and the rules that "always" makes of them.
//!
//! A permission covers calls that are alike: the same tool with a command that begins with the same
//! words, or with the same paths. It never covers a denial.

use fwai_agent::host::CallRequest;
use fwai_schema::{
    permission::{DeviceVerb, Level},
    policy::{Rule, RuleVerdict},
};
use std::sync::Mutex;

/// What was permitted in this session.
#[derive(Default)]
pub struct Permits {
    granted: Mutex<Vec<Kind>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    tool: String,
    level: Level,
    command: Option<String>,
    network: bool,
    paths: Vec<String>,
}

impl Permits {
    pub fn grant(&self, call: &CallRequest) {
        self.granted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(kind(call));
    }

    pub fn covers(&self, call: &CallRequest) -> bool {
        // What cannot be taken back is asked for each time.
        if matches!(call.level, Level::Device(DeviceVerb::Erase | DeviceVerb::Fuse)) {
            return false;
        }
        let wanted = kind(call);
        self.granted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).contains(&wanted)
    }
}

fn kind(call: &CallRequest) -> Kind {
    Kind {
        tool: call.tool.clone(),
        level: call.level,
        command: call.effects.command.clone(),
        network: !call.effects.urls.is_empty(),
        paths: call.effects.writes.clone(),
    }
}

/// The rule that lets calls of this kind pass from now on.
pub fn rule(call: &CallRequest) -> Rule {
    Rule {
        tool: Some(call.tool.clone()),
        command: call.effects.command.as_deref().map(first_words),
        path: call.effects.writes.first().cloned(),
        verdict: RuleVerdict::Allow,
        reason: Some("you answered \"always\"".to_owned()),
        ..Rule::default()
    }
}

/// Program and subcommand: `git push`, `make flash`. A longer line is taken whole, so that a rule never
/// permits more than was seen.
fn first_words(command: &str) -> String {
    let command = command.trim();
    let simple = !command.contains(['|', '&', ';', '\n', '$', '`', '<', '>', '(']);
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        [program, sub, ..] if simple && !sub.starts_with('-') => format!("{program} {sub}"),
        _ => command.to_owned(),
    }
}

/// What will happen, for the person who is asked.
pub fn in_words(call: &CallRequest) -> String {
    let network = if call.effects.urls.iter().any(|url| url == "*") { ", with the network open" } else { "" };
    match (&call.effects.command, call.effects.writes.first(), call.effects.urls.first(), call.level) {
        (Some(command), ..) => format!("run `{command}` in the sandbox{network}"),
        (_, Some(path), ..) => {
            format!("{} {path}", if call.tool == "write_file" { "write" } else { "change" })
        }
        (_, _, Some(url), _) => format!("fetch {url}"),
        (.., Level::Device(DeviceVerb::Flash)) => "write the built image to the board".to_owned(),
        (.., Level::Device(DeviceVerb::Reset)) => "restart the board".to_owned(),
        (.., Level::Device(DeviceVerb::Erase)) => "erase the board's memory".to_owned(),
        (.., Level::Device(DeviceVerb::Fuse)) => "burn fuses, which nothing can undo".to_owned(),
        _ => format!("use {} {}", call.tool, call.arguments),
    }
}
