//! Commands as they are typed here: whoever reads `fwai build` inside of a session types `/build`.

use super::names;

/// The text with every command of the program that exists here as a slash command.
pub fn spoken(text: &str) -> String {
    if !text.contains("fwai ") {
        return text.to_owned();
    }
    let names = names();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("fwai ") {
        let (before, tail) = (&rest[..at], &rest[at + "fwai ".len()..]);
        out.push_str(before);
        let end = tail.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(tail.len());
        let apart = !without_style(before)
            .ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '/' | '.'));
        // `fwai demo shows` is about the command, `cd there && fwai build` is typed in a shell.
        let in_shell = before.ends_with("&& ") || before.ends_with("| ");
        match apart && !in_shell && names.iter().any(|name| *name == tail[..end]) {
            true => out.push('/'),
            false => out.push_str("fwai "),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// A text without the styles at its end.
fn without_style(text: &str) -> &str {
    match text.rsplit_once("\x1b[") {
        Some((before, codes))
            if codes.ends_with('m')
                && codes.trim_end_matches('m').chars().all(|code| code.is_ascii_digit() || code == ';') =>
        {
            without_style(before)
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_exist_here_get_a_slash() {
        for (said, here) in [
            ("fwai evidence list", "/evidence list"),
            ("run `fwai init` in a terminal", "run `/init` in a terminal"),
            ("Usage: fwai policy check <COMMAND>", "Usage: /policy check <COMMAND>"),
            ("Next: cd x && fwai build", "Next: cd x && fwai build"),
            ("fwai exec \"go on\"", "fwai exec \"go on\""),
            ("fwai wants to write a.c", "fwai wants to write a.c"),
            ("/usr/bin/fwai build", "/usr/bin/fwai build"),
            ("請先執行 `fwai trust`", "請先執行 `/trust`"),
            ("fwai run --list, or fwai exec", "/run --list, or fwai exec"),
            ("Usage: \x1b[0m\x1b[1mfwai demo\x1b[0m", "Usage: \x1b[0m\x1b[1m/demo\x1b[0m"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(spoken(said), here);
        }
    }
}
