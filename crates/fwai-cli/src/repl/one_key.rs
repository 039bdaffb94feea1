//! A question that one key answers, asked by a command at the prompt.

use crate::{output, terminal_mode::Quiet};
use crossterm::event::{Event, KeyCode, KeyModifiers, read};
use std::io::Write;

/// Shows the prompt and waits for a key that means something; nothing for Ctrl-C, and where the terminal is gone.
pub fn ask(prompt: &str, meaning: &dyn Fn(KeyCode) -> Option<String>) -> Option<String> {
    let mut err = anstream::stderr();
    let _ = write!(err, "{prompt}").and_then(|()| err.flush());
    let quiet = Quiet::with_all_keys();
    let answer = loop {
        match read() {
            Ok(Event::Key(key)) if key.is_press() => match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => break None,
                code => {
                    if let Some(answer) = meaning(code) {
                        break Some(answer);
                    }
                }
            },
            Ok(_) => {}
            Err(_) => break None,
        }
    };
    drop(quiet);
    output::error_line(answer.as_deref().unwrap_or_default());
    answer
}

/// Yes by `y`; no by `n`, Enter or Esc, since what is asked for cannot always be taken back.
pub fn yes_or_no(code: KeyCode) -> Option<String> {
    match code {
        KeyCode::Char('y' | 'Y') => Some("y".to_owned()),
        KeyCode::Char('n' | 'N') | KeyCode::Enter | KeyCode::Esc => Some("n".to_owned()),
        _ => None,
    }
}
