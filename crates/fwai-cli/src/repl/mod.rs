//! The interactive session: `fwai` without a command.
//!
//! One queue of input, whether a person types or a pipe feeds it: a line is read, carried out to its end,
//! and only then the next one is read; an answer to a question is simply the next line. That is what makes
//! `printf '/build\n/flash\ny\n' | fwai` work.

mod attach;
mod conversation;
mod line_editor;
mod slash;

use crate::{context::Context, failure::Failure};
use conversation::Conversation;
use line_editor::{Input, Line};
use std::io::IsTerminal;

/// What happens after a line.
pub enum Next {
    Continue,
    Quit,
}

/// Reads lines until the end of input or `/quit`; goes on with a session where one is named.
pub fn run(context: &Context, session: Option<String>) -> Result<(), Failure> {
    let mut input = Input::open(context)?;
    let mut conversation = Conversation::new(context);
    if let Some(id) = session {
        context.note(format_args!("going on with {id}"));
        conversation.resume(context, id);
    }
    if std::io::stdin().is_terminal() {
        greet(context, &conversation);
    }
    let mut failed = None;
    let mut interrupts = 0;
    loop {
        let line = match input.read(&conversation.status())? {
            Line::Text(text) => text,
            // Twice in a row leaves; once only clears the line.
            Line::Interrupted if interrupts == 0 => {
                interrupts += 1;
                context.note("press Ctrl-C again, or type /quit, to leave");
                continue;
            }
            Line::Interrupted | Line::End => break,
        };
        interrupts = 0;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // A script answers a question that was not asked here: flashing a virtual board needs no yes.
        if !std::io::stdin().is_terminal() && matches!(line, "y" | "yes" | "n" | "no") {
            context.note(format_args!("nothing was asked; `{line}` is left out"));
            continue;
        }
        let outcome = match line.strip_prefix('/') {
            Some(command) => slash::run(command, context, &mut conversation),
            None => conversation.say(context, line).map(|()| Next::Continue),
        };
        match outcome {
            Ok(Next::Continue) => failed = None,
            Ok(Next::Quit) => break,
            Err(failure) => {
                failed = Some(failure.kind);
                failure.tell();
            }
        }
    }
    conversation.close(context);
    // A script that feeds lines must learn that its last one failed.
    match failed.filter(|_| !std::io::stdin().is_terminal()) {
        Some(kind) => Err(Failure::told(kind)),
        None => Ok(()),
    }
}

fn greet(context: &Context, conversation: &Conversation) {
    let bold = anstyle::Style::new().bold();
    context.note(format_args!(
        "{bold}fwai {}{bold:#}  {}\nSay what you want, or /help. @file attaches a file. Ctrl-C interrupts, /quit leaves.",
        env!("CARGO_PKG_VERSION"),
        conversation.status().join(" · ")
    ));
    if !context.paths.project_file().exists() {
        context.note("This project is not set up yet: /init looks at its files.");
    }
}
