//! Lines for people and for programs. A closed pipe ends quietly instead of in a panic.

use std::io::{ErrorKind, Write};

/// A line on standard output.
pub fn line(text: &str) {
    write(&mut anstream::stdout().lock(), text);
}

/// A line on standard error.
pub fn error_line(text: &str) {
    // Nothing can be told when standard error itself is gone.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

fn write(out: &mut impl Write, text: &str) {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // `fwai … | head` has all it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            error_line(&format!("error: cannot write the output: {error}"));
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}
