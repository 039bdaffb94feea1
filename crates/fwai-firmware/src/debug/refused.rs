//! What a model may not say to GDB: anything that reaches this computer instead of the target.

/// Why the text is refused; `None` when it only concerns the target.
///
/// GDB has many ways out (`shell`, `python`, `| cmd`, `$_shell()`), so commands are allowed by name and
/// expressions are searched for the ways that an expression has.
pub fn for_a_model(command: &str) -> Option<String> {
    let word = command.split_whitespace().next().unwrap_or_default();
    let base = word.split('/').next().unwrap_or_default();
    if command.contains("$_shell") || command.contains("$_gdb_setting") {
        return Some("expressions may not use $_shell or $_gdb_setting".into());
    }
    if command.contains(['\n', '\r']) {
        return Some("one command at a time".into());
    }
    const ALLOWED: &[&str] = &[
        "print",
        "p",
        "x",
        "info",
        "i",
        "list",
        "l",
        "ptype",
        "whatis",
        "frame",
        "f",
        "up",
        "down",
        "thread",
        "output",
        "display",
        "undisplay",
        "advance",
        "until",
        "condition",
        "ignore",
        "enable",
        "disable",
    ];
    if ALLOWED.contains(&base) {
        return None;
    }
    if base == "set"
        && command.split_whitespace().nth(1).is_some_and(|what| what == "var" || what == "variable")
    {
        return None;
    }
    Some(format!("`{word}` is not among the GDB commands that a session allows here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_out_of_the_debugger_are_refused() {
        for command in [
            "shell rm -rf ~",
            "!id",
            "python print(1)",
            "pipe p 1 | sh",
            "| p 1 | sh",
            "source x.gdb",
            "p $_shell(\"id\")",
            "make",
            "dump memory /tmp/x 0 1",
            "monitor exec id",
            "set logging file x",
            "target exec x",
            "file /etc/passwd",
            "define x",
            "python-interactive",
            "guile 1",
            "compile code 1",
            "add-symbol-file x",
            "x/1i $pc\nshell id",
            "info line\rshell id",
        ] {
            assert!(for_a_model(command).is_some(), "{command}");
        }
        for command in [
            "p boots",
            "print/x sensor_reading",
            "x/4wx 0x20000000",
            "info breakpoints",
            "set var boots = 3",
            "ptype struct x",
        ] {
            assert_eq!(for_a_model(command), None, "{command}");
        }
    }
}
