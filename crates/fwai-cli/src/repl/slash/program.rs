//! A command of the program, typed after a slash.

use super::{Next, Repl};
use crate::{
    busy,
    cli::Cli,
    commands,
    failure::{Failure, Kind},
    language::{self, say},
    terminal_mode,
};
use clap::Parser;

/// What a command means that cannot stand alone.
const ALONE: &[(&str, &str)] = &[
    ("audit", "verify --all"),
    ("board", "list"),
    ("config", "show"),
    ("evidence", "list"),
    ("policy", "show"),
    ("provider", "list"),
    ("security", "scan ."),
    ("sessions", "list"),
];

/// Whether the keys belong to a command while it runs. What only asks now and then gets them for its question.
fn takes_keys(name: &str, words: &[String]) -> bool {
    let is_given = |flag: &str| words.iter().any(|word| word.starts_with(flag));
    match name {
        "monitor" | "demo" => true,
        // A debugger with its commands on the line talks to nobody.
        "debug" => !is_given("-c") && !is_given("--command"),
        _ => false,
    }
}

/// Commands that may change what the session is made of.
const CHANGES: &[&str] = &["config", "provider", "policy", "trust", "init", "board"];

/// Parses and runs the line as the command line would.
pub fn run(name: &str, line: &str, repl: &mut Repl) -> Result<Next, Failure> {
    let mut words = shlex::split(line).ok_or_else(|| Failure::usage(say!("repl-open-quote")))?;
    if let (1, Some((_, more))) = (words.len(), ALONE.iter().find(|(alone, _)| *alone == name)) {
        words.extend(more.split(' ').map(str::to_owned));
    }
    let words: Vec<String> = std::iter::once("fwai".to_owned()).chain(words).collect();
    match Cli::try_parse_from(&words) {
        Ok(cli) => {
            let inside = repl.context.with_flags(cli.global);
            let outcome = match takes_keys(name, &words) {
                true => terminal_mode::while_cooked(|| commands::run(cli.command, &inside)),
                false => {
                    let busy = busy::with_keys(&format!("/{line}"), &mut repl.queue);
                    let outcome = commands::run(cli.command, &inside);
                    if let Some(queue) = busy.and_then(busy::Busy::end) {
                        repl.queue = queue;
                    }
                    // Whoever interrupts wants to decide anew.
                    if matches!(&outcome, Err(failure) if failure.kind == Kind::Interrupted) {
                        let waiting = repl.queue.take_all();
                        repl.queue.typed.set(&waiting);
                    }
                    outcome
                }
            };
            if CHANGES.contains(&name) {
                repl.reload(Vec::new());
            }
            outcome.map(|()| Next::Continue)
        }
        Err(error) if !error.use_stderr() => {
            let help = language::command().try_get_matches_from(&words).err().unwrap_or(error);
            repl.context.note(language::shown(&help.render().ansi().to_string()));
            Ok(Next::Continue)
        }
        Err(error) => {
            let told = language::mistake(&words, &error);
            // Its last line says `--help`, which is said otherwise here.
            let told = match told.rsplit_once("\n\n") {
                Some((told, last)) if last.contains("--help") => told.to_owned(),
                _ => told,
            };
            Err(Failure::usage(told).hint(format_args!("/help {name}")))
        }
    }
}
