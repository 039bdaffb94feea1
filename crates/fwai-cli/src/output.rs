//! Lines for people and for programs. A closed pipe ends quietly instead of in a panic.

use std::io::{ErrorKind, Write};

/// A line on standard output.
pub fn line(text: &str) {
    write(&mut anstream::stdout().lock(), text);
}

/// A piece of a model's answer on standard output, at once. What could steer a terminal is left out: the
/// text may come from anywhere.
pub fn piece(text: &str) {
    let is_plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let plain: String = text.chars().filter(is_plain).collect();
    let mut out = std::io::stdout().lock();
    let written = out.write_all(plain.as_bytes()).and_then(|()| out.flush());
    finish(written);
}

/// A line on standard error.
pub fn error_line(text: &str) {
    // Nothing can be told when standard error itself is gone.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Text on standard error without a line's end, where a person goes on typing.
pub fn prompt(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = write!(err, "{text}").and_then(|()| err.flush());
}

fn write(out: &mut impl Write, text: &str) {
    finish(writeln!(out, "{text}").and_then(|()| out.flush()));
}

fn finish(written: std::io::Result<()>) {
    match written {
        // `fwai … | head` has all it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            error_line(&format!("error: cannot write the output: {error}"));
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}
