//! `--help` in the user's language. The English is the doc comments; translations are the messages
//! `help-<command>` with `.more` for the long text, `.examples` for what stands below, and one attribute
//! for each argument. Nothing of it is touched while a command line is understood and English is spoken.

use super::{
    choice::{Language, current, for_machines},
    columns::wrap,
    mistakes,
    texts::translation,
    translated,
};
use crate::cli::Cli;
use clap::{
    Command, CommandFactory,
    builder::{Resettable, StyledStr},
    error::ErrorKind,
};
use std::{io::Write, process::ExitCode};

/// The key of the program itself; its subcommands leave the name out.
pub(super) const ROOT: &str = "help-fwai";

/// The whole command line in the user's language.
pub fn command() -> Command {
    in_language(Cli::command())
}

/// The same for pages of the manual, none of which is about `help`.
pub fn manual() -> Command {
    in_language(Cli::command().disable_help_subcommand(true))
}

fn in_language(command: Command) -> Command {
    if current() == Language::English {
        return command;
    }
    // Lines are broken here afterwards, where Chinese is understood.
    let mut command = command.term_width(0);
    command.build();
    localize(command, &[])
}

/// Shows what clap has to say in place of a command: help, the version, or what is wrong.
pub fn report(error: clap::Error) -> ExitCode {
    let _english = for_machines(std::env::args_os().any(|word| word == "--json"));
    let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    if error.kind() == ErrorKind::DisplayVersion || current() == Language::English {
        // Nothing can be told when the stream itself is gone.
        let _ = error.print();
        return code;
    }
    let error = command().try_get_matches_from(std::env::args_os()).err().unwrap_or(error);
    let text = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            shown(&error.render().ansi().to_string())
        }
        _ => mistakes::in_words(&error),
    };
    let _ = match error.use_stderr() {
        true => write!(anstream::stderr().lock(), "{text}"),
        false => write!(anstream::stdout().lock(), "{text}"),
    };
    code
}

/// What is wrong with a line that was typed inside a session, without the word that says it is an error.
pub fn mistake(line: &[String], error: &clap::Error) -> String {
    if current() == Language::English {
        return error.render().to_string().trim_start_matches("error: ").trim_end().to_owned();
    }
    let known = command().try_get_matches_from(line).err();
    let text = mistakes::in_words(known.as_ref().unwrap_or(error));
    let text = anstream::adapter::strip_str(&text).to_string();
    let word = super::translated!("mistake-word").unwrap_or_default();
    text.trim_start_matches(word.as_str()).trim_end().to_owned()
}

/// The key of a command that is known by the words that lead to it.
pub(super) fn key(path: &[&str]) -> String {
    match path {
        [] => ROOT.to_owned(),
        // One command with two names.
        ["audit", "export"] => "help-export".to_owned(),
        path => format!("help-{}", path.join("-")),
    }
}

fn localize(command: Command, path: &[&str]) -> Command {
    let key = key(path);
    let say = |attribute: Option<&str>| translation(&key, attribute, &[]);
    let mut command = command;
    if let Some(about) = say(None) {
        let long = match say(Some("more")) {
            Some(more) => Resettable::Value(StyledStr::from(format!("{about}\n\n{more}"))),
            None => Resettable::Reset,
        };
        command = command.about(about).long_about(long);
    }
    if let Some(examples) = say(Some("examples")) {
        command = command.after_help(examples);
    }
    command = command.mut_args(|argument| {
        let id = argument.get_id().as_str();
        let text = match id {
            "help" => translated!("help-of-help"),
            "version" => translated!("help-of-version"),
            _ if argument.is_global_set() => translation(ROOT, Some(id), &[]),
            _ => say(Some(id)),
        };
        match text {
            Some(text) => argument.help(text).long_help(Resettable::Reset),
            None => argument,
        }
    });
    command.mut_subcommands(|below| {
        let name = below.get_name().to_owned();
        if name != "help" {
            return localize(below, &[path, &[&name]].concat());
        }
        // It holds a copy of every command, which is never shown with its arguments.
        match translated!("help-of-subcommands") {
            Some(about) => below.about(about),
            None => below,
        }
    })
}

/// Help as clap rendered it, with its headings and remarks translated and its lines broken.
pub fn shown(rendered: &str) -> String {
    let headings = [
        ("Usage:", translated!("heading-usage")),
        ("Commands:", translated!("heading-commands")),
        ("Arguments:", translated!("heading-arguments")),
        ("Options:", translated!("heading-options")),
        ("Global options:", translated!("heading-global-options")),
        ("Examples:", translated!("heading-examples")),
    ];
    let remarks = [
        ("[default: ", translated!("remark-default")),
        ("[possible values: ", translated!("remark-values")),
        ("[env: ", translated!("remark-variable")),
        ("[aliases: ", translated!("remark-aliases")),
        ("Possible values:", translated!("remark-values-below")),
        ("[OPTIONS]", translated!("remark-options")),
        ("[COMMAND]", translated!("remark-command")),
    ];
    let mut lines = Vec::new();
    for line in rendered.lines() {
        let mut line = line.to_owned();
        for (english, text) in &headings {
            let Some(text) = text else { continue };
            // Styles may stand before it, letters may not.
            if let Some(at) = line.find(english).filter(|at| !line[..*at].contains(' ')) {
                line.replace_range(at..at + english.len(), text);
                // A full-width colon brings its own room.
                if let Some(blank) = line[at..].find(' ').filter(|_| text.ends_with('：')) {
                    line.remove(at + blank);
                }
            }
        }
        for (english, text) in &remarks {
            if let Some(text) = text {
                line = line.replace(english, text);
            }
        }
        lines.push(line);
    }
    let columns = crossterm::terminal::size().map_or(100, |(columns, _)| usize::from(columns).min(100));
    wrap(&lines.join("\n"), columns) + "\n"
}
