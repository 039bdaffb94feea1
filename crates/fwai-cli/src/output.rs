//! Lines for people and for programs. A closed pipe ends quietly instead of in a panic.

use crate::{
    busy::while_clear,
    language::{self, say},
    render::{Abilities, abilities, background::suited, clean::clean_around_colours, letters},
    repl::signals::end_with_the_terminal,
};
use fwai_schema::said::Speak;
use rustix::io::Errno;
use std::io::{ErrorKind, IsTerminal, Write};

/// A line on standard output: as it is, but for what could steer a terminal that shows it.
pub fn line(text: &str) {
    let cleaned = std::io::stdout().is_terminal().then(|| clean_around_colours(text));
    let text = letters::shown(cleaned.as_deref().unwrap_or(text));
    let text = &*suited(&text);
    finish(while_clear(false, || {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush())
    }));
}

/// Words for people on standard output: a terminal gets lines that fit.
pub fn words(text: &str) {
    let text = &*clean_around_colours(text);
    match std::io::stdout().is_terminal() {
        true => line(&for_terminal(text)),
        false => line(text),
    }
}

/// A piece of a model's answer on standard output, at once. What could steer a terminal is left out: the
/// text may come from anywhere.
pub fn piece(text: &str) {
    let plain = crate::render::printable(text);
    let plain = &*letters::shown(&plain);
    finish(while_clear(!plain.ends_with('\n'), || {
        let mut out = std::io::stdout().lock();
        out.write_all(plain.as_bytes()).and_then(|()| out.flush())
    }));
}

/// A line on standard error.
pub fn error_line(text: &str) {
    let text = &*clean_around_colours(text);
    let fitted = std::io::stderr().is_terminal().then(|| for_terminal(text));
    let text = &*suited(fitted.as_deref().unwrap_or(text));
    // Nothing can be told when standard error itself is gone.
    let _ = while_clear(false, || writeln!(anstream::stderr().lock(), "{text}"));
}

/// Lines break between words, and signs are those that the terminal knows.
fn for_terminal(text: &str) -> String {
    let fitted = language::fit(text, abilities::size().0);
    match Abilities::of_stdout().unicode {
        true => fitted,
        false => in_ascii(&fitted),
    }
}

/// Our own signs in ASCII. Letters of names and data are left alone where nothing says that the terminal cannot
/// show them.
fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        out.push_str(match letter {
            '“' | '”' | '„' => "\"",
            '‘' | '’' => "'",
            '…' => "...",
            '→' => "->",
            '–' | '—' => "-",
            '·' | '│' => "|",
            '•' => "*",
            '›' => ">",
            '✓' => "ok",
            '✗' => "x",
            '≥' => ">=",
            '≤' => "<=",
            '×' => "x",
            other => {
                out.push(other);
                continue;
            }
        });
    }
    match letters::is_limited() {
        true => letters::in_ascii(&out),
        false => out,
    }
}

fn finish(written: std::io::Result<()>) {
    match written {
        // `fwai … | head` has all it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => end_with_the_terminal(),
        Err(error) => {
            let why = language::told(&error.said());
            error_line(&format!("{}{}", say!("error"), say!("output-lost", error = why)));
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}
