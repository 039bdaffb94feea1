//! What the model is given: the task in words, and what a pipe feeds as material.
//!
//! A pipe may hold anything: a whole build log, a firmware image, nothing at all from a program that never
//! closes it. Text that the model cannot take is cut in the middle, what is no text is described; both are told.

use crate::{context::Context, failure::Failure, language::say, render::clean::clean};
use fwai_agent::{fence, truncate};
use fwai_app::provider;
use fwai_schema::message::ContentBlock;
use std::{
    io::{IsTerminal, Read},
    time::Duration,
};

/// More than this is never read: `yes | fwai exec …` must not fill the memory.
const READ: u64 = 64 << 20;
/// More than this is never sent.
const SENT: usize = 1 << 20;
/// How long a pipe may stay silent beside a task that was given in words.
const FIRST_BYTE: Duration = Duration::from_secs(2);
/// Bytes of binary material that are shown to the model.
const DUMPED: usize = 512;

/// The task, and the material that came with it.
pub fn content(words: &[String], context: &Context) -> Result<Vec<ContentBlock>, Failure> {
    let task = words.join(" ");
    let only_input = task.trim().is_empty() || task == "-";
    let piped = piped_input(if only_input { None } else { Some(FIRST_BYTE) })?;
    let limit = limit(context);
    if only_input {
        let task = match Material::of(&piped) {
            Material::Nothing => {
                return Err(Failure::usage("no task given").hint("fwai exec \"what to do\""));
            }
            Material::Text(text) => text,
            Material::Binary => {
                return Err(Failure::usage("the task on standard input is not text")
                    .hint("give the task in words: fwai exec \"what to do\" < FILE"));
            }
        };
        if task.len() > limit {
            let size = task.len();
            return Err(Failure::usage(format_args!(
                "the task on standard input has {size} bytes; the model can take about {limit}"
            ))
            .hint("give the task in words: fwai exec \"what to do\" < FILE"));
        }
        return Ok(vec![ContentBlock::text(task.trim())]);
    }
    let mut blocks = vec![ContentBlock::text(task.trim())];
    let material = match Material::of(&piped) {
        Material::Nothing => None,
        Material::Text(text) => {
            if text.len() > limit {
                context.warn(say!("exec-input-cut", bytes = text.len(), kept = limit));
            }
            Some(truncate::middle(&text, limit).into_owned())
        }
        Material::Binary => {
            context.warn(say!("exec-input-binary", bytes = piped.len()));
            Some(dump(&piped))
        }
    };
    blocks.extend(material.map(|text| ContentBlock::text(fence::data("standard input", &text))));
    Ok(blocks)
}

/// What bytes are, as far as a model can read them.
#[derive(Debug, PartialEq)]
pub enum Material {
    Nothing,
    Text(String),
    Binary,
}

impl Material {
    /// A console log has stray bytes and colours; an image is made of them.
    pub fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let strange = |letter: &char| {
            *letter == char::REPLACEMENT_CHARACTER
                || (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t' | '\u{1b}'))
        };
        let (letters, odd) = text.chars().fold((0_usize, 0_usize), |(letters, odd), letter| {
            (letters + 1, odd + usize::from(strange(&letter)))
        });
        if odd * 10 > letters {
            return Self::Binary;
        }
        let text = clean(&text);
        if text.trim().is_empty() { Self::Nothing } else { Self::Text(text) }
    }
}

/// Half of what the model can read, at about four bytes a token.
fn limit(context: &Context) -> usize {
    let window = context.config().ok().and_then(|layered| {
        let settings = &layered.config.provider;
        let model = provider::choose(settings).ok()?.model;
        settings.context_window.or(fwai_llm::pricing::facts_of(&model, &settings.models).context_window)
    });
    window.map_or(SENT, |tokens| (tokens as usize).saturating_mul(2)).min(SENT)
}

/// The first bytes of what is no text, as numbers and letters.
pub fn dump(bytes: &[u8]) -> String {
    let mut text = format!("[binary data, {} bytes; the first {}:]\n", bytes.len(), bytes.len().min(DUMPED));
    for (number, row) in bytes.chunks(16).take(DUMPED / 16).enumerate() {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters = row.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        });
        let letters: String = letters.collect();
        text.push_str(&format!("{:08x}  {:<47}  {letters}\n", number * 16, hex.join(" ")));
    }
    text
}

/// Bytes from a pipe or a file. Where a task was given too, a pipe that stays silent is left alone: whoever
/// started us may simply not have closed it.
fn piped_input(patience: Option<Duration>) -> Result<Vec<u8>, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Ok(Vec::new());
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock().take(READ);
        let mut bytes = vec![0; 1];
        let first = input.read(&mut bytes);
        let _ = sender.send(first.map(|count| bytes[..count].to_vec()));
        let mut rest = Vec::new();
        let _ = sender.send(input.read_to_end(&mut rest).map(|_| rest));
    });
    let broken = |error: std::io::Error| Failure::failed(format_args!("cannot read standard input: {error}"));
    let first = match patience {
        Some(patience) => receiver.recv_timeout(patience).ok(),
        None => receiver.recv().ok(),
    };
    let Some(first) = first else { return Ok(Vec::new()) };
    let mut bytes = first.map_err(broken)?;
    if !bytes.is_empty() {
        bytes.extend(receiver.recv().map(|rest| rest.map_err(broken)).unwrap_or(Ok(Vec::new()))?);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_console_log_is_text_and_an_image_is_not() {
        let log = b"\0\xffboot ok\r\n\x1b[32mI (20)\x1b[0m heap: 2048 bytes free\r\n";
        assert_eq!(
            Material::of(log),
            Material::Text("\u{fffd}boot ok\nI (20) heap: 2048 bytes free\n".into())
        );
        assert_eq!(Material::of(&[0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0]), Material::Binary);
        assert_eq!(Material::of(b" \n"), Material::Nothing);
        assert_eq!(Material::of(b""), Material::Nothing);
    }

    #[test]
    fn a_dump_has_places_bytes_and_letters() {
        assert_eq!(
            dump(b"\x7fELF"),
            "[binary data, 4 bytes; the first 4:]\n00000000  7f 45 4c 46                                      .ELF\n"
        );
    }
}
