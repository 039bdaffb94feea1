//! A command line that could not be understood, told in the user's language.

use super::{library::understood, translated};
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What is wrong, what may have been meant, and how the command is used. Kinds without a translation of
/// their own keep clap's words.
pub(super) fn in_words(error: &clap::Error) -> String {
    let get = |kind| error.get(kind).map(spoken).unwrap_or_default();
    let argument = get(ContextKind::InvalidArg);
    let value = get(ContextKind::InvalidValue);
    let message = match error.kind() {
        ErrorKind::UnknownArgument => translated!("mistake-unknown-argument", argument = argument),
        ErrorKind::InvalidSubcommand => {
            translated!("mistake-unknown-command", command = get(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand => {
            translated!("mistake-missing-command", command = get(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => translated!("mistake-missing-argument", argument = argument),
        ErrorKind::InvalidValue if value.is_empty() => {
            translated!("mistake-missing-value", argument = argument)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            translated!("mistake-wrong-value", argument = argument, value = value).map(|words| {
                let why = std::error::Error::source(error)
                    .map(|why| format!("（{}）", understood(&why.to_string())))
                    .unwrap_or_default();
                words + &why
            })
        }
        ErrorKind::TooManyValues => {
            translated!("mistake-too-many-values", argument = argument, value = value)
        }
        ErrorKind::ArgumentConflict => {
            translated!("mistake-conflict", argument = argument, other = get(ContextKind::PriorArg))
        }
        _ => None,
    };
    let Some(message) = message else { return error.render().ansi().to_string() };
    let red = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
    let mut text = format!("{red}{}{red:#}{message}\n", translated!("mistake-word").unwrap_or_default());
    let allowed = [get(ContextKind::ValidValue), get(ContextKind::ValidSubcommand)];
    for allowed in allowed.iter().filter(|allowed| !allowed.is_empty()) {
        if let Some(line) = translated!("mistake-allowed", values = allowed) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        let guess = get(kind);
        if let Some(line) = translated!("mistake-guess", guess = guess).filter(|_| !guess.is_empty()) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let usage = get(ContextKind::Usage);
    if !usage.is_empty() {
        text.push_str(&format!("\n{}", super::help::shown(&usage)));
    }
    if let Some(line) = translated!("mistake-see-help") {
        text.push_str(&format!("\n{line}\n"));
    }
    text
}

fn spoken(value: &ContextValue) -> String {
    match value {
        ContextValue::StyledStr(text) => text.ansi().to_string(),
        ContextValue::Strings(list) => list.join(", "),
        ContextValue::String(text) => text.clone(),
        other => other.to_string(),
    }
}
