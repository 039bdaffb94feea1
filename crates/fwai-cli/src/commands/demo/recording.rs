//! The recorded model of the demo: its words and its calls, one after the other. What the tools answer is real and
//! is not in the recording; where it comes out otherwise than when it was recorded, the recording stops, since its
//! next words would be untrue.

use crate::language;
use futures_util::{StreamExt, stream};
use fwai_llm::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, Provider, ProviderStatus, Request, provider::ModelInfo,
};
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, StopReason, Usage},
};
use serde::Deserialize;
use serde_json::Value;
use std::{
    io::IsTerminal,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

const TURNS: &str = include_str!("recording.json");

#[derive(Deserialize)]
struct Turn {
    text: String,
    #[serde(default)]
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    tool: String,
    input: Value,
    /// It failed when it was recorded.
    #[serde(default)]
    fails: bool,
}

/// Plays the recording.
pub struct Recording {
    turns: Vec<Turn>,
    next: AtomicUsize,
}

impl Recording {
    pub fn new() -> Self {
        let turns = serde_json::from_str(TURNS).expect("the recording is part of the program and is tested");
        Self { turns, next: AtomicUsize::new(0) }
    }

    fn play(&self, request: &Request) -> Result<Completion, LlmError> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        self.fits(at, request)?;
        let turn = self
            .turns
            .get(at)
            .ok_or_else(|| LlmError::Replay { message: "the recording is at its end".into() })?;
        // The words are ours: they were recorded in every language.
        let words = language::translation(&format!("recorded-{}", at + 1), None, &[]);
        let mut content = vec![ContentBlock::text(words.as_deref().unwrap_or(&turn.text))];
        for (number, call) in turn.calls.iter().enumerate() {
            content.push(ContentBlock::tool_use(id(at, number), &call.tool, call.input.clone()));
        }
        let stop_reason = if turn.calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
        Ok(Completion { content, stop_reason, usage: Usage::default(), model: self.model().to_owned() })
    }

    /// Whether the calls before turn `at` ended as they did when they were recorded.
    fn fits(&self, at: usize, request: &Request) -> Result<(), LlmError> {
        let Some((before, turn)) =
            at.checked_sub(1).and_then(|before| Some((before, self.turns.get(before)?)))
        else {
            return Ok(());
        };
        let blocks = || request.messages.iter().flat_map(|message| &message.content);
        for (number, call) in turn.calls.iter().enumerate() {
            let wanted = id(before, number);
            let failed = blocks().find_map(|block| match block {
                ContentBlock::ToolResult { tool_use_id, is_error, .. } if *tool_use_id == wanted => {
                    Some(*is_error)
                }
                _ => None,
            });
            if failed != Some(call.fails) {
                let ended = if call.fails { "succeeded" } else { "failed" };
                let recorded = if call.fails { "failed" } else { "succeeded" };
                let message = format!(
                    "the recording stops here: {} {ended} on this machine and {recorded} when it was recorded",
                    call.tool
                );
                return Err(LlmError::Replay { message });
            }
        }
        Ok(())
    }
}

fn id(turn: usize, number: usize) -> String {
    format!("demo_{turn}_{number}")
}

impl Provider for Recording {
    fn name(&self) -> &str {
        "recording"
    }

    fn model(&self) -> &str {
        "demo"
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts { context_window: Some(200_000), ..ModelFacts::default() }
    }

    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move { self.play(&request) })
    }

    /// Word by word, on a terminal at a pace that a person can follow.
    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        let completion = match self.play(&request) {
            Ok(completion) => completion,
            Err(error) => return Box::pin(stream::once(async { Err(error) })),
        };
        let text = match completion.content.first() {
            Some(ContentBlock::Text { text }) => text.clone(),
            _ => String::new(),
        };
        // Chinese has no blanks between its words.
        let ends = |letter: char| letter == ' ' || !letter.is_ascii();
        let words: Vec<String> = text.split_inclusive(ends).map(str::to_owned).collect();
        let pace = Duration::from_millis(if std::io::stdout().is_terminal() { 25 } else { 0 });
        let spoken = stream::iter(words).then(move |word| async move {
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            Ok(Delta::Text { text: word })
        });
        Box::pin(spoken.chain(stream::once(async move { Ok(Delta::Done { completion }) })))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        let status = ProviderStatus {
            name: self.name().into(),
            model: self.model().into(),
            ready: true,
            detail: "a recording".into(),
        };
        Box::pin(async move { status })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::message::Message;

    #[test]
    fn what_came_out_otherwise_stops_the_recording() {
        let result = |failed| Request {
            messages: vec![Message::user(vec![ContentBlock::tool_result("demo_0_0", "…", failed)]).into()],
            ..Request::default()
        };
        let after = |failed| {
            let recording = Recording::new();
            recording.play(&Request::default()).unwrap();
            recording.play(&result(failed)).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(after(false), Ok(()));
        assert!(after(true).unwrap_err().contains("build_firmware failed on this machine"));
    }
}
