//! Lines for people and for programs. A closed pipe ends quietly instead of in a panic.

use crate::busy::while_clear;
use std::io::{ErrorKind, Write};

/// A line on standard output.
pub fn line(text: &str) {
    finish(while_clear(false, || {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush())
    }));
}

/// A piece of a model's answer on standard output, at once. What could steer a terminal is left out: the
/// text may come from anywhere.
pub fn piece(text: &str) {
    let plain = crate::render::printable(text);
    finish(while_clear(!plain.ends_with('\n'), || {
        let mut out = std::io::stdout().lock();
        out.write_all(plain.as_bytes()).and_then(|()| out.flush())
    }));
}

/// A line on standard error.
pub fn error_line(text: &str) {
    // Nothing can be told when standard error itself is gone.
    let _ = while_clear(false, || writeln!(anstream::stderr().lock(), "{text}"));
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
