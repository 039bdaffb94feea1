//! fwai beside agents from a package registry: one scripted model server on loopback, one task, one table.
//!
//! `agents_bench FWAI [--steps N] [--agents DIR]` prints one JSON object. `DIR` is an npm directory in which
//! the other agents are installed; those that it lacks are left out and named. The task is N shell commands,
//! one for each answer of the model; half of them need a shell (`own_ms` tells them apart). The time between two requests includes the server's own answer, the same
//! for everyone, so it is an upper bound of the agent's own time; `bare loop` is the floor of this machine.

mod agents;
mod measure;

use agents::Agent;
use serde_json::{Value, json};
use std::path::PathBuf;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().expect("agents_bench FWAI [--steps N] [--agents DIR]");
    let (mut steps, mut others) = (100, None);
    while let Some(option) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match option.as_str() {
            "--steps" => steps = value.parse().expect("a number of steps"),
            "--agents" => others = Some(PathBuf::from(value)),
            other => panic!("unknown option {other}"),
        }
    }
    let mut contestants = vec![Agent::fwai(&program), Agent::bare_loop()];
    contestants.extend(others.iter().flat_map(|directory| Agent::installed(directory)));
    let mut table = serde_json::Map::new();
    for agent in contestants {
        let entry = match measure::agent(&agent, steps) {
            Ok(figures) => figures,
            Err(why) => json!({"left_out": why}),
        };
        eprintln!("{}: {entry}", agent.name);
        table.insert(agent.name.to_owned(), entry);
    }
    println!("{}", Value::Object(table));
}
