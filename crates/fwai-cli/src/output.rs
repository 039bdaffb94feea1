//! Lines for people and for programs. A closed pipe ends quietly instead of in a panic.

use std::io::{ErrorKind, Write};

/// A line on standard output.
pub fn line(text: &str) {
    crate::busy::clear();
    write(&mut anstream::stdout().lock(), text);
}

/// A piece of a model's answer on standard output, at once. What could steer a terminal is left out: the
/// text may come from anywhere.
pub fn piece(text: &str) {
    crate::busy::clear();
    let plain = crate::render::printable(text);
    let mut out = std::io::stdout().lock();
    let written = out.write_all(plain.as_bytes()).and_then(|()| out.flush());
    finish(written);
}

/// A line on standard error.
pub fn error_line(text: &str) {
    crate::busy::clear();
    // Nothing can be told when standard error itself is gone.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
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
