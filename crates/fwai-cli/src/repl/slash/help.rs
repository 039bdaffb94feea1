//! `/help`: everything that can be said, in groups; with a name, everything about one command.

use super::{Next, OWN, Repl, list, own, spoken, unknown};
use crate::{
    context::Context,
    failure::Failure,
    language::{self, say},
    render::{
        abilities,
        text::{Indent, Span, wrap},
    },
};

/// A title in the user's language, and commands.
type Group = (fn() -> String, &'static [&'static str]);

/// Groups, in the order in which they are read.
const GROUPS: &[Group] = &[
    (
        || say!("repl-group-conversation"),
        &[
            "plan", "act", "mode", "model", "todos", "open", "compact", "cost", "new", "resume", "fork",
            "sessions",
        ],
    ),
    (
        || say!("repl-group-firmware"),
        &["init", "build", "flash", "monitor", "debug", "memory", "board", "sbom"],
    ),
    (|| say!("repl-group-agents"), &["agents", "agent", "skills", "run", "intent", "demo", "ask"]),
    (|| say!("repl-group-done"), &["diff", "undo", "evidence", "audit", "export", "security"]),
    (|| say!("repl-group-settings"), &["config", "provider", "policy", "trust", "doctor"]),
    (|| say!("repl-group-and"), &["help", "quit"]),
];

/// The group in which a command stands.
#[cfg(test)]
pub fn group_of(name: &str) -> Option<String> {
    GROUPS.iter().find(|(_, names)| names.contains(&name)).map(|(title, _)| title())
}

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    match rest.trim_start_matches('/') {
        "" => overview(repl),
        name => one(name, repl)?,
    }
    Ok(Next::Continue)
}

fn overview(repl: &Repl) {
    let context = &repl.context;
    let bold = anstyle::Style::new().bold();
    let known = list();
    let narrow = columns() < 60;
    for (title, names) in GROUPS {
        context.print(format_args!("{bold}{}{bold:#}", title()));
        for name in *names {
            let Some((_, help)) = known.iter().find(|(known, _)| known == name) else { continue };
            let words = own(name).map(|slash| slash.words).unwrap_or_default();
            let called = format!("/{name} {words}");
            match narrow {
                true => {
                    print(context, "  ", "  ", called.trim_end());
                    print(context, "    ", "    ", help);
                }
                false => {
                    let called = format!("  {} ", language::pad(called.trim_end(), 28));
                    print(context, &called, &" ".repeat(31), help);
                }
            }
        }
        context.print("");
    }
    print(context, "", "", &say!("repl-help-rest"));
    print(context, "", "", &say!("repl-help-working"));
}

/// Text that breaks between words, with something before its first line and before the others.
fn print(context: &Context, first: &str, rest: &str, text: &str) {
    let indent = Indent { first: vec![Span::plain(first)], rest: vec![Span::plain(rest)] };
    for line in wrap(&[Span::plain(text)], columns(), &indent) {
        context.print(line.paint(false));
    }
}

fn columns() -> usize {
    abilities::size().0.saturating_sub(1)
}

/// Options that every command has are the same here as everywhere; they would hide the command's own.
fn without_global_options(help: &str) -> String {
    let is_title = |block: &&str| block.contains("--json") && block.contains("--base-url");
    help.split("\n\n").filter(|block| !is_title(block)).collect::<Vec<_>>().join("\n\n")
}

fn one(name: &str, repl: &Repl) -> Result<(), Failure> {
    let mut cli = language::command();
    cli.build();
    let shared = cli.find_subcommand_mut(name).filter(|_| super::names().iter().any(|known| known == name));
    let bold = anstyle::Style::new().bold();
    let slash = OWN.iter().find(|slash| slash.name == name);
    if let Some(slash) = slash {
        let called = format!("/{} {}", slash.name, slash.words);
        repl.context.print(format_args!("{bold}{}{bold:#}", called.trim_end()));
        print(&repl.context, "  ", "  ", &(slash.help)());
    }
    match (shared, slash) {
        (Some(command), _) => {
            let help = language::shown(&command.render_help().ansi().to_string());
            repl.context.print(spoken(without_global_options(&help).trim_end()));
            Ok(())
        }
        (None, Some(_)) => Ok(()),
        (None, None) => Err(unknown(name)),
    }
}
