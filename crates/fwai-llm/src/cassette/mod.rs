//! Recordings of model traffic: a cassette is text, one JSON object a line, one line an exchange.
//!
//! [`Recorder`] wraps any provider and writes; [`Replay`] is a provider that reads. Keys never reach a
//! cassette, since requests are recorded before a wire adds them; other secrets are taken out by the
//! [`Tape`] that the host fills in.

mod departure;
mod recorder;
mod replay;
#[cfg(test)]
mod tests;

pub use recorder::Recorder;
pub use replay::Replay;

use crate::{Completion, LlmError, MaybeSend, MaybeSync, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How text changes on its way to a cassette and back.
pub trait Tape: MaybeSend + MaybeSync {
    /// Without secrets, and without what only this machine knows (its project's path).
    fn tape_text(&self, text: &str) -> String;

    /// The same text for this machine.
    fn play_text(&self, text: &str) -> String;
}

/// Takes finished lines, for instance to append them to a file.
pub trait CassetteSink: MaybeSend + MaybeSync {
    /// Writes one line, without a line end; the text says why it could not be.
    fn write_line(&self, line: &str) -> Result<(), String>;
}

/// One question and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Version of this shape.
    pub v: u32,
    pub provider: String,
    pub model: String,
    pub request: Request,
    pub outcome: Outcome,
}

/// How an exchange ended, after all retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Completion(Completion),
    Error(LlmError),
}

pub(crate) const VERSION: u32 = 1;

/// Every string in `value`, changed; the keys of objects stay.
pub(crate) fn map_strings(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| map_strings(item, change)),
        Value::Object(map) => map.values_mut().for_each(|item| map_strings(item, change)),
        _ => {}
    }
}
